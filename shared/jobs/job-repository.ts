import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { dueBy, jobKey, listKey, pendingKey, pendingPartitions } from '../db/keys.ts';
import { listAcrossShards, type Page, type PageRequest } from '../db/sharded-list.ts';
import { ConditionFailedError, type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { settleAll } from '../settle-all.ts';
import { Job, type JobTask } from './job.ts';
import { graceSeconds, newJob } from './new-job.ts';

/** Holds while no other worker has taken the job since this one leased it. */
const heldLease = (job: Job, values: Record<string, unknown> = {}) => ({
  ConditionExpression: 'attempts = :attempts AND createdAt = :createdAt',
  ExpressionAttributeValues: { ...values, ':attempts': job.attempts, ':createdAt': job.createdAt },
});

/** What moving a job takes of it, even of one whose task this version does not know. */
const DueJob = z.object({ id: z.string(), dueAt: z.string(), createdAt: z.string() });
type DueJob = z.infer<typeof DueJob>;

interface TakeOptions {
  evenIfLeased?: boolean;
  limitPerShard?: number;
  onFailure?: (error: unknown) => void;
}

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();

/** The lease ran out, and another worker leased the job since, or finished it. */
export class LeaseLostError extends Error {}

export type JobRepository = ReturnType<typeof createJobRepository>;

export function createJobRepository({ table, now = () => new Date() }: { table: Table; now?: () => Date }) {
  return {
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

    /**
     * Puts a leased job off until `delaySeconds` have passed, with no attempt counted; `payload` is what its next run
     * is to know. @throws LeaseLostError also when it was woken meanwhile
     */
    sleepJob(job: Job, delaySeconds: number, payload?: Item): Write {
      const asleep = { ...newJob(job.task, now(), { delaySeconds }), payload };
      return { put: { Item: asleep, ...heldLease(job) }, onConditionFailed: () => new LeaseLostError() };
    },

    /** Takes a job that was woken while it was leased for further `seconds`; undefined when another worker has it. */
    renewLease: (job: Job, seconds: number): Promise<Job | undefined> =>
      lease(job.id, seconds, { ConditionExpression: 'leasedUntil = :held', ExpressionAttributeValues: { ':held': job.leasedUntil } }),

    /** Removes a leased job; part of the transaction that holds its effect. @throws LeaseLostError */
    finishJob(job: Job): Write {
      return {
        delete: {
          Key: jobKey(job.id),
          ...heldLease(job),
        },
        onConditionFailed: () => new LeaseLostError(),
      };
    },

    /** Takes the job for `seconds`, or returns undefined when it is done, dead, or another worker holds it. */
    leaseJob: (id: string, seconds: number): Promise<Job | undefined> =>
      lease(id, seconds, {
        ConditionExpression: '#state = :waiting AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now)',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':waiting': 'waiting', ':now': now().toISOString() },
      }),

    /** Gives a leased job back, to be due again in `delaySeconds`. */
    async postponeJob(job: Job, delaySeconds: number, failure: string): Promise<void> {
      const dueAt = later(now(), delaySeconds + graceSeconds);
      await unlessLeaseLost(
        table.write({
          update: {
            Key: jobKey(job.id),
            UpdateExpression: 'SET dueAt = :dueAt, pendingSk = :pendingSk, lastFailure = :failure REMOVE leasedUntil',
            ...heldLease(job, {
              ':dueAt': dueAt,
              ':pendingSk': pendingKey(job.id, dueAt).pendingSk,
              ':failure': failure,
            }),
          },
        }),
      );
    },

    /** Gives a leased job back as if it had not been started, to be due again in `delaySeconds`; its day is that much longer. */
    async deferJob(job: Job, delaySeconds: number, reason: string): Promise<void> {
      const dueAt = later(now(), delaySeconds + graceSeconds);
      await unlessLeaseLost(
        table.write({
          update: {
            Key: jobKey(job.id),
            UpdateExpression:
              'SET dueAt = :dueAt, pendingSk = :pendingSk, lastFailure = :reason, attempts = :before, createdAt = :begun REMOVE leasedUntil',
            ...heldLease(job, {
              ':dueAt': dueAt,
              ':pendingSk': pendingKey(job.id, dueAt).pendingSk,
              ':reason': reason,
              ':before': job.attempts - 1,
              // Moved by what was waited, which also makes it another lease than any before.
              ':begun': later(new Date(job.createdAt), delaySeconds),
            }),
          },
        }),
      );
    },

    /** Makes a leased job dead, out of the pending index; only `redriveJob` brings it back. */
    async markJobDead(job: Job, failure: string): Promise<void> {
      const { listPk, listSk } = listKey('dead-jobs', now().toISOString(), job.id);
      await unlessLeaseLost(
        table.write({
          update: {
            Key: jobKey(job.id),
            UpdateExpression:
              'SET #state = :dead, lastFailure = :failure, listPk = :listPk, listSk = :listSk REMOVE pendingPk, pendingSk, leasedUntil',
            ExpressionAttributeNames: { '#state': 'state' },
            ...heldLease(job, { ':dead': 'dead', ':failure': failure, ':listPk': listPk, ':listSk': listSk }),
          },
        }),
      );
    },

    /** Makes a dead job due now, with no attempt counted. @throws ConditionFailedError when it is not dead */
    async redriveJob(id: string): Promise<Job> {
      const dueAt = now().toISOString();
      const { pendingPk, pendingSk } = pendingKey(id, dueAt);
      const item = await table.write({
        update: {
          Key: jobKey(id),
          UpdateExpression:
            'SET #state = :waiting, attempts = :zero, dueAt = :now, createdAt = :now, pendingPk = :pendingPk, pendingSk = :pendingSk REMOVE listPk, listSk, leasedUntil',
          ConditionExpression: '#state = :dead',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: {
            ':waiting': 'waiting',
            ':dead': 'dead',
            ':zero': 0,
            ':now': dueAt,
            ':pendingPk': pendingPk,
            ':pendingSk': pendingSk,
          },
        },
      });
      return Job.parse(item);
    },

    /**
     * Jobs that are due. The due time of each is moved, so that the next sweep does not take it
     * before the queue had time to deliver it. With `evenIfLeased` it takes every waiting job that
     * may begin: after an outage no worker holds a lease.
     *
     * What cannot be read or moved keeps nothing else back: `onFailure` is told of each, and
     * without it the first is thrown once the rest is taken.
     */
    async takeDueJobs({ evenIfLeased = false, limitPerShard = 100, onFailure = rethrow }: TakeOptions = {}): Promise<Job[]> {
      const upTo = evenIfLeased ? undefined : dueBy(now().toISOString());
      const sweep = randomUUID();
      const shards = await settleAll(pendingPartitions(), async (partition) => {
        const { items } = await table.query({ index: 'pending', partition, upTo, limit: limitPerShard });
        return settleAll(items, async (item) => {
          const job = DueJob.parse(item);
          return job.createdAt <= now().toISOString() ? moveDueTime(job, sweep) : undefined;
        });
      });
      const outcomes = shards.flatMap((shard) => (shard.status === 'fulfilled' ? shard.value : [shard]));
      for (const outcome of outcomes) if (outcome.status === 'rejected') onFailure(outcome.reason);
      return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : []));
    },

    listDeadJobs,

    /** Every dead job, the first that died first. */
    async *eachDeadJob(): AsyncGenerator<Job> {
      let cursor: string | undefined;
      do {
        const page = await listDeadJobs({ limit: 100, cursor });
        yield* page.items;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
  };

  /** Takes the job for `seconds`; undefined when the condition does not hold. */
  async function lease(
    id: string,
    seconds: number,
    condition: { ConditionExpression: string; ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues: Item },
  ): Promise<Job | undefined> {
    const leasedUntil = later(now(), seconds);
    const { pendingSk } = pendingKey(id, leasedUntil);
    try {
      const item = await table.write({
        update: {
          Key: jobKey(id),
          UpdateExpression: 'SET leasedUntil = :until, dueAt = :until, pendingSk = :pendingSk ADD attempts :one REMOVE dueSince',
          ...condition,
          ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ':until': leasedUntil, ':pendingSk': pendingSk, ':one': 1 },
        },
      });
      return Job.parse(item);
    } catch (error) {
      if (error instanceof ConditionFailedError) return undefined;
      throw error;
    }
  }

  async function listDeadJobs(request: PageRequest): Promise<Page<Job>> {
    const page = await listAcrossShards(table, 'dead-jobs', { ...request, newestFirst: false });
    return { ...page, items: page.items.map((item) => Job.parse(item)) };
  }

  /** Returns the job, or undefined when another sweep or a worker has it. */
  async function moveDueTime(job: DueJob, sweep: string): Promise<Job | undefined> {
    const dueAt = later(now(), graceSeconds);
    try {
      const item = await table.write({
        update: {
          Key: jobKey(job.id),
          UpdateExpression:
            'SET dueAt = :dueAt, pendingSk = :pendingSk, sweptBy = :sweep, dueSince = if_not_exists(dueSince, :seen) REMOVE leasedUntil',
          ConditionExpression: '#state = :waiting AND dueAt = :seen',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: {
            ':dueAt': dueAt,
            ':pendingSk': pendingKey(job.id, dueAt).pendingSk,
            ':sweep': sweep,
            ':waiting': 'waiting',
            ':seen': job.dueAt,
          },
        },
      });
      return Job.parse(item);
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      // The client repeats a write whose answer was lost, and then meets what it wrote itself.
      const { old } = error;
      return old?.['sweptBy'] === sweep && old['dueAt'] === dueAt ? Job.parse(old) : undefined;
    }
  }
}

function rethrow(error: unknown): never {
  throw error;
}

async function unlessLeaseLost(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    // Another worker has the job, and records how it went.
    if (!(error instanceof ConditionFailedError)) throw error;
  }
}
