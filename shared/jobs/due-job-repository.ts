/** Finds the jobs that wait and are due, for the sweeper. See "The sweeper" in running.md */

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { dueBy, jobKey, pendingKey, pendingPartitions } from '../db/keys.ts';
import { writeIfHolds } from '../db/table.ts';
import { Job } from './job.ts';
import { graceSeconds, secondsAfter } from './new-job.ts';
import { settleAll } from './settle-all.ts';

/** The fields needed to reschedule a job, even one whose task this version does not know. */
const DueJob = z.object({ id: z.string(), dueAt: z.string(), createdAt: z.string() });
type DueJob = z.infer<typeof DueJob>;

interface TakeOptions {
  evenIfLeased?: boolean;
  limitPerShard?: number;
  onFailure?: (error: unknown) => void;
}

/** Returns the job, or undefined when another sweep or a worker has it. */
async function moveDueTime(c: Needs<'table' | 'now'>, job: DueJob, sweep: string, evenIfLeased: boolean): Promise<Job | undefined> {
  const dueAt = secondsAfter(c.now(), graceSeconds);
  const { pendingSk } = pendingKey(job.id, dueAt);
  const update = {
    Key: jobKey(job.id),
    // Whether a lease has run out is judged by the worker that comes.
    UpdateExpression: `SET dueAt = :dueAt, pendingSk = :pendingSk, sweptBy = :sweep, dueSince = if_not_exists(dueSince, :seen)${evenIfLeased ? ' REMOVE leasedUntil, notBefore' : ''}`,
    ConditionExpression: '#state = :waiting AND dueAt = :seen',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':dueAt': dueAt, ':pendingSk': pendingSk, ':sweep': sweep, ':waiting': 'waiting', ':seen': job.dueAt },
  };
  const item = await writeIfHolds(c.table, { update }, (old) => old['sweptBy'] === sweep && old['dueAt'] === dueAt);
  return item && Job.parse(item);
}

/**
 * Jobs that are due. The due time of each is moved, so that the next sweep does not take it
 * before the queue had time to deliver it. With `evenIfLeased` it takes every waiting job that
 * may begin: after an outage no worker holds a lease.
 *
 * What cannot be read or moved keeps nothing else back: `onFailure` is told of each, and
 * without it the first is thrown once the rest is taken.
 */
export async function takeDueJobs(
  c: Needs<'table' | 'now'>,
  { evenIfLeased = false, limitPerShard = 100, onFailure = rethrow }: TakeOptions = {},
): Promise<Job[]> {
  const upTo = evenIfLeased ? undefined : dueBy(c.now().toISOString());
  const sweep = randomUUID();
  const shards = await settleAll(pendingPartitions(), async (partition) => {
    const { items } = await c.table.query({ index: 'pending', partition, upTo, limit: limitPerShard });
    return settleAll(items, async (item) => {
      const job = DueJob.parse(item);
      return job.createdAt <= c.now().toISOString() ? moveDueTime(c, job, sweep, evenIfLeased) : undefined;
    });
  });
  const outcomes = shards.flatMap((shard) => (shard.status === 'fulfilled' ? shard.value : [shard]));
  for (const outcome of outcomes) if (outcome.status === 'rejected') onFailure(outcome.reason);
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : []));
}

function rethrow(error: unknown): never {
  throw error;
}
