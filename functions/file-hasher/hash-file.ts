import { createHash } from 'node:crypto';
import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import { hasCode } from '../../shared/errors.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { type Picture, PictureFault, pictureKeyOf } from '../../shared/pictures/picture.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { discardDead } from '../../shared/product-files/file-discards.ts';
import { fileAfterHash, type HashOutcome } from '../../shared/product-files/file-states.ts';
import { fileIds, isStored, type StoredFile } from '../../shared/product-files/product-file.ts';
import { findFile, getFile, replaceFile } from '../../shared/product-files/product-file-repository.ts';
import type { EncodePicture } from './encode-picture.ts';

/** After this many attempts, over about an hour, an object that cannot be read is given up. */
const maxAttempts = 8;

/**
 * Proves the bytes of a finalized file: reads its version of the object once, at constant
 * memory, and compares length, type and SHA-256 with what was declared. A picture is encoded anew,
 * or rejected when it is none. A verified file goes on to be scanned.
 */
export async function hashFile(
  c: Needs<'table' | 'now' | 'logger' | 'sendJob' | 'store' | 'DISCARD_AFTER_HOURS'> & { encodePicture: EncodePicture },
  job: Job<'hash-file'>,
) {
  const { productId, fileId } = job.task;
  const file = await findFile(c.table, productId, fileId);
  if (!file) throw new DeadJobError('file_unknown');
  if (!isStored(file) || file.hashStatus !== 'unverified') {
    await c.table.write(finishJob(job));
    return;
  }
  const outcome = await examine(c, file, job);
  await record(c, file, outcome, job);
  if (outcome.hashStatus === 'verified') await c.sendJob({ kind: 'scan-file', productId, fileId });
  else c.logger.warn('file_not_verified', { fileId, hashError: outcome.hashError });
}

async function record(
  c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS'>,
  { productId, id }: StoredFile,
  outcome: HashOutcome,
  job: Job,
): Promise<void> {
  await retryOptimisticLock(async () => {
    const read = await getFile(c.table, productId, id);
    const next = fileAfterHash(read, outcome, c.now().toISOString());
    await c.table.transact([
      finishJob(job),
      ...(await replaceFile(c.table, read, next)),
      ...discardDead(c, read, next),
      recordFileAudit(c, { actor: 'file-hasher', action: 'product_file.hash', before: read, after: next }),
      ...(outcome.hashStatus === 'verified' ? [addJob(c, { kind: 'scan-file', ...fileIds(read) })] : []),
    ]);
  });
}

async function examine(c: Needs<'logger' | 'store'> & { encodePicture: EncodePicture }, file: StoredFile, job: Job): Promise<HashOutcome> {
  // A run that crashed recorded no failure, so its attempt is counted here.
  if (job.attempts > maxAttempts) return { hashStatus: 'error', hashError: 'object_unreadable' };
  try {
    return await compare(c, file);
  } catch (error) {
    if (job.attempts < maxAttempts || !hasCode(error, 'dependency_unavailable')) throw error;
    c.logger.error('object_unreadable', { fileId: file.id, error });
    return { hashStatus: 'error', hashError: 'object_unreadable' };
  }
}

async function compare(c: Needs<'store'> & { encodePicture: EncodePicture }, file: StoredFile): Promise<HashOutcome> {
  const object = await c.store?.openObject(file.storageKey, file.versionId);
  if (!object) return { hashStatus: 'error', hashError: 'object_missing' };
  const { contentType, chunks } = object;
  const hash = createHash('sha256');
  // Updaters ask for these, and reading a file of gigabytes once more would cost as much as the first time.
  const more = file.purpose === 'release' ? { sha512: createHash('sha512'), sha1: createHash('sha1') } : undefined;
  const kept: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    more?.sha512.update(chunk);
    more?.sha1.update(chunk);
    // Its size was bounded when it was declared.
    if (file.purpose === 'image') kept.push(chunk);
    sizeBytes += chunk.length;
    // More bytes than declared are a mismatch, whatever follows.
    if (sizeBytes > file.sizeBytes) break;
  }
  const sha256Hex = hash.digest('hex');
  const hashError = differenceOf(file, { sizeBytes, contentType, sha256Hex });
  if (hashError !== undefined) return { hashStatus: 'mismatch', hashError };
  const hashes = more && { sha512Base64: more.sha512.digest('base64'), sha1Hex: more.sha1.digest('hex') };
  const verified = { hashStatus: 'verified', sizeBytes, contentType, sha256Hex, ...hashes } as const;
  return file.purpose === 'image' ? withPicture(c, file, verified, Buffer.concat(kept)) : verified;
}

async function withPicture(
  c: Needs<'store'> & { encodePicture: EncodePicture },
  file: StoredFile,
  verified: Verified,
  bytes: Uint8Array,
): Promise<HashOutcome> {
  try {
    return { ...verified, picture: await storePicture(c, file, bytes) };
  } catch (error) {
    if (!(error instanceof PictureFault)) throw error;
    return { hashStatus: 'mismatch', hashError: error.code, rejectedReason: error.message };
  }
}

async function storePicture(c: Needs<'store'> & { encodePicture: EncodePicture }, file: StoredFile, bytes: Uint8Array): Promise<Picture> {
  const encoded = await c.encodePicture(bytes, file.contentType);
  const storageKey = pictureKeyOf(fileIds(file));
  const versionId = await c.store?.putObject(storageKey, encoded);
  if (versionId === undefined) throw new Error('There is no store for pictures.');
  const { width, height, contentType, bytes: pixels } = encoded;
  const sha256Hex = createHash('sha256').update(pixels).digest('hex');
  return { contentType, width, height, sizeBytes: pixels.length, sha256Hex, storageKey, versionId };
}

type Verified = Extract<HashOutcome, { hashStatus: 'verified' }>;

function differenceOf(file: StoredFile, found: { sizeBytes: number; contentType: string; sha256Hex: string }): string | undefined {
  if (found.sizeBytes !== file.sizeBytes) return 'size_mismatch';
  if (found.sha256Hex !== file.sha256Hex) return 'sha256_mismatch';
  return found.contentType === file.contentType ? undefined : 'content_type_mismatch';
}
