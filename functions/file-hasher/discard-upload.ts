import type { AuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { type FileIds, isStored, type ProductFileRecord } from '../../shared/product-files/product-file.ts';
import type { ProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';

/**
 * Discards an upload that was never finalized. The file is disabled first, so that nobody can
 * finalize it while its bytes are deleted.
 */
export function createDiscardUpload(dependencies: {
  table: Table;
  files: ProductFileRepository;
  audit: AuditRepository;
  jobs: JobRepository;
  store: Pick<ObjectStore, 'deleteObject'> | undefined;
}): RunJob<'discard-upload'> {
  const { table, files, audit, jobs, store } = dependencies;

  return async (job) => {
    const file = await retryOptimisticLock(() => disable(job.task));
    if (file && !isStored(file) && file.storageKey !== undefined) await store?.deleteObject(file.storageKey);
    await table.write(jobs.finishJob(job));
  };

  async function disable({ productId, fileId }: FileIds): Promise<ProductFileRecord | undefined> {
    const read = await files.findFile(productId, fileId);
    if (read?.status !== 'upload_pending') return read;
    const next: ProductFileRecord = { ...read, status: 'disabled' };
    await table.transact([
      files.replaceFile(read, next),
      recordFileAudit(audit, { actor: 'file-hasher', action: 'product_file.discard', before: read, after: next }),
    ]);
    return next;
  }
}
