import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob, sleepJob } from '../../shared/jobs/job-lease-repository.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { discardDead } from '../../shared/product-files/file-discards.ts';
import { fileAfterWithdrawal, maxUnusedSeconds, unusedSince } from '../../shared/product-files/file-states.ts';
import { isDead } from '../../shared/product-files/product-file.ts';
import { findFile, replaceFile } from '../../shared/product-files/product-file-repository.ts';
import { findVersion } from '../../shared/releases/release-repository.ts';

/** How often a file is looked at that may come to be unused: less than the time for which it may be. */
const lookAgainSeconds = 24 * 3600;

/** Withdraws a release's file that was in no release for a week, as its seller would; while it is in one, the job waits. */
export const withdrawUnusedFile = (c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS'>, job: Job<'withdraw-unused-file'>) =>
  retryOptimisticLock(async () => {
    const { productId, fileId } = job.task;
    const file = await findFile(c.table, productId, fileId);
    if (!file || isDead(file)) return void (await c.table.write(finishJob(job)));
    // An admin who disabled it may approve it again.
    if (file.status === 'disabled') return void (await c.table.write(sleepJob(c, job, lookAgainSeconds)));
    const since = unusedSince(file);
    if (since === undefined) {
      const release = file.releaseVersion === undefined ? undefined : await findVersion(c.table, productId, file.releaseVersion);
      // It may leave a draft at any time, and a published release never.
      return void (await c.table.write(release?.publishedAt ? finishJob(job) : sleepJob(c, job, lookAgainSeconds)));
    }
    const restSeconds = Math.ceil((Date.parse(since) - c.now().getTime()) / 1000) + maxUnusedSeconds;
    if (restSeconds > 0) return void (await c.table.write(sleepJob(c, job, restSeconds)));
    const next = fileAfterWithdrawal(file, c.now().toISOString());
    await c.table.transactOnce([
      finishJob(job),
      ...(await replaceFile(c.table, file, next)),
      ...discardDead(c, file, next),
      recordFileAudit(c, { actor: 'file-hasher', action: 'product_file.withdraw', before: file, after: next }),
    ]);
  });
