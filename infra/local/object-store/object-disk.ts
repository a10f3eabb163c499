import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';

/** One version of an object, or the marker that it was deleted. */
export const Version = z.object({
  versionId: z.string(),
  lastModified: z.string(),
  deleteMarker: z.boolean(),
  size: z.number(),
  etag: z.string(),
  checksums: z.record(z.string(), z.string()),
  /** Headers that a read sends back: the content type and its like, and `x-amz-meta-`. */
  headers: z.record(z.string(), z.string()),
});
export type Version = z.infer<typeof Version>;

/** All versions of one key, oldest first. */
const KeyIndex = z.object({ key: z.string(), versions: z.array(Version) });

/** How much may wait to be written at once. */
const writtenBytes = 1024 ** 2;

/** Bytes that arrived whole and are on the disk, but are not visible yet. */
export interface Upload {
  path: string;
}

export type ObjectDisk = Awaited<ReturnType<typeof openObjectDisk>>;

/**
 * Versions of objects in a directory. A version becomes visible when the index of its
 * key, which is replaced as a whole, names it; before that its bytes are on the disk
 * and flushed. So a reader sees a version whole or not at all, after a crash too.
 */
export async function openObjectDisk(directory: string) {
  const uploads = join(directory, 'uploads');
  await rm(uploads, { recursive: true, force: true });
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const turns = new Map<string, Promise<unknown>>();

  const folderOf = (bucket: string, key: string) => join(directory, bucket, createHash('sha256').update(key).digest('hex'));
  const dataPath = (bucket: string, key: string, versionId: string) => join(folderOf(bucket, key), `${versionId}.data`);

  async function versionsOf(bucket: string, key: string): Promise<Version[]> {
    try {
      return KeyIndex.parse(JSON.parse(await readFile(join(folderOf(bucket, key), 'index.json'), 'utf8'))).versions;
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** The keys with this prefix, sorted, each with its versions. */
  async function listVersions(bucket: string, prefix: string): Promise<z.infer<typeof KeyIndex>[]> {
    const folders = await readdir(join(directory, bucket)).catch(unlessMissing([]));
    const indexes = await Promise.all(
      folders.map((folder) => readFile(join(directory, bucket, folder, 'index.json'), 'utf8').catch(unlessMissing(undefined))),
    );
    return indexes
      .flatMap((text) => (text === undefined ? [] : KeyIndex.parse(JSON.parse(text))))
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async function replaceIndex(bucket: string, key: string, versions: Version[]): Promise<void> {
    const folder = folderOf(bucket, key);
    const fresh = join(folder, 'index.json.new');
    const file = await open(fresh, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify({ key, versions }));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, join(folder, 'index.json'));
    await syncFolder(folder);
  }

  /** Runs changes of one key one after the other. */
  async function inTurn<T>(bucket: string, key: string, change: () => Promise<T>): Promise<T> {
    const turn = `${bucket}/${key}`;
    const mine = (turns.get(turn) ?? Promise.resolve()).then(change, change);
    turns.set(turn, mine);
    try {
      return await mine;
    } finally {
      if (turns.get(turn) === mine) turns.delete(turn);
    }
  }

  return {
    versionsOf,
    listVersions,
    dataPath,

    /** Streams bytes into a file of their own and flushes them; whatever fails, nothing stays. `write` takes them once, in memory for a few blocks. */
    async receive<T>(
      fill: (write: (body: AsyncIterable<Buffer>) => Promise<void>) => Promise<T>,
    ): Promise<{ upload: Upload; received: T }> {
      const path = join(uploads, randomBytes(12).toString('hex'));
      const file = await open(path, 'wx', 0o600);
      try {
        const received = await fill((body) => pipeline(body, file.createWriteStream({ highWaterMark: writtenBytes, flush: true })));
        return { upload: { path }, received };
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    },

    async discard(upload: Upload): Promise<void> {
      await rm(upload.path, { force: true });
    },

    /**
     * Adds a version as the newest. `judge` gets the versions that are there and may
     * throw; no other change of the key comes between it and the addition. Where
     * versions are not kept, the former ones go.
     */
    async addVersion(
      bucket: string,
      key: string,
      version: Version,
      upload: Upload | undefined,
      options: { keepFormer: boolean; judge?: (former: Version[]) => void },
    ): Promise<void> {
      await inTurn(bucket, key, async () => {
        const former = await versionsOf(bucket, key);
        options.judge?.(former);
        await mkdir(folderOf(bucket, key), { recursive: true, mode: 0o700 });
        if (upload) await rename(upload.path, dataPath(bucket, key, version.versionId));
        await replaceIndex(bucket, key, [...(options.keepFormer ? former : []), version]);
        const gone = options.keepFormer ? [] : former.filter(({ versionId }) => versionId !== version.versionId);
        await Promise.all(gone.map(({ versionId }) => rm(dataPath(bucket, key, versionId), { force: true })));
      });
    },

    /** Removes one version for good; returns it, or undefined when it was not there. */
    async removeVersion(bucket: string, key: string, versionId: string): Promise<Version | undefined> {
      return inTurn(bucket, key, async () => {
        const versions = await versionsOf(bucket, key);
        const removed = versions.find((version) => version.versionId === versionId);
        if (removed) {
          const rest = versions.filter((version) => version !== removed);
          if (rest.length > 0) await replaceIndex(bucket, key, rest);
          else await rm(folderOf(bucket, key), { recursive: true });
          await rm(dataPath(bucket, key, versionId), { force: true });
        }
        return removed;
      });
    },
  };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Handles the failure of a read: what is not there reads as `value`. */
const unlessMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

const isMissing = (error: unknown) => typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
