/** Jobs that were given up, for operators. */

import type { Needs } from '../context.ts';
import { countAcross } from '../db/count-items.ts';
import { jobKey, listPartitions, pendingKey } from '../db/keys.ts';
import { listAcrossShards, type Page, type PageRequest, pagesOf, parsePage } from '../db/sharded-list.ts';
import type { Table, Write } from '../db/table.ts';
import { Job } from './job.ts';

export const listDeadJobs = async (table: Table, request: PageRequest): Promise<Page<Job>> =>
  parsePage(await listAcrossShards(table, 'dead-jobs', { ...request, newestFirst: false }), Job);

/** Makes a dead job due now, with no attempt counted. */
export function redriveDead(c: Needs<'now'>, id: string, onConditionFailed?: () => Error): Write {
  const dueAt = c.now().toISOString();
  const { pendingPk, pendingSk } = pendingKey(id, dueAt);
  return {
    update: {
      Key: jobKey(id),
      UpdateExpression:
        'SET #state = :waiting, attempts = :zero, dueAt = :now, createdAt = :now, pendingPk = :pendingPk, pendingSk = :pendingSk REMOVE listPk, listSk, leasedUntil, notBefore',
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

/** The number of dead jobs, up to `max`. */
export const countDeadJobs = (table: Table, max: number): Promise<number> =>
  countAcross(table, listPartitions('dead-jobs'), { index: 'list', most: max });

/** Every dead job, the first that died first. */
export async function* eachDeadJob(table: Table): AsyncGenerator<Job> {
  for await (const jobs of pagesOf((page) => listDeadJobs(table, page))) yield* jobs;
}

/** Makes a dead job due now, with no attempt counted. @throws ConditionFailedError when it is not dead */
export const redriveDeadJob = async (c: Needs<'table' | 'now'>, id: string): Promise<Job> =>
  Job.parse(await c.table.write(redriveDead(c, id)));
