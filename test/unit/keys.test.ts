import { describe, expect, test } from '@jest/globals';
import { codeStockKey, codeStockPartitions, listKey, listPartitions, pendingKey, pendingPartitions } from '../../shared/db/keys.ts';
import { newId } from '../../shared/ids.ts';

const at = '2026-01-31T09:00:00.000Z';
const productId = newId('product');
/** Ids of one moment: they differ in their random part alone. */
const ids = Array.from({ length: 4000 }, () => newId('order', new Date(at)));

describe('entries that many write at once', () => {
  test.each([
    ['lists', listPartitions('orders'), (id: string) => listKey('orders', at, id).listPk],
    ['pending jobs', pendingPartitions(), (id: string) => pendingKey(`project-event:${id}`, at).pendingPk],
    ['unsold codes', codeStockPartitions(productId), (id: string) => codeStockKey(productId, id).pk],
  ])('of %s are spread evenly over the partitions that are read', (_, partitions, partitionOf) => {
    const counts = new Map(partitions.map((partition) => [partition, 0]));
    for (const id of ids) counts.set(partitionOf(id), (counts.get(partitionOf(id)) ?? 0) + 1);
    expect([...counts.keys()]).toEqual(partitions);
    const even = ids.length / partitions.length;
    for (const count of counts.values()) expect(Math.abs(count - even)).toBeLessThan(even * 0.25);
  });
});
