import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readStored, replaceFile, syncFolder } from '../durable-file.ts';
import { noSuchUpload } from './s3-error.ts';
import { createTurns, type Turns } from './serialize.ts';

/** An upload in parts that was begun and neither completed nor aborted. */
const PartUpload = z.object({
  uploadId: z.string(),
  bucket: z.string(),
  key: z.string(),
  initiated: z.string(),
  /** Those of the object that is to be. */
  headers: z.record(z.string(), z.string()),
});
export type PartUpload = z.infer<typeof PartUpload>;

const Part = z.object({
  partNumber: z.number(),
  size: z.number(),
  etag: z.string(),
  /** Base64. */
  sha256: z.string(),
  lastModified: z.string(),
  /** The name of the file that holds its bytes. */
  file: z.string(),
});
export type Part = z.infer<typeof Part>;

const uploadIdForm = /^[0-9a-f]{48}$/;

/**
 * Uploads in parts, each in a folder of its own. A part is there once its own small file names its bytes, which are
 * on the disk before; so of a part that is stored again a reader finds the former or the latter, after a crash too.
 */
export interface PartDisk {
  directory: string;
  /** Changes of one upload come one after the other. */
  inTurn: Turns;
}

export async function openPartDisk(parent: string): Promise<PartDisk> {
  const disk = { directory: join(parent, 'multipart'), inTurn: createTurns() };
  await mkdir(disk.directory, { recursive: true, mode: 0o700 });
  // One that was just beginning or ending when the process was killed.
  for (const uploadId of await readdir(disk.directory)) {
    if ((await findUpload(disk, uploadId)) === undefined) await rm(folderOf(disk, uploadId), { recursive: true, force: true });
  }
  return disk;
}

/** @throws S3Error NoSuchUpload */
export async function getUpload(disk: PartDisk, bucket: string, key: string, uploadId: string): Promise<PartUpload> {
  const upload = uploadIdForm.test(uploadId) ? await findUpload(disk, uploadId) : undefined;
  if (upload?.bucket !== bucket || upload.key !== key) throw noSuchUpload();
  return upload;
}

export async function partsOf(disk: PartDisk, { uploadId }: PartUpload): Promise<Part[]> {
  const folder = folderOf(disk, uploadId);
  const names = (await readdir(folder)).filter((name) => /^\d+\.json$/.test(name));
  const parts = await Promise.all(names.map((name) => readStored(join(folder, name), Part)));
  return parts.filter((part) => part !== undefined).sort((a, b) => a.partNumber - b.partNumber);
}

export const pathOf = (disk: PartDisk, { uploadId }: PartUpload, { file }: Part): string => join(folderOf(disk, uploadId), file);

export async function beginUpload(disk: PartDisk, upload: Omit<PartUpload, 'uploadId'>): Promise<PartUpload> {
  const begun = { ...upload, uploadId: randomBytes(24).toString('hex') };
  const folder = folderOf(disk, begun.uploadId);
  await mkdir(folder, { mode: 0o700 });
  await replaceFile(join(folder, 'upload.json'), JSON.stringify(begun));
  await syncFolder(disk.directory);
  return begun;
}

/** Runs changes of one upload one after the other, each while the upload is there still. @throws S3Error NoSuchUpload */
export async function changeUpload<T>(
  disk: PartDisk,
  bucket: string,
  key: string,
  uploadId: string,
  change: (upload: PartUpload) => Promise<T>,
): Promise<T> {
  return disk.inTurn(uploadId, async () => change(await getUpload(disk, bucket, key, uploadId)));
}

/** Puts a part into its place, or into that of the one with the same number. To be called in `changeUpload`. */
export async function storePart(disk: PartDisk, upload: PartUpload, path: string, part: Omit<Part, 'file'>): Promise<void> {
  const folder = folderOf(disk, upload.uploadId);
  const former = await readStored(join(folder, `${part.partNumber}.json`), Part);
  const file = `${part.partNumber}-${randomBytes(6).toString('hex')}.data`;
  await rename(path, join(folder, file));
  await replaceFile(join(folder, `${part.partNumber}.json`), JSON.stringify({ ...part, file }));
  if (former) await rm(join(folder, former.file), { force: true });
}

/** Ends an upload, with all that it has stored. To be called in `changeUpload`. */
export async function endUpload(disk: PartDisk, { uploadId }: PartUpload): Promise<void> {
  // Without this file there is no upload, whatever of the folder a crash leaves.
  await rm(join(folderOf(disk, uploadId), 'upload.json'), { force: true });
  await rm(folderOf(disk, uploadId), { recursive: true, force: true });
}

/** Those under a prefix, by key, of each the oldest first. */
export async function uploadsUnder(disk: PartDisk, bucket: string, prefix: string): Promise<PartUpload[]> {
  const uploads = await Promise.all((await readdir(disk.directory)).map((uploadId) => findUpload(disk, uploadId)));
  return uploads
    .filter((upload) => upload !== undefined)
    .filter((upload) => upload.bucket === bucket && upload.key.startsWith(prefix))
    .sort((a, b) => (a.key === b.key ? a.initiated.localeCompare(b.initiated) : a.key < b.key ? -1 : 1));
}

const folderOf = ({ directory }: PartDisk, uploadId: string) => join(directory, uploadId);

const findUpload = (disk: PartDisk, uploadId: string) => readStored(join(folderOf(disk, uploadId), 'upload.json'), PartUpload);
