import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import { longestDelay } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { afterRefusals, secondsUntilTold } from '../../shared/seller-events/activation-tally.ts';
import { createActivationTallyRepository } from '../../shared/seller-events/activation-tally-repository.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { sellerEventData } from '../../shared/seller-events/seller-event.ts';

/** Makes one event of the refusals of a license that were not told at once: while there are any, there is this job. See "Folding" in shared/seller-events/README.md */
export function createTellRefusals(options: { table: Table; sender: JobSender; now: () => Date }): RunJob<'tell-refusals'> {
  const { table, sender, now } = options;
  const jobs = createJobRepository({ table, now });
  const tallies = createActivationTallyRepository({ table, now });
  const recordEvent = createRecordEvent({ now });

  return async (job) => {
    const { sellerId, licenseId } = job.task;
    const delay = await retryOptimisticLock(async () => {
      const tally = await tallies.getTally(sellerId, licenseId);
      const seconds = secondsUntilTold(tally, now());
      if (seconds > 0) {
        await table.write(jobs.sleepJob(job, seconds));
        return seconds;
      }
      const { next, data } = afterRefusals(tally, now());
      const type = 'activation.refused';
      await table.transactOnce([
        jobs.finishJob(job),
        tallies.recordTally(sellerId, tally, next),
        recordEvent(sellerId, { type, data: sellerEventData[type].parse(data) }),
      ]);
      return undefined;
    });
    if (delay !== undefined && delay <= longestDelay) await sender.sendJob(job.task, delay);
  };
}
