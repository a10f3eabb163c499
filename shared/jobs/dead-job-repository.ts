import { countAcross } from '../db/count-items.ts';
import { jobKey, listPartitions, pendingKey } from '../db/keys.ts';
import { listAcrossShards, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table, Write } from '../db/table.ts';
import { Job } from './job.ts';

/** Jobs that nobody tries any more, for operators. */
export function createDeadJobs({ table, now }: { table: Table; now: () => Date }) {
  async function listDeadJobs(request: PageRequest): Promise<Page<Job>> {
    const page = await listAcrossShards(table, 'dead-jobs', { ...request, newestFirst: false });
    return { ...page, items: page.items.map((item) => Job.parse(item)) };
  }

  /** Makes a dead job due now, with no attempt counted. */
  function redriveDead(id: string, onConditionFailed?: () => Error): Write {
    const dueAt = now().toISOString();
    const { pendingPk, pendingSk } = pendingKey(id, dueAt);
    return {
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
      onConditionFailed,
    };
  }

  return {
    listDeadJobs,
    redriveDead,

    /** How many jobs are dead, as far as `most`. */
    countDeadJobs: (most: number): Promise<number> => countAcross(table, listPartitions('dead-jobs'), { index: 'list', most }),

    /** Every dead job, the first that died first. */
    async *eachDeadJob(): AsyncGenerator<Job> {
      let cursor: string | undefined;
      do {
        const page = await listDeadJobs({ limit: 100, cursor });
        yield* page.items;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },

    /** Makes a dead job due now, with no attempt counted. @throws ConditionFailedError when it is not dead */
    redriveJob: async (id: string): Promise<Job> => Job.parse(await table.write(redriveDead(id))),
  };
}
