/** Jobs that wait although they are due, for operators. */

import type { Needs } from '../context.ts';
import { dueBy, jobKey, pendingKey, pendingPartitions } from '../db/keys.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import type { Item, Table, Write } from '../db/table.ts';
import { Job, JobProgress } from './job.ts';
import { graceSeconds, secondsAfter } from './new-job.ts';

/** For how many requests, of 1 MB each, a shard is read. */
const maxReadRequests = 5;

/** For how long a job is due when it is late. */
export const lateSeconds = 600;

/** Since when a job is due, if it has been so for `lateSeconds` and no worker holds it; else undefined. See "Late jobs" in dead-jobs.md */
export function lateSince({ state, dueAt, dueSince = dueAt, leasedUntil }: JobProgress, now: Date): string | undefined {
  const isHeld = leasedUntil !== undefined && leasedUntil > now.toISOString();
  return state === 'waiting' && !isHeld && dueSince <= secondsAfter(now, -lateSeconds) ? dueSince : undefined;
}

/** What is due in a partition, and what a sweep has just put off. */
async function readDue(c: Needs<'table' | 'now'>, partition: string): Promise<Item[]> {
  const upTo = dueBy(secondsAfter(c.now(), 2 * graceSeconds));
  const found: Item[] = [];
  let after: string | undefined;
  for (let request = 0; request < maxReadRequests; request += 1) {
    const { items, more } = await c.table.query({ index: 'pending', partition, after, upTo });
    found.push(...items);
    after = more ? String(items.at(-1)?.['pendingSk']) : undefined;
    if (after === undefined) break;
  }
  return found;
}

/** Every late job with the time since when it is due, that which waits longest first: a request a shard, and one more for each further 1 MB that is due. */
export async function findLateJobs(c: Needs<'table' | 'now'>): Promise<{ job: JobProgress; since: string }[]> {
  const shards = await Promise.all(pendingPartitions().map((partition) => readDue(c, partition)));
  const late = shards.flat().flatMap((item) => {
    const job = JobProgress.parse(item);
    const since = lateSince(job, c.now());
    return since === undefined ? [] : [{ job, since }];
  });
  return late.sort((a, b) => (lateJobPlace(a) < lateJobPlace(b) ? -1 : 1));
}

/** The job as it is now; undefined when there is none, or none that this version knows. */
export async function findJob(table: Table, id: string): Promise<Job | undefined> {
  const found = Job.safeParse(await table.get(jobKey(id)));
  return found.success ? found.data : undefined;
}

/** Makes exactly the waiting job that was read due now. Changed since → OptimisticLockError. */
export function makeJobDue(c: Needs<'now'>, job: Job): Write {
  const dueAt = c.now().toISOString();
  return {
    update: {
      Key: jobKey(job.id),
      UpdateExpression: 'SET dueAt = :now, pendingSk = :pendingSk REMOVE dueSince, leasedUntil, notBefore',
      ConditionExpression: '#state = :waiting AND dueAt = :seen AND attempts = :attempts',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: {
        ':now': dueAt,
        ':pendingSk': pendingKey(job.id, dueAt).pendingSk,
        ':waiting': 'waiting',
        ':seen': job.dueAt,
        ':attempts': job.attempts,
      },
    },
    onConditionFailed: lockConflict,
  };
}

/** The sort key of late jobs; it does not change while a job waits. */
export const lateJobPlace = ({ job, since }: { job: JobProgress; since: string }) => `${since}#${job.id}`;
