import { createHash } from 'node:crypto';
import type { AuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import { hasCode } from '../../shared/errors.ts';
import { DeadJobError, type Job, type JobKind } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { type HashOutcome, hashed } from '../../shared/product-files/file-states.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { fileRef, isStored, type StoredFile } from '../../shared/product-files/product-file.ts';
import type { ProductFileRepository } from '../../shared/product-files/product-file-repository.ts';

/** An object that could not be read so often, over about an hour, is given up. */
const maxAttempts = 8;

/**
 * Proves the bytes of a finalized file: reads its version of the object once, at constant
 * memory, and compares length, type and SHA-256 with what was declared. A verified
 * file goes on to be scanned. Source: decisions.md §5 "Hash worker".
 */
export function createHashFile(dependencies: {
  files: ProductFileRepository;
  audit: AuditRepository;
  jobs: JobRepository;
  sendJob: (kind: JobKind, ref: string) => Promise<void>;
  store: Pick<ObjectStore, 'openObject'> | undefined;
  logger: Logger;
  now: () => Date;
}): (job: Job) => Promise<void> {
  const { files, audit, jobs, sendJob, store, logger, now } = dependencies;

  return async (job) => {
    const [productId = '', fileId = ''] = job.ref.split('/');
    const file = await files.findFile(productId, fileId);
    if (!file) throw new DeadJobError('file_unknown');
    if (!isStored(file) || file.hashStatus !== 'unverified') {
      await files.commit([jobs.finishJob(job)]);
      return;
    }
    const outcome = await examine(file, job);
    await record(file, outcome, job);
    if (outcome.hashStatus === 'verified') await sendJob('scan-file', job.ref);
    else logger.warn('file_not_verified', { fileId, hashError: outcome.hashError });
  };

  async function record({ productId, id }: StoredFile, outcome: HashOutcome, job: Job): Promise<void> {
    await retryOptimisticLock(async () => {
      const read = await files.getFile(productId, id);
      const next = hashed(read, outcome, now().toISOString());
      await files.commit([
        jobs.finishJob(job),
        files.replaceFile(read, next),
        recordFileAudit(audit, { actor: 'file-hasher', action: 'hash', before: read, after: next }),
        ...(outcome.hashStatus === 'verified' ? [jobs.addJob('scan-file', fileRef(read))] : []),
      ]);
    });
  }

  async function examine(file: StoredFile, job: Job): Promise<HashOutcome> {
    // A run that ends its process leaves no failure behind, so attempts are counted here as well.
    if (job.attempts > maxAttempts) return { hashStatus: 'error', hashError: 'object_unreadable' };
    try {
      return await compare(file);
    } catch (error) {
      if (job.attempts < maxAttempts || !hasCode(error, 'dependency_unavailable')) throw error;
      logger.error('object_unreadable', { fileId: file.id, error });
      return { hashStatus: 'error', hashError: 'object_unreadable' };
    }
  }

  async function compare(file: StoredFile): Promise<HashOutcome> {
    const object = await store?.openObject(file.storageKey, file.versionId);
    if (!object) return { hashStatus: 'error', hashError: 'object_missing' };
    const { contentType, chunks } = object;
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      // More than declared can never be right; it need not be read to its end.
      if (sizeBytes > file.sizeBytes) break;
    }
    const sha256Hex = hash.digest('hex');
    const hashError = differenceOf(file, { sizeBytes, contentType, sha256Hex });
    return hashError === undefined ? { hashStatus: 'verified', sizeBytes, contentType, sha256Hex } : { hashStatus: 'mismatch', hashError };
  }
}

function differenceOf(file: StoredFile, found: { sizeBytes: number; contentType: string; sha256Hex: string }): string | undefined {
  if (found.sizeBytes !== file.sizeBytes) return 'size_mismatch';
  if (found.sha256Hex !== file.sha256Hex) return 'sha256_mismatch';
  return found.contentType === file.contentType ? undefined : 'content_type_mismatch';
}
