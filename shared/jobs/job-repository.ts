/** Jobs as records: added here and by the transactions that cause them, leased by workers, found again by the sweeper and operators. */

import type { Needs } from '../context.ts';
import { type Item, ifAbsent, type Write } from '../db/table.ts';
import type { JobTask } from './job.ts';
import { newJob } from './new-job.ts';

/**
 * Writes a job that becomes due in `delaySeconds` plus the time the queue has to
 * deliver it. An unfinished job of the same task is started anew.
 */
export function addJob(c: Needs<'now'>, task: JobTask, delaySeconds = 0): Write {
  return { put: { Item: newJob(task, c.now(), { delaySeconds }) } };
}

/** Like `addJob`, but fails when the job is there already. */
export function addJobOnce(c: Needs<'now'>, task: JobTask, onConditionFailed?: () => Error): Write {
  return { put: { Item: newJob(task, c.now()), ...ifAbsent }, onConditionFailed };
}

/**
 * Makes the job due now, whether it is new, scheduled, dead or running. A running job is not interrupted: it can no
 * longer finish the job, and continues after `renewLease`. `leaseSeconds` is how long a run holds the job, `payload`
 * what its next run is to know in the place of what the last one left. See "A job that is woken" in running.md
 */
export function wakeJob(c: Needs<'now'>, task: JobTask, leaseSeconds: number, payload?: Item): Write {
  // Were it due within a lease, the sweeper would take it from its worker.
  const { pk, sk, ...job } = newJob(task, c.now(), { grace: leaseSeconds });
  const fields: Item = { ...job, ...(payload && { payload }) };
  const names = Object.keys(fields);
  return {
    update: {
      Key: { pk, sk },
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} REMOVE listPk, listSk, notBefore`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, fields[name]])),
    },
  };
}
