import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { pictureKeyOf } from '../../shared/pictures/picture.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { isMultipartFile } from '../../shared/product-files/parts/upload-parts.ts';
import { type FileIds, isDead, type ProductFileRecord, reservedBytes } from '../../shared/product-files/product-file.ts';
import { findFile, getFile, replaceFile } from '../../shared/product-files/product-file-repository.ts';
import { ensureStorageCounter, freeBytes } from '../../shared/product-files/seller-storage-repository.ts';

const actor = 'file-hasher';

/**
 * Deletes the bytes of a file that is of no more use; its record stays. An upload that was never finalized is
 * disabled first, so that nobody can finalize it meanwhile. Any other file is left alone.
 */
export async function discardUpload(c: Needs<'table' | 'now' | 'store' | 'partStore'>, job: Job<'discard-upload'>) {
  const file = await retryOptimisticLock(() => disableUnfinished(c, job.task));
  if (!file || !isDead(file) || reservedBytes(file) === 0 || file.storageKey === undefined || !c.store) {
    await c.table.write(finishJob(job));
    return;
  }
  // First, so that they are not put together once the object is deleted; and for those that were on their way when they were aborted.
  if (isMultipartFile(file)) await c.partStore?.abortUpload({ key: file.storageKey, uploadId: file.parts.uploadId });
  await c.store.deleteVersions(file.storageKey);
  if (file.purpose === 'image') await c.store.deleteVersions(pictureKeyOf(job.task));
  await ensureStorageCounter(c, file.sellerId);
  await retryOptimisticLock(() => recordDeletion(c, job));
}

async function disableUnfinished(c: Needs<'table' | 'now'>, { productId, fileId }: FileIds): Promise<ProductFileRecord | undefined> {
  const read = await findFile(c.table, productId, fileId);
  if (read?.status !== 'upload_pending') return read;
  const next: ProductFileRecord = { ...read, status: 'disabled' };
  await c.table.transact([
    ...(await replaceFile(c.table, read, next)),
    recordFileAudit(c, { actor, action: 'product_file.discard', before: read, after: next }),
  ]);
  return { ...next, revision: read.revision + 1 };
}

/** The bytes count no more from the transaction on that says that they are deleted, so they are counted off once. */
async function recordDeletion(c: Needs<'table' | 'now'>, job: Job<'discard-upload'>): Promise<void> {
  const read = await getFile(c.table, job.task.productId, job.task.fileId);
  const next: ProductFileRecord = { ...read, bytesDeletedAt: c.now().toISOString() };
  await c.table.transact([
    finishJob(job),
    ...(await replaceFile(c.table, read, next)),
    freeBytes(read),
    recordFileAudit(c, { actor, action: 'product_file.delete_bytes', before: read, after: next }),
  ]);
}
