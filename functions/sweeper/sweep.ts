import * as z from 'zod/mini';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';

/** `resume`: nothing runs yet, so no lease of an earlier life is honoured. */
const SweepEvent = z.object({ resume: z._default(z.boolean(), false) });

/** Sends every job that is due to its worker once more. Source: decisions.md §7 "Pending work". */
export function createSweep({ jobs, sender, logger }: { jobs: JobRepository; sender: JobSender; logger: Logger }) {
  return async (event: unknown): Promise<{ sent: number }> => {
    const { resume } = z.parse(SweepEvent, event);
    const due = await jobs.takeDueJobs({ evenIfLeased: resume });
    await Promise.all(due.map((job) => sender.sendJob(job.kind, job.ref)));
    if (due.length > 0) logger.info('jobs_sent_again', { sent: due.length });
    return { sent: due.length };
  };
}
