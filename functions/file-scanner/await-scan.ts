import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import { isStored, type ScanResult, type StoredFile } from '../../shared/product-files/product-file.ts';
import type { ProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import type { RecordScan } from './record-scan.ts';

/** How long a result is waited for before it is asked for again. Source: decisions.md §5. */
const waitSeconds = 30 * 60;
/** The first scan is the one at upload; the others are asked for. */
const maxWaits = 4;

/** Asks the scanner to look at one version of an object again. */
export type RequestScan = (file: StoredFile) => Promise<void>;

/**
 * Waits for a scanner that looks at uploads by itself and reports when it is done. While there is no
 * verdict it is asked again every half hour, and in the end the file's scan is an error.
 */
export function createAwaitScan(dependencies: {
  files: ProductFileRepository;
  jobs: JobRepository;
  engineName: string;
  requestScan: RequestScan;
  recordScan: RecordScan;
  now: () => Date;
}): (job: Job) => Promise<void> {
  const { files, jobs, engineName, requestScan, recordScan, now } = dependencies;

  return (job) => retryOptimisticLock(() => wait(job));

  async function wait(job: Job): Promise<void> {
    const [productId = '', fileId = ''] = job.ref.split('/');
    const file = await files.findFile(productId, fileId);
    if (!file) throw new DeadJobError('file_unknown');
    const decided = file.scanStatus === 'clean' || file.scanStatus === 'infected';
    if (decided || !isStored(file) || file.hashStatus !== 'verified') {
      await files.commit([jobs.finishJob(job)]);
    } else if (file.scanWaits >= maxWaits) {
      await recordScan(productId, fileId, noResult(file), [jobs.finishJob(job)]);
    } else {
      if (file.scanWaits > 0) await requestScan(file);
      await files.commit([
        files.replaceFile(file, { ...file, scanWaits: file.scanWaits + 1 }),
        jobs.addJob(job.kind, job.ref, waitSeconds),
      ]);
    }
  }

  function noResult({ versionId }: StoredFile): ScanResult {
    return { versionId, engine: engineName, trusted: false, verdict: 'error', error: 'no_result', at: now().toISOString() };
  }
}
