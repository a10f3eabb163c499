import type { Item } from '../../../shared/db/table.ts';
import type { TestTable } from './test-table.ts';

/** Every item of the table, in the order of their keys. */
export const readContents = async ({ readAll }: Pick<TestTable, 'readAll'>): Promise<Item[]> => Object.values(await readAll());

/** Deletes what the table itself would have deleted by then: every item whose `ttl` is over. */
export async function expireItems(place: Pick<TestTable, 'readAll' | 'table'>, at: Date): Promise<void> {
  for (const { pk, sk, ttl } of await readContents(place)) {
    if (typeof ttl === 'number' && ttl * 1000 <= at.getTime()) await place.table.write({ delete: { Key: { pk, sk } } });
  }
}
