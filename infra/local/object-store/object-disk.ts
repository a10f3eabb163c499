import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { readStored, replaceFile, unlessMissing } from '../durable-file.ts';
import { createTurns, type Turns } from './serialize.ts';

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
  /** The sizes of the parts that it was put together from; each is a file of its own. */
  parts: z.optional(z.array(z.number())),
});
export type Version = z.infer<typeof Version>;

/** All versions of one key, oldest first. */
const KeyIndex = z.object({ key: z.string(), versions: z.array(Version) });

/** How much may wait to be written at once, and is read at a time. */
const writtenBytes = 1024 ** 2;
const readBytes = 512 * 1024;

/** The files with a version's bytes: moved to it, or, of an upload in parts, which may yet fail, shared with it. */
export interface Bytes {
  paths: readonly string[];
  keep: boolean;
}

/** The bytes of a version, which are read whole even when it is removed meanwhile. */
export interface OpenBytes {
  read(start: number, end: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Versions of objects in a directory. A version becomes visible when the index of its
 * key, which is replaced as a whole, names it; before that its bytes are on the disk
 * and flushed. So a reader sees a version whole or not at all, after a crash too.
 */
export interface ObjectDisk {
  directory: string;
  /** Bytes that arrive. */
  uploads: string;
  /** Changes of one key come one after the other. */
  inTurn: Turns;
}

/** Bytes that arrived and became no version are gone then. */
export async function openObjectDisk(directory: string): Promise<ObjectDisk> {
  const uploads = join(directory, 'uploads');
  await rm(uploads, { recursive: true, force: true });
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  return { directory, uploads, inTurn: createTurns() };
}

export async function versionsOf(disk: ObjectDisk, bucket: string, key: string): Promise<Version[]> {
  return (await readStored(join(folderOf(disk, bucket, key), 'index.json'), KeyIndex))?.versions ?? [];
}

/** The keys with this prefix, sorted, each with its versions. */
export async function versionsUnder({ directory }: ObjectDisk, bucket: string, prefix: string): Promise<z.infer<typeof KeyIndex>[]> {
  const folders = await readdir(join(directory, bucket)).catch(unlessMissing([]));
  const indexes = await Promise.all(folders.map((folder) => readStored(join(directory, bucket, folder, 'index.json'), KeyIndex)));
  const found = indexes.filter((index) => index !== undefined);
  return found.filter(({ key }) => key.startsWith(prefix)).sort((a, b) => (a.key < b.key ? -1 : 1));
}

export async function openBytes(disk: ObjectDisk, bucket: string, key: string, version: Version): Promise<OpenBytes> {
  const handles: FileHandle[] = [];
  const close = async () => void (await Promise.all(handles.map((handle) => handle.close())));
  try {
    for (const name of dataNames(version)) handles.push(await open(join(folderOf(disk, bucket, key), name)));
  } catch (error) {
    await close();
    throw error;
  }
  return { read: (start, end) => readAcross(handles, version.parts ?? [version.size], start, end), close };
}

/**
 * Streams bytes into a file of their own and flushes them, for `place` to move it to where it is seen; whatever fails,
 * nothing stays. `write` takes them once, in memory for a few blocks.
 */
export async function receiveBytes<Received, Placed>(
  { uploads }: ObjectDisk,
  fill: (write: (body: AsyncIterable<Buffer>) => Promise<void>) => Promise<Received>,
  place: (path: string, received: Received) => Promise<Placed>,
): Promise<Placed> {
  const path = join(uploads, randomBytes(12).toString('hex'));
  const file = await open(path, 'wx', 0o600);
  try {
    const write = (body: AsyncIterable<Buffer>) => pipeline(body, file.createWriteStream({ highWaterMark: writtenBytes, flush: true }));
    const received = await fill(write).finally(() => file.close());
    return await place(path, received);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Adds a version as the newest. `judge` gets the versions that are there and may
 * throw; no other change of the key comes between it and the addition. Where
 * versions are not kept, the former ones go.
 */
export async function addVersion(
  disk: ObjectDisk,
  bucket: string,
  key: string,
  version: Version,
  bytes: Bytes | undefined,
  options: { keepFormer: boolean; judge?: (former: Version[]) => void },
): Promise<void> {
  await disk.inTurn(turnOf(bucket, key), async () => {
    const former = await versionsOf(disk, bucket, key);
    options.judge?.(former);
    const folder = folderOf(disk, bucket, key);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (bytes?.keep) await removeStrays(folder, former);
    for (const [index, name] of dataNames(version).entries()) {
      const path = bytes?.paths[index];
      if (path !== undefined) await (bytes?.keep ? link : rename)(path, join(folder, name));
    }
    await replaceIndex(folder, key, [...(options.keepFormer ? former : []), version]);
    const gone = options.keepFormer ? [] : former.filter(({ versionId }) => versionId !== version.versionId);
    await Promise.all(gone.map((version) => removeData(folder, version)));
  });
}

/** Removes what a version that was never completed left of the bytes that it shared. */
export async function removeLeftOvers(disk: ObjectDisk, bucket: string, key: string): Promise<void> {
  await disk.inTurn(turnOf(bucket, key), async () => removeStrays(folderOf(disk, bucket, key), await versionsOf(disk, bucket, key)));
}

/** Removes one version for good; returns it, or undefined when it was not there. */
export async function removeVersion(disk: ObjectDisk, bucket: string, key: string, versionId: string): Promise<Version | undefined> {
  return disk.inTurn(turnOf(bucket, key), async () => {
    const versions = await versionsOf(disk, bucket, key);
    const removed = versions.find((version) => version.versionId === versionId);
    if (removed) {
      const folder = folderOf(disk, bucket, key);
      const rest = versions.filter((version) => version !== removed);
      if (rest.length > 0) await replaceIndex(folder, key, rest);
      else await rm(folder, { recursive: true });
      await removeData(folder, removed);
    }
    return removed;
  });
}

const turnOf = (bucket: string, key: string) => `${bucket}/${key}`;

const folderOf = ({ directory }: ObjectDisk, bucket: string, key: string) =>
  join(directory, bucket, createHash('sha256').update(key).digest('hex'));

const replaceIndex = (folder: string, key: string, versions: Version[]) =>
  replaceFile(join(folder, 'index.json'), JSON.stringify({ key, versions }));

const removeData = (folder: string, version: Version) =>
  Promise.all(dataNames(version).map((name) => rm(join(folder, name), { force: true })));

/** A version that was being put together by a process that was killed left files that no index names. */
async function removeStrays(folder: string, versions: readonly Version[]): Promise<void> {
  const named = new Set(versions.flatMap(dataNames));
  const files = await readdir(folder).catch(unlessMissing([]));
  const strays = files.filter((name) => name.endsWith('.data') && !named.has(name));
  await Promise.all(strays.map((name) => rm(join(folder, name), { force: true })));
}

/** The files that hold the bytes of a version, in their order. */
function dataNames({ versionId, deleteMarker, parts }: Version): string[] {
  if (deleteMarker) return [];
  return parts ? parts.map((_, index) => `${versionId}.${index + 1}.data`) : [`${versionId}.data`];
}

/** From `start` to `end`, both counted over all files one after the other. */
async function* readAcross(handles: readonly FileHandle[], sizes: readonly number[], start: number, end: number): AsyncGenerator<Buffer> {
  let begin = 0;
  for (const [index, size] of sizes.entries()) {
    const [from, to] = [Math.max(start - begin, 0), Math.min(end - begin, size - 1)];
    begin += size;
    if (from <= to) yield* handles[index]?.createReadStream({ start: from, end: to, autoClose: false, highWaterMark: readBytes }) ?? [];
  }
}
