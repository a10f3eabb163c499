import { decodeCursor, encodeCursor } from './cursor.ts';
import { type ListName, listPartitions } from './keys.ts';
import type { Item, Table } from './table.ts';

export interface PageRequest {
  /** At most this many items; 1–100. */
  limit: number;
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor?: string | undefined;
}

/** A page of a list that is spread over shards, in the order of its sort keys. */
export async function listAcrossShards(table: Table, list: ListName, request: PageRequest & { newestFirst: boolean }): Promise<Page<Item>> {
  const { limit, cursor, newestFirst } = request;
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const shards = await Promise.all(
    listPartitions(list).map((partition) => table.query({ index: 'list', partition, after, limit, newestFirst })),
  );
  const sortKey = (item: Item) => String(item['listSk']);
  const direction = newestFirst ? -1 : 1;
  const merged = shards.flatMap((shard) => shard.items).sort((a, b) => (sortKey(a) < sortKey(b) ? -direction : direction));
  const items = merged.slice(0, limit);
  const last = items.at(-1);
  const more = merged.length > limit || shards.some((shard) => shard.more);
  return { items, nextCursor: more && last ? encodeCursor(list, sortKey(last)) : undefined };
}

/** A page of the items of one partition whose sort keys share a prefix. `list` names it in the cursor. */
export async function listOfPartition(
  table: Table,
  list: string,
  range: { pk: string; prefix: string },
  request: PageRequest & { newestFirst: boolean },
): Promise<Page<Item>> {
  return listOfPartitions(table, list, [range], request, ([first]) => first);
}

/**
 * A page of several partitions, merged in the order of their sort keys, which share a prefix.
 * Of the items that have the same sort key only the one that `choose` picks is listed.
 */
export async function listOfPartitions(
  table: Table,
  list: string,
  ranges: readonly { pk: string; prefix: string }[],
  request: PageRequest & { newestFirst: boolean },
  choose: (sameKey: readonly Item[]) => Item | undefined,
): Promise<Page<Item>> {
  const { limit, cursor, newestFirst } = request;
  const prefix = ranges[0]?.prefix ?? '';
  const after = cursor === undefined ? undefined : prefix + decodeCursor(list, cursor);
  const pages = await Promise.all(ranges.map(({ pk }) => table.query({ partition: pk, prefix, after, limit, newestFirst })));
  const bySortKey = Map.groupBy(
    pages.flatMap((page) => page.items),
    (item) => String(item['sk']),
  );
  const sortKeys = [...bySortKey.keys()].sort();
  const shown = (newestFirst ? sortKeys.reverse() : sortKeys).slice(0, limit);
  const last = shown.at(-1);
  const more = sortKeys.length > limit || pages.some((page) => page.more);
  return {
    items: shown.map((sortKey) => choose(bySortKey.get(sortKey) ?? [])).filter((item) => item !== undefined),
    nextCursor: more && last !== undefined ? encodeCursor(list, last.slice(prefix.length)) : undefined,
  };
}

/** A filtered page reads on for this many requests before it comes back short. */
const filterRounds = 10;

/** A page of those items of `readPage` that `keep` says; it may be short and still have a next one. */
export async function filteredPage<T>(
  { limit, cursor }: PageRequest,
  keep: (item: T) => boolean,
  readPage: (request: PageRequest) => Promise<Page<T>>,
): Promise<Page<T>> {
  const items: T[] = [];
  let nextCursor = cursor;
  for (let round = 0; round < filterRounds; round += 1) {
    const page = await readPage({ limit: limit - items.length, cursor: nextCursor });
    items.push(...page.items.filter(keep));
    nextCursor = page.nextCursor;
    if (nextCursor === undefined || items.length === limit) break;
  }
  return { items, nextCursor };
}
