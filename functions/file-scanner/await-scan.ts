import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import { finishJob, sleepJob } from '../../shared/jobs/job-lease-repository.ts';
import { isStored, type ScanResult, type StoredFile } from '../../shared/product-files/product-file.ts';
import { findFile, replaceFile } from '../../shared/product-files/product-file-repository.ts';
import { recordScan } from './record-scan.ts';

/** What results of GuardDuty are recorded under. */
export const guardDutyName = 'guardduty';

/** How long a result may take before another scan is requested. */
const waitSeconds = 30 * 60;

/** The first result comes from the scan at upload, each further one from a scan that was requested. */
const maxWaits = 4;

/** Requests another scan of one version of an object. */
export type RequestScan = (file: StoredFile) => Promise<void>;

/**
 * Waits for a scanner that scans uploads by itself and reports when it is done. While there is no
 * verdict another scan is requested every half hour, and in the end the result is an error.
 */
export const awaitScan = (c: Needs<'table' | 'now' | 'logger'> & { requestScan: RequestScan }, job: Job<'scan-file'>) =>
  retryOptimisticLock(() => wait(c, job));

async function wait(c: Needs<'table' | 'now' | 'logger'> & { requestScan: RequestScan }, job: Job<'scan-file'>): Promise<void> {
  const file = await findFile(c.table, job.task.productId, job.task.fileId);
  if (!file) throw new DeadJobError('file_unknown');
  const decided = file.scanStatus === 'clean' || file.scanStatus === 'infected';
  if (decided || !isStored(file) || file.hashStatus !== 'verified') {
    await c.table.write(finishJob(job));
  } else if (file.scanWaits >= maxWaits) {
    await recordScan(c, job.task, noResult(c, file), [finishJob(job)]);
  } else {
    if (file.scanWaits > 0) await c.requestScan(file);
    const waited = await replaceFile(c.table, file, { ...file, scanWaits: file.scanWaits + 1 });
    await c.table.transact([...waited, sleepJob(c, job, waitSeconds)]);
  }
}

function noResult(c: Needs<'now'>, { versionId }: StoredFile): ScanResult {
  return { versionId, engine: guardDutyName, trusted: false, verdict: 'error', error: 'no_result', at: c.now().toISOString() };
}
