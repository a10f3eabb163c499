import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { startTableStream } from '../../infra/local/lambda/table-stream.ts';
import { jobIdOfKey } from '../../shared/db/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import { newId } from '../../shared/ids.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { jobId } from '../../shared/jobs/new-job.ts';
import { recordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { eventually } from '../support/scenes/stack-harness.ts';

const newEvents = { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'JOB#publish-event:' }] } } } };

describe('the local stream of the table', () => {
  let table: Table;
  let stream: { stop(): Promise<void> } | undefined;
  let batches: string[][];
  beforeEach(async () => {
    ({ table } = await createTestTable());
    batches = [];
  });
  afterEach(() => stream?.stop());

  const told = () => batches.flat();
  function follow({ batchSize = 100, failing = 0 } = {}) {
    let left = failing;
    const invoke = async (event: unknown) => {
      const { Records } = event as DynamoDBStreamEvent;
      batches.push(Records.map(({ dynamodb }) => jobIdOfKey({ pk: dynamodb?.Keys?.['pk']?.S ?? '' })));
      left -= 1;
      if (left >= 0) throw new Error('It fails.');
      return { batchItemFailures: [] };
    };
    stream = startTableStream(table, { batchSize, patterns: [newEvents], invoke });
  }
  const until = (holds: () => boolean) => eventually('it comes to that', 10, async () => holds() || undefined);
  /** Records an event; the id of its job. */
  async function happen(): Promise<string> {
    const write = recordEvent({ now: () => new Date() }, newId('seller'), { type: 'test', data: { endpointId: newId('endpoint') } });
    await table.write(write);
    return 'put' in write ? String(write.put.Item?.['id']) : '';
  }

  test('tells of each new event once, in batches, and of no other job', async () => {
    const before = await happen();
    follow({ batchSize: 2 });
    const task = { kind: 'deliver-events', sellerId: newId('seller'), endpointId: newId('endpoint') } as const;
    await table.write(addJob({ now: () => new Date() }, task));
    const ids = [await happen(), await happen(), await happen()];
    await until(() => ids.every((id) => told().includes(id)));
    const last = await happen();
    await until(() => told().includes(last));
    const since = told().filter((id) => id !== before);
    expect(since.toSorted()).toEqual([...ids, last].toSorted());
    expect(told()).not.toContain(jobId(task));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(2);
  });

  test('tells again of what could not be handled', async () => {
    follow({ failing: 1 });
    const id = await happen();
    await until(() => told().length >= 2);
    expect(told()).toEqual([id, id]);
  });
});
