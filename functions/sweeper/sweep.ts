import * as z from 'zod/mini';
import type { Job } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { settleAll } from '../../shared/settle-all.ts';

/** `resume`: no worker runs yet, so leases from before the outage are ignored. */
const SweepEvent = z.object({ resume: z._default(z.boolean(), false) });

export interface Swept {
  sent: number;
  /** How often a shard could not be read, or a job not be moved or sent. */
  failed: number;
}

/** The longest a pass may take; a further one begins only while that much time is left. */
const passMs = 10_000;

/**
 * Sends the message of every job that is due again. What fails keeps nothing else back: it is
 * logged and counted, and comes again with a later sweep. See "The sweeper" in shared/jobs/README.md
 */
export function createSweep({ jobs, sender, logger }: { jobs: JobRepository; sender: JobSender; logger: Logger }) {
  async function pass(evenIfLeased: boolean): Promise<Swept> {
    let failed = 0;
    const due = await jobs.takeDueJobs({
      evenIfLeased,
      onFailure(error) {
        failed += 1;
        logger.error('job_not_taken', { error });
      },
    });
    const outcomes = await settleAll(due, send);
    const sent = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    return { sent, failed: failed + due.length - sent };
  }

  async function send({ id, task }: Job): Promise<void> {
    try {
      await sender.sendJobOrFail(task);
    } catch (error) {
      logger.error('job_not_sent', { jobId: id, error });
      throw error;
    }
  }

  return async (event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<Swept> => {
    const { resume } = z.parse(SweepEvent, event);
    const total = { sent: 0, failed: 0 };
    let evenIfLeased = resume;
    let isOver = false;
    while (!isOver) {
      const { sent, failed } = await pass(evenIfLeased);
      total.sent += sent;
      total.failed += failed;
      evenIfLeased = false;
      isOver = sent === 0 || context.getRemainingTimeInMillis() < passMs;
    }
    if (total.sent > 0) logger.info('jobs_sent_again', { ...total });
    return total;
  };
}
