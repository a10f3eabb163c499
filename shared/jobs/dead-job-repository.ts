import { jobKey, pendingKey } from '../db/keys.ts';
import { listAcrossShards, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { Job } from './job.ts';

/** Jobs that nobody tries any more, for operators. */
export function createDeadJobs({ table, now }: { table: Table; now: () => Date }) {
  async function listDeadJobs(request: PageRequest): Promise<Page<Job>> {
    const page = await listAcrossShards(table, 'dead-jobs', { ...request, newestFirst: false });
    return { ...page, items: page.items.map((item) => Job.parse(item)) };
  }

  return {
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
  };
}
