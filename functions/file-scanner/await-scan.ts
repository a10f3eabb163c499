import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { isStored, type ScanResult, type StoredFile } from '../../shared/product-files/product-file.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { RecordScan } from './record-scan.ts';

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
export function createAwaitScan(options: {
  table: Table;
  engineName: string;
  requestScan: RequestScan;
  recordScan: RecordScan;
  now?: (() => Date) | undefined;
}): RunJob<'scan-file'> {
  const { table, engineName, requestScan, recordScan, now = () => new Date() } = options;
  const files = createProductFileRepository({ table });
  const jobs = createJobRepository({ table, now });

  return (job) => retryOptimisticLock(() => wait(job));

  async function wait(job: Job<'scan-file'>): Promise<void> {
    const file = await files.findFile(job.task.productId, job.task.fileId);
    if (!file) throw new DeadJobError('file_unknown');
    const decided = file.scanStatus === 'clean' || file.scanStatus === 'infected';
    if (decided || !isStored(file) || file.hashStatus !== 'verified') {
      await table.write(jobs.finishJob(job));
    } else if (file.scanWaits >= maxWaits) {
      await recordScan(job.task, noResult(file), [jobs.finishJob(job)]);
    } else {
      if (file.scanWaits > 0) await requestScan(file);
      const waited = await files.replaceFile(file, { ...file, scanWaits: file.scanWaits + 1 });
      await table.transact([...waited, jobs.addJob(job.task, waitSeconds)]);
    }
  }

  function noResult({ versionId }: StoredFile): ScanResult {
    return { versionId, engine: engineName, trusted: false, verdict: 'error', error: 'no_result', at: now().toISOString() };
  }
}
