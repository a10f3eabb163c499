import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { createFileDiscards } from '../../shared/product-files/file-discards.ts';
import { unusedSeconds, unusedSince, withdrawn } from '../../shared/product-files/file-states.ts';
import { isDead } from '../../shared/product-files/product-file.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import { createReleaseRepository } from '../../shared/releases/release-repository.ts';

/** How often a file is looked at that may come to be unused: less than the time for which it may be. */
const lookAgainSeconds = 24 * 3600;

/** Withdraws a release's file that was in no release for a week, as its seller would; while it is in one, the job waits. */
export function createWithdrawUnusedFile(options: {
  table: Table;
  discardAfterHours: number;
  now?: (() => Date) | undefined;
}): RunJob<'withdraw-unused-file'> {
  const { table, discardAfterHours, now = () => new Date() } = options;
  const files = createProductFileRepository({ table });
  const releases = createReleaseRepository({ table });
  const discards = createFileDiscards({ table, discardAfterHours, now });
  const audit = createAuditRepository({ table, now });
  const jobs = createJobRepository({ table, now });

  return (job) =>
    retryOptimisticLock(async () => {
      const { productId, fileId } = job.task;
      const file = await files.findFile(productId, fileId);
      if (!file || isDead(file)) return void (await table.write(jobs.finishJob(job)));
      // An admin who disabled it may approve it again.
      if (file.status === 'disabled') return void (await table.write(jobs.addJob(job.task, lookAgainSeconds)));
      const since = unusedSince(file);
      if (since === undefined) {
        const release = file.releaseVersion === undefined ? undefined : await releases.findVersion(productId, file.releaseVersion);
        // It may leave a draft at any time, and a published release never.
        return void (await table.write(release?.publishedAt ? jobs.finishJob(job) : jobs.addJob(job.task, lookAgainSeconds)));
      }
      const restSeconds = Math.ceil((Date.parse(since) - now().getTime()) / 1000) + unusedSeconds;
      if (restSeconds > 0) return void (await table.write(jobs.addJob(job.task, restSeconds)));
      const next = withdrawn(file, now().toISOString());
      await table.transactOnce([
        jobs.finishJob(job),
        ...(await files.replaceFile(file, next)),
        ...discards.discardDead(file, next),
        recordFileAudit(audit, { actor: 'file-hasher', action: 'product_file.withdraw', before: file, after: next }),
      ]);
    });
}
