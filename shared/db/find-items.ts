import type * as z from 'zod/mini';
import type { Key } from './keys.ts';
import type { Item, Table } from './table.ts';

/** The item under the key, as its schema has it; undefined when there is none. */
export async function findItem<Parsed>(table: Table, key: Key, schema: z.ZodMiniType<Parsed>): Promise<Parsed | undefined> {
  const item = await table.get(key);
  return item && schema.parse(item);
}

/** Those that there are under the keys, in the order of these: 100 a request. */
export async function findItems<Parsed>(table: Table, keys: readonly Key[], schema: z.ZodMiniType<Parsed>): Promise<Parsed[]> {
  const itemAt = itemsByKey(await table.batchGet(keys));
  return keys.flatMap((key) => itemAt(key) ?? []).map((item) => schema.parse(item));
}

/** Finds an item among those that were read. */
export function itemsByKey(items: readonly Item[]): (key: Key) => Item | undefined {
  const nameOf = ({ pk, sk }: Item | Key) => `${pk} ${sk}`;
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  return (key) => byName.get(nameOf(key));
}
