import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { maxDelaySeconds } from '../../shared/jobs/job.ts';
import { finishJob, sleepJob } from '../../shared/jobs/job-lease-repository.ts';
import { secondsUntilSent, tallyRefusals } from '../../shared/seller-events/activation-tally.ts';
import { getTally, recordTally } from '../../shared/seller-events/activation-tally-repository.ts';
import { recordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { sellerEventData } from '../../shared/seller-events/seller-event.ts';

/** Sends one event for a license's folded refusals; this job exists while there are any. See "Folding" in shared/seller-events/README.md */
export async function tellRefusals(c: Needs<'table' | 'now' | 'sendJob'>, job: Job<'tell-refusals'>) {
  const { sellerId, licenseId } = job.task;
  const delay = await retryOptimisticLock(async () => {
    const tally = await getTally(c.table, sellerId, licenseId);
    const seconds = secondsUntilSent(tally, c.now());
    if (seconds > 0) {
      await c.table.write(sleepJob(c, job, seconds));
      return seconds;
    }
    const { next, data } = tallyRefusals(tally, c.now());
    const type = 'activation.refused';
    await c.table.transactOnce([
      finishJob(job),
      recordTally(c, sellerId, tally, next),
      recordEvent(c, sellerId, { type, data: sellerEventData[type].parse(data) }),
    ]);
    return undefined;
  });
  if (delay !== undefined && delay <= maxDelaySeconds) await c.sendJob(job.task, delay);
}
