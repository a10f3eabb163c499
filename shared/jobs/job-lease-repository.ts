/** What a worker does with a job that it has leased. See "Running a job" in shared/queue/README.md */

import { randomUUID } from 'node:crypto';
import type { Needs } from '../context.ts';
import { jobKey, listKey, pendingKey } from '../db/keys.ts';
import { type Item, type Write, writeIfHolds } from '../db/table.ts';
import { Job, LeaseLostError } from './job.ts';
import { graceSeconds, newJob, secondsAfter } from './new-job.ts';

type LeaseNeeds = Needs<'table' | 'now'>;

/** The message of a job that was put off may come to a worker whose clock is behind by so much. */
const clockSkewSeconds = 2;

/** Holds while no other worker has taken the job since this one leased it, and nobody has woken it. */
const heldLease = (job: Job, values: Record<string, unknown> = {}) => ({
  ConditionExpression: 'leasedBy = :held AND attempts = :attempts AND createdAt = :createdAt',
  ExpressionAttributeValues: { ...values, ':held': job.leasedBy, ':attempts': job.attempts, ':createdAt': job.createdAt },
});

/** Takes the job for `seconds`; undefined when the condition does not hold. */
async function lease(
  c: LeaseNeeds,
  id: string,
  seconds: number,
  condition: { ConditionExpression: string; ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues: Item },
): Promise<Job | undefined> {
  const leasedUntil = secondsAfter(c.now(), seconds);
  const { pendingSk } = pendingKey(id, leasedUntil);
  const leasedBy = randomUUID();
  const values = { ':until': leasedUntil, ':pendingSk': pendingSk, ':lease': leasedBy, ':one': 1 };
  const update = {
    Key: jobKey(id),
    UpdateExpression:
      'SET leasedUntil = :until, dueAt = :until, pendingSk = :pendingSk, leasedBy = :lease ADD attempts :one REMOVE dueSince, notBefore',
    ...condition,
    ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ...values },
  };
  const item = await writeIfHolds(c.table, { update }, (old) => old['leasedBy'] === leasedBy);
  return item && Job.parse(item);
}

/** Takes the job for `seconds`, or returns undefined when it is done, dead, put off until later, or another worker holds it. */
export const leaseJob = (c: Needs<'table' | 'now'>, id: string, seconds: number): Promise<Job | undefined> =>
  lease(c, id, seconds, {
    ConditionExpression:
      '#state = :waiting AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now) AND (attribute_not_exists(notBefore) OR notBefore <= :soon)',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':waiting': 'waiting', ':now': c.now().toISOString(), ':soon': secondsAfter(c.now(), clockSkewSeconds) },
  });

/** Takes a job that was woken while it was leased for further `seconds`; undefined when another worker has it. */
export const renewLease = (c: Needs<'table' | 'now'>, job: Job, seconds: number): Promise<Job | undefined> =>
  lease(c, job.id, seconds, { ConditionExpression: 'leasedUntil = :held', ExpressionAttributeValues: { ':held': job.leasedUntil } });

/** Removes a leased job; part of the transaction that holds its effect. @throws LeaseLostError */
export function finishJob(job: Job): Write {
  return { delete: { Key: jobKey(job.id), ...heldLease(job) }, onConditionFailed: () => new LeaseLostError() };
}

/** Gives a leased job back, to be due again in `delaySeconds`; `set` is what changes besides. */
async function giveBack(c: LeaseNeeds, job: Job, delaySeconds: number, failure: string, set = '', values: Item = {}): Promise<void> {
  const dueAt = secondsAfter(c.now(), delaySeconds + graceSeconds);
  const times = { ':dueAt': dueAt, ':pendingSk': pendingKey(job.id, dueAt).pendingSk, ':start': secondsAfter(c.now(), delaySeconds) };
  const given = { ...times, ':failure': failure, ...values };
  // Where the lease was lost another worker has the job, and records how it went.
  await writeIfHolds(c.table, {
    update: {
      Key: jobKey(job.id),
      UpdateExpression: `SET dueAt = :dueAt, pendingSk = :pendingSk, notBefore = :start, lastFailure = :failure${set} REMOVE leasedUntil`,
      ...heldLease(job, given),
    },
  });
}

/** Gives a leased job back, to be due again in `delaySeconds`. */
export const postponeJob = (c: LeaseNeeds, job: Job, delaySeconds: number, failure: string): Promise<void> =>
  giveBack(c, job, delaySeconds, failure);

/** Gives a leased job back as if it had not been started, to be due again in `delaySeconds`; its day is that much longer. */
export const deferJob = (c: LeaseNeeds, job: Job, delaySeconds: number, reason: string): Promise<void> =>
  giveBack(c, job, delaySeconds, reason, ', attempts = :before, createdAt = :begun', {
    ':before': job.attempts - 1,
    // Moved by what was waited, which also makes it another lease than any before.
    ':begun': secondsAfter(new Date(job.createdAt), delaySeconds),
  });

/**
 * Puts a leased job off until `delaySeconds` have passed, with no attempt counted; `payload` is what its next run
 * is to know. @throws LeaseLostError also when it was woken meanwhile
 */
export function sleepJob(c: Needs<'now'>, job: Job, delaySeconds: number, payload?: Item): Write {
  const asleep = { ...newJob(job.task, c.now(), { delaySeconds }), payload };
  return { put: { Item: asleep, ...heldLease(job) }, onConditionFailed: () => new LeaseLostError() };
}

/** Makes a leased job dead, out of the pending index; only `redriveJob` brings it back. */
export async function markJobDead(c: LeaseNeeds, job: Job, failure: string): Promise<void> {
  const at = c.now().toISOString();
  const { listPk, listSk } = listKey('dead-jobs', at, job.id);
  await writeIfHolds(c.table, {
    update: {
      Key: jobKey(job.id),
      UpdateExpression:
        'SET #state = :dead, dueAt = :at, lastFailure = :failure, listPk = :listPk, listSk = :listSk REMOVE pendingPk, pendingSk, leasedUntil',
      ExpressionAttributeNames: { '#state': 'state' },
      ...heldLease(job, { ':dead': 'dead', ':at': at, ':failure': failure, ':listPk': listPk, ':listSk': listSk }),
    },
  });
}
