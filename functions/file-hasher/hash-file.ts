import { createHash } from 'node:crypto';
import type { AuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import { hasCode } from '../../shared/errors.ts';
import { DeadJobError, type Job, type JobTask } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { type HashOutcome, hashed } from '../../shared/product-files/file-states.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { idsOfFile, isStored, type StoredFile } from '../../shared/product-files/product-file.ts';
import type { ProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';

/** After this many attempts, over about an hour, an object that cannot be read is given up. */
const maxAttempts = 8;

/**
 * Proves the bytes of a finalized file: reads its version of the object once, at constant
 * memory, and compares length, type and SHA-256 with what was declared. A verified
 * file goes on to be scanned.
 */
export function createHashFile(dependencies: {
  table: Table;
  files: ProductFileRepository;
  audit: AuditRepository;
  jobs: JobRepository;
  sendJob: (task: JobTask) => Promise<void>;
  store: Pick<ObjectStore, 'openObject'> | undefined;
  logger: Logger;
  now?: () => Date;
}): RunJob<'hash-file'> {
  const { table, files, audit, jobs, sendJob, store, logger, now = () => new Date() } = dependencies;

  return async (job) => {
    const { productId, fileId } = job.task;
    const file = await files.findFile(productId, fileId);
    if (!file) throw new DeadJobError('file_unknown');
    if (!isStored(file) || file.hashStatus !== 'unverified') {
      await table.write(jobs.finishJob(job));
      return;
    }
    const outcome = await examine(file, job);
    await record(file, outcome, job);
    if (outcome.hashStatus === 'verified') await sendJob({ kind: 'scan-file', productId, fileId });
    else logger.warn('file_not_verified', { fileId, hashError: outcome.hashError });
  };

  async function record({ productId, id }: StoredFile, outcome: HashOutcome, job: Job): Promise<void> {
    await retryOptimisticLock(async () => {
      const read = await files.getFile(productId, id);
      const next = hashed(read, outcome, now().toISOString());
      await table.transact([
        jobs.finishJob(job),
        ...(await files.replaceFile(read, next)),
        recordFileAudit(audit, { actor: 'file-hasher', action: 'product_file.hash', before: read, after: next }),
        ...(outcome.hashStatus === 'verified' ? [jobs.addJob({ kind: 'scan-file', ...idsOfFile(read) })] : []),
      ]);
    });
  }

  async function examine(file: StoredFile, job: Job): Promise<HashOutcome> {
    // A run that ended with its process recorded no failure, so its attempt counts only here.
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
      // More bytes than declared are a mismatch, whatever follows.
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
