import type { AuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Job } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { isStored, type ProductFileRecord } from '../../shared/product-files/product-file.ts';
import type { ProductFileRepository } from '../../shared/product-files/product-file-repository.ts';

/**
 * Throws away an upload that was never finalized. The file is closed first, so that no
 * finalize can come between that and the end of its bytes.
 */
export function createDiscardUpload(dependencies: {
  files: ProductFileRepository;
  audit: AuditRepository;
  jobs: JobRepository;
  store: Pick<ObjectStore, 'deleteObject'> | undefined;
}): (job: Job) => Promise<void> {
  const { files, audit, jobs, store } = dependencies;

  return async (job) => {
    const [productId = '', fileId = ''] = job.ref.split('/');
    const file = await retryOptimisticLock(() => close(productId, fileId));
    if (file && !isStored(file) && file.storageKey !== undefined) await store?.deleteObject(file.storageKey);
    await files.commit([jobs.finishJob(job)]);
  };

  async function close(productId: string, fileId: string): Promise<ProductFileRecord | undefined> {
    const read = await files.findFile(productId, fileId);
    if (read?.status !== 'upload_pending') return read;
    const next: ProductFileRecord = { ...read, status: 'disabled' };
    await files.commit([
      files.replaceFile(read, next),
      recordFileAudit(audit, { actor: 'file-hasher', action: 'discard', before: read, after: next }),
    ]);
    return next;
  }
}
