import * as z from 'zod/mini';
import type { Table } from '../../shared/db/table.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { settleAll } from '../../shared/jobs/settle-all.ts';
import type { Logger } from '../../shared/logger.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createQueueWalk } from '../../shared/review-desk/queue-walk.ts';

/** `resume`: no worker runs yet, so leases from before the outage are ignored. */
const SweepEvent = z.object({ resume: z._default(z.boolean(), false) });

export interface Swept {
  sent: number;
  /** How often a shard could not be read, or a job not be moved or sent. */
  failed: number;
}

/** What one pass found: besides what it did, since when the longest waiting job was due, unless not all could be looked at. */
interface Pass extends Swept {
  dueSince: readonly string[] | undefined;
}

/** The longest a pass may take, or a part of the walk; a further one begins only while that much time is left. */
const passMs = 10_000;

/**
 * Sends the message of every job that is due again. What fails keeps nothing else back: it is
 * logged and counted, and comes again with a later sweep. See "The sweeper" in shared/jobs/README.md
 */
export function createSweep(options: { table: Table; sender: JobSender; logger: Logger; now?: (() => Date) | undefined }) {
  const { table, sender, logger, now = () => new Date() } = options;
  const jobs = createJobRepository({ table, now });
  const fillQueue = createQueueWalk({ table, now });

  async function pass(evenIfLeased: boolean): Promise<Pass> {
    let notTaken = 0;
    const due = await jobs.takeDueJobs({
      evenIfLeased,
      onFailure(error) {
        notTaken += 1;
        logger.error('job_not_taken', { error });
      },
    });
    const outcomes = await settleAll(due, send);
    const sent = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    const dueSince = notTaken === 0 ? due.map((job) => job.dueSince ?? job.dueAt) : undefined;
    return { sent, failed: notTaken + due.length - sent, dueSince };
  }

  async function send({ id, task }: Job): Promise<void> {
    try {
      await sender.sendJobOrFail(task);
    } catch (error) {
      logger.error('job_not_sent', { jobId: id, error });
      throw error;
    }
  }

  /** What waits for admins is found without it too, but for what waited before there was a queue. */
  async function fill(mayGoOn: () => boolean): Promise<void> {
    try {
      await fillQueue(mayGoOn);
    } catch (error) {
      logger.warn('queue_not_filled', { error });
    }
  }

  return async (event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<Swept> => {
    const { resume } = z.parse(SweepEvent, event);
    const isTimeLeft = () => context.getRemainingTimeInMillis() >= passMs;
    const total = { sent: 0, failed: 0 };
    let evenIfLeased = resume;
    let dueSince: readonly string[] | undefined = [];
    let isOver = false;
    while (!isOver) {
      const found = await pass(evenIfLeased);
      const { sent, failed } = found;
      total.sent += sent;
      total.failed += failed;
      dueSince = dueSince && found.dueSince && [...dueSince, ...found.dueSince];
      evenIfLeased = false;
      isOver = sent === 0 || !isTimeLeft();
    }
    if (total.sent > 0) logger.info('jobs_sent_again', { ...total });
    if (dueSince) logger.info('sweep_finished', { oldestDueSeconds: longestWait(dueSince, now()) });
    await fill(isTimeLeft);
    return total;
  };
}

/** How many seconds ago the first of these times was; 0 when there is none. */
function longestWait(times: readonly string[], now: Date): number {
  const waits = times.map((time) => Math.floor((now.getTime() - Date.parse(time)) / 1000));
  return Math.max(0, ...waits);
}
