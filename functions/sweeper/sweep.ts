import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { takeDueJobs } from '../../shared/jobs/due-job-repository.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { settleAll } from '../../shared/jobs/settle-all.ts';

/** `resume`: no worker runs yet, so leases from before the outage are ignored. */
const SweepEvent = z.object({ resume: z._default(z.boolean(), false) });

export interface SweepResult {
  sent: number;
  /** How often a shard could not be read, or a job not be moved or sent. */
  failed: number;
}

/** What one pass found: besides what it did, since when the longest waiting job was due, unless not all could be looked at. */
interface Pass extends SweepResult {
  dueSince: readonly string[] | undefined;
}

/** The longest a pass may take, or a part of the walk; a further one begins only while that much time is left. */
const passMs = 10_000;

async function pass(c: Needs<'table' | 'now' | 'logger' | 'sendJobOrFail'>, evenIfLeased: boolean): Promise<Pass> {
  let notTaken = 0;
  const due = await takeDueJobs(c, {
    evenIfLeased,
    onFailure(error) {
      notTaken += 1;
      c.logger.error('job_not_taken', { error });
    },
  });
  const outcomes = await settleAll(due, (value) => send(c, value));
  const sent = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
  const dueSince = notTaken === 0 ? due.map((job) => job.dueSince ?? job.dueAt) : undefined;
  return { sent, failed: notTaken + due.length - sent, dueSince };
}

async function send(c: Needs<'logger' | 'sendJobOrFail'>, { id, task }: Job): Promise<void> {
  try {
    await c.sendJobOrFail(task);
  } catch (error) {
    c.logger.error('job_not_sent', { jobId: id, error });
    throw error;
  }
}

interface Walking {
  /** Puts what waited before there was a queue into it, while it may go on. */
  fillQueue: (hasTimeLeft: () => boolean) => Promise<void>;
}

/** Needed only for items that were waiting before the queue existed. */
async function fill(c: Needs<'logger'> & Walking, hasTimeLeft: () => boolean): Promise<void> {
  try {
    await c.fillQueue(hasTimeLeft);
  } catch (error) {
    c.logger.warn('queue_not_filled', { error });
  }
}

/**
 * Sends the message of every job that is due again. A failure does not affect other jobs: it is logged and counted, and
 * a later sweep retries it. See "The sweeper" in shared/jobs/running.md
 */
export async function sweep(
  c: Needs<'table' | 'now' | 'logger' | 'sendJobOrFail'> & Walking,
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<SweepResult> {
  const { resume } = z.parse(SweepEvent, event);
  const isTimeLeft = () => context.getRemainingTimeInMillis() >= passMs;
  const total = { sent: 0, failed: 0 };
  let evenIfLeased = resume;
  let dueSince: readonly string[] | undefined = [];
  let isOver = false;
  while (!isOver) {
    const found = await pass(c, evenIfLeased);
    const { sent, failed } = found;
    total.sent += sent;
    total.failed += failed;
    dueSince = dueSince && found.dueSince && [...dueSince, ...found.dueSince];
    evenIfLeased = false;
    isOver = sent === 0 || !isTimeLeft();
  }
  if (total.sent > 0) c.logger.info('jobs_sent_again', { ...total });
  if (dueSince) c.logger.info('sweep_finished', { oldestDueSeconds: maxWaitSeconds(dueSince, c.now()) });
  await fill(c, isTimeLeft);
  return total;
}

/** How many seconds ago the first of these times was; 0 when there is none. */
function maxWaitSeconds(times: readonly string[], now: Date): number {
  const waits = times.map((time) => Math.floor((now.getTime() - Date.parse(time)) / 1000));
  return Math.max(0, ...waits);
}
