import { expect, test } from '@jest/globals';
import { type Item, ifAbsent } from '../../shared/db/table.ts';
import { createTestTable } from '../support/engines/test-table.ts';

test('a write that fails returns the item that was there, alone and in a transaction', async () => {
  const { table } = await createTestTable();
  const item = { pk: 'X', sk: 'X', state: 'taken', count: 2 };
  await table.write({ put: { Item: item } });
  const seen: (Item | undefined)[] = [];
  const again = {
    put: { Item: item, ...ifAbsent },
    onConditionFailed: (old: Item | undefined) => {
      seen.push(old);
      return new Error('taken');
    },
  };
  await expect(table.write(again)).rejects.toThrow('taken');
  await expect(table.transact([again])).rejects.toThrow('taken');
  expect(seen).toEqual([item, item]);
});

test('a query is bounded below, above and both, without what is at the lower bound', async () => {
  const { table } = await createTestTable();
  for (const sk of ['a', 'b', 'c', 'd']) await table.write({ put: { Item: { pk: 'P', sk } } });
  const keysOf = async (range: { after?: string; upTo?: string; prefix?: string }) =>
    (await table.query({ partition: 'P', ...range })).items.map(({ sk }) => sk);
  expect(await keysOf({ after: 'b' })).toEqual(['c', 'd']);
  expect(await keysOf({ upTo: 'b' })).toEqual(['a', 'b']);
  expect(await keysOf({ after: 'a', upTo: 'c' })).toEqual(['b', 'c']);
  expect(await keysOf({ after: 'b', prefix: 'c' })).toEqual(['c']);
});
