import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Needs } from '../../../shared/context.ts';
import { jobKey, listKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { listDeadJobs } from '../../../shared/jobs/dead-job-repository.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { callOps } from '../../support/call-command.ts';
import { createTestTable } from '../../support/engines/test-table.ts';

const task = (number: number): JobTask => ({ kind: 'project-event', eventId: `evt_${number}` });

describe('npm run ops', () => {
  let table: Table;
  let tableName: string;
  let c: Needs<'table' | 'now'>;
  const at = new Date('2026-01-31T09:00:00.000Z');

  beforeAll(async () => {
    ({ table, tableName } = await createTestTable());
    c = { table, now: () => at };
  });

  async function addDeadJobs(numbers: readonly number[]): Promise<string[]> {
    const ids = numbers.map((number) => jobId(task(number)));
    for (let start = 0; start < ids.length; start += 90) {
      const writes = ids.slice(start, start + 90).map((id) => {
        const dead = {
          id,
          state: 'dead',
          attempts: 12,
          dueAt: at.toISOString(),
          createdAt: at.toISOString(),
          lastFailure: 'amount_differs',
        };
        return { put: { Item: { ...jobKey(id), ...listKey('dead-jobs', at.toISOString(), id), ...dead } } };
      });
      await table.transact(writes);
    }
    return ids;
  }

  const ops = (...args: string[]) =>
    callOps(args, { TABLE_NAME: tableName, STAGE: 'local', AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'] });
  const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

  test('redrive --all makes every dead job due now, with all its attempts, however many there are', async () => {
    const ids = await addDeadJobs(numbersFrom(0, 230));
    const listed = await ops('dead-letters');
    expect(listed.lines.at(-1)).toBe('230 dead');
    expect(listed.lines[0]).toMatch(/^project-event:evt_\d+ {2}amount_differs {2}attempts 12 {2}since 2026-01-31T09:00:00.000Z$/);
    const { status, lines } = await ops('redrive', '--all');
    expect({ status, lines: lines.toSorted() }).toEqual({
      status: 0,
      lines: ids.map((id) => `${id} is due; the next sweep sends it`).toSorted(),
    });
    expect((await ops('dead-letters')).lines).toEqual(['0 dead']);
    const due = await takeDueJobs({ table, now: () => new Date() });
    expect(due.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(new Set(due.map(({ attempts, state }) => `${state} ${attempts}`))).toEqual(new Set(['waiting 0']));
  });

  test('redrive brings back the dead among the jobs that it is given, and leaves every other as it is', async () => {
    const [first = '', second = '', third = ''] = await addDeadJobs(numbersFrom(1000, 3));
    await table.write(addJob(c, task(1001)));
    const before = await table.get(jobKey(second));
    const { status, lines } = await ops('redrive', second, first, 'project-event:evt_none');
    expect({ status, lines }).toEqual({
      status: 1,
      lines: [`${second} is not dead`, `${first} is due; the next sweep sends it`, 'project-event:evt_none is not dead'],
    });
    expect(await table.get(jobKey(second))).toEqual(before);
    expect((await listDeadJobs(table, { limit: 10 })).items.map(({ id }) => id)).toEqual([third]);
  });
});
