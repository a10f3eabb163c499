import { describe, expect, test } from '@jest/globals';
import { createDynamoClient, createSdkDynamo } from '../../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable } from '../../../../shared/db/table.ts';
import { createTestTable } from '../../../support/engines/test-table.ts';
import { limitClient } from './limit-client.ts';
import { createPartitionLimits } from './partition-limits.ts';

describe('a client behind limits', () => {
  /** Each pause of the table lets `pauseMs` pass. */
  async function open({ pauseMs = 0 } = {}) {
    const { table: beside, tableName } = await createTestTable();
    const client = createDynamoClient({ maxAttempts: 1 });
    let clock = 0;
    const wait = async () => {
      clock += pauseMs;
    };
    const table = createTable({ tableName, dynamo: createSdkDynamo(client), wait });
    const limits = createPartitionLimits({ now: () => clock });
    limitClient(client, { limits, items: {}, table: beside });
    const close = (place: 'table' | 'pending', partition: string, kind: 'read' | 'write' = 'write') =>
      limits.charge([{ place, partition, kind, units: 4000 }]);
    return { table, limits, close, pass: (milliseconds: number) => (clock += milliseconds) };
  }
  const item = { pk: 'A', sk: '1', pendingPk: 'PENDING#1', pendingSk: '1' };

  test('is throttled by the partition of the table and of each index, each counted, and let in again', async () => {
    for (const [place, partition] of [
      ['table', 'A'],
      ['pending', 'PENDING#1'],
    ] as const) {
      const { table, limits, close, pass } = await open();
      close(place, partition);
      const put = { put: { Item: item } };
      await expect(table.transact([put, { put: { Item: { pk: 'B', sk: '1' } } }])).rejects.toMatchObject({
        code: 'dependency_unavailable',
      });
      await expect(table.write(put)).rejects.toMatchObject({ code: 'dependency_unavailable' });
      expect(limits.throttled()).toMatchObject([{ place, partition }]);
      pass(4000);
      await table.transact([put]);
      expect(await table.get({ pk: 'A', sk: '1' })).toEqual(item);
    }
  });

  test('gets of a batch what stands in other partitions, and the rest when there is room', async () => {
    const { table, limits, close } = await open({ pauseMs: 2000 });
    await table.transact([{ put: { Item: item } }, { put: { Item: { pk: 'B', sk: '1' } } }]);
    close('table', 'A', 'read');
    const found = await table.batchGet([item, { pk: 'B', sk: '1' }]);
    expect(found.map(({ pk }) => pk)).toEqual(['B', 'A']);
    expect(limits.throttled()).toEqual([{ place: 'table', partition: 'A', kind: 'read', times: 1 }]);
    expect(limits.taken().filter(({ kind }) => kind === 'read')).toMatchObject([{ units: 4001 }, { partition: 'B', units: 1 }]);
  });

  test('takes what the engine says it takes', async () => {
    const { table, limits } = await open();
    await table.transact([
      { put: { Item: item } },
      { check: { Key: { pk: 'B', sk: '1' }, ConditionExpression: 'attribute_not_exists(pk)' } },
    ]);
    await table.write({
      update: { Key: { pk: 'A', sk: '1' }, UpdateExpression: 'SET pendingSk = :two', ExpressionAttributeValues: { ':two': '2' } },
    });
    await table.write({ delete: { Key: { pk: 'A', sk: '1' } } });
    await table.get({ pk: 'B', sk: '1' });
    const taken = Object.fromEntries(limits.taken().map(({ place, partition, kind, units }) => [`${place} ${partition} ${kind}`, units]));
    expect(taken).toEqual({ 'table A write': 4, 'table B write': 2, 'pending PENDING#1 write': 4, 'table B read': 1 });
  });
});
