import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { pictureKeyOf } from '../../shared/pictures/picture.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import type { PartStore } from '../../shared/product-files/parts/part-store.ts';
import { isInParts } from '../../shared/product-files/parts/upload-parts.ts';
import { type FileIds, heldBytesOf, isDead, type ProductFileRecord } from '../../shared/product-files/product-file.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createSellerStorageRepository } from '../../shared/product-files/seller-storage-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';

const actor = 'file-hasher';

/**
 * Deletes the bytes of a file that is of no more use; its record stays. An upload that was never finalized is
 * disabled first, so that nobody can finalize it meanwhile. Any other file is left alone.
 */
export function createDiscardUpload(options: {
  table: Table;
  store: Pick<ObjectStore, 'deleteVersions'> | undefined;
  partStore: Pick<PartStore, 'abortUpload'> | undefined;
  now?: (() => Date) | undefined;
}): RunJob<'discard-upload'> {
  const { table, store, partStore, now = () => new Date() } = options;
  const files = createProductFileRepository({ table });
  const storage = createSellerStorageRepository({ table, now });
  const audit = createAuditRepository({ table, now });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const file = await retryOptimisticLock(() => disableUnfinished(job.task));
    if (!file || !isDead(file) || heldBytesOf(file) === 0 || file.storageKey === undefined || !store) {
      await table.write(jobs.finishJob(job));
      return;
    }
    // First, so that they are not put together once the object is deleted; and for those that were on their way when they were aborted.
    if (isInParts(file)) await partStore?.abortUpload({ key: file.storageKey, uploadId: file.parts.uploadId });
    await store.deleteVersions(file.storageKey);
    if (file.purpose === 'image') await store.deleteVersions(pictureKeyOf(job.task));
    await storage.ensureCounted(file.sellerId);
    await retryOptimisticLock(() => recordDeletion(job));
  };

  async function disableUnfinished({ productId, fileId }: FileIds): Promise<ProductFileRecord | undefined> {
    const read = await files.findFile(productId, fileId);
    if (read?.status !== 'upload_pending') return read;
    const next: ProductFileRecord = { ...read, status: 'disabled' };
    await table.transact([
      ...(await files.replaceFile(read, next)),
      recordFileAudit(audit, { actor, action: 'product_file.discard', before: read, after: next }),
    ]);
    return { ...next, revision: read.revision + 1 };
  }

  /** The bytes count no more from the transaction on that says that they are deleted, so they are counted off once. */
  async function recordDeletion(job: Job<'discard-upload'>): Promise<void> {
    const read = await files.getFile(job.task.productId, job.task.fileId);
    const next: ProductFileRecord = { ...read, bytesDeletedAt: now().toISOString() };
    await table.transact([
      jobs.finishJob(job),
      ...(await files.replaceFile(read, next)),
      storage.freeBytes(read),
      recordFileAudit(audit, { actor, action: 'product_file.delete_bytes', before: read, after: next }),
    ]);
  }
}
