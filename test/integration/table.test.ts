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
