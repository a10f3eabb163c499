import * as z from 'zod/mini';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';

/** `resume`: no worker runs yet, so leases from before the outage are ignored. */
const SweepEvent = z.object({ resume: z._default(z.boolean(), false) });

/** The longest a pass may take; a further one begins only while that much time is left. */
const passMs = 10_000;

/** Sends the message of every job that is due again. See "The sweeper" in shared/jobs/README.md */
export function createSweep({ jobs, sender, logger }: { jobs: JobRepository; sender: JobSender; logger: Logger }) {
  async function pass(evenIfLeased: boolean): Promise<number> {
    const due = await jobs.takeDueJobs({ evenIfLeased });
    await Promise.all(due.map((job) => sender.sendJob(job.task)));
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
