import * as z from 'zod/mini';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';

/** `resume`: nothing runs yet, so no lease of an earlier life is honoured. */
const SweepEvent = z.object({ resume: z._default(z.boolean(), false) });

/** What a pass may take at most; one is only begun when it will be over in time. */
const passMs = 10_000;

/** Sends every job that is due to its worker once more. Source: decisions.md §7 "Pending work". */
export function createSweep({ jobs, sender, logger }: { jobs: JobRepository; sender: JobSender; logger: Logger }) {
  async function pass(evenIfLeased: boolean): Promise<number> {
    const due = await jobs.takeDueJobs({ evenIfLeased });
    await Promise.all(due.map((job) => sender.sendJob(job.kind, job.ref)));
    return due.length;
  }

  return async (event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<{ sent: number }> => {
    const { resume } = z.parse(SweepEvent, event);
    let sent = 0;
    for (let taken = await pass(resume); taken > 0; taken = await pass(false)) {
      sent += taken;
      if (context.getRemainingTimeInMillis() < passMs) break;
    }
    if (sent > 0) logger.info('jobs_sent_again', { sent });
    return { sent };
  };
}
