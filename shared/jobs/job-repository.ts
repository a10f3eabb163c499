import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { createDeadJobs } from './dead-job-repository.ts';
import { createDueJobs } from './due-job-repository.ts';
import type { JobTask } from './job.ts';
import { createJobLeases } from './job-lease-repository.ts';
import { createLateJobs } from './late-job-repository.ts';
import { newJob } from './new-job.ts';

export type JobRepository = ReturnType<typeof createJobRepository>;

/** Jobs as records: added here and by the transactions that cause them, leased by workers, found again by the sweeper and operators. */
export function createJobRepository({ table, now = () => new Date() }: { table: Table; now?: (() => Date) | undefined }) {
  return {
    ...createJobLeases({ table, now }),
    ...createDueJobs({ table, now }),
    ...createDeadJobs({ table, now }),
    ...createLateJobs({ table, now }),

    /**
     * Writes a job that becomes due in `delaySeconds` plus the time the queue has to
     * deliver it. An unfinished job of the same task is started anew.
     */
    addJob(task: JobTask, delaySeconds = 0): Write {
      return { put: { Item: newJob(task, now(), { delaySeconds }) } };
    },

    /** Like `addJob`, but fails when the job is there already. */
    addJobOnce(task: JobTask, onConditionFailed?: () => Error): Write {
      return { put: { Item: newJob(task, now()), ...ifAbsent }, onConditionFailed };
    },

    /**
     * Makes the job due now, whether it is new, waits for a later time, is dead or runs. Its run is not disturbed:
     * it cannot finish the job any more, and goes on after `renewLease`. `leaseSeconds` is how long a run holds the job,
     * `payload` what its next run is to know in the place of what the last one left. See "A job that is woken" in README.md
     */
    wakeJob(task: JobTask, leaseSeconds: number, payload?: Item): Write {
      // Were it due within a lease, the sweeper would take it from its worker.
      const { pk, sk, ...job } = newJob(task, now(), { grace: leaseSeconds });
      const fields: Item = { ...job, ...(payload && { payload }) };
      const names = Object.keys(fields);
      return {
        update: {
          Key: { pk, sk },
          UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} REMOVE listPk, listSk`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, fields[name]])),
        },
      };
    },
  };
}
