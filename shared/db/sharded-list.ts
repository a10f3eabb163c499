import type * as z from 'zod/mini';
import { decodeCursor, encodeCursor, invalidCursor } from './cursor.ts';
import { type ListName, listPartitions } from './keys.ts';
import type { Item, Table } from './table.ts';

export interface PageRequest {
  /** At most this many items; 1–100. */
  limit: number;
  cursor?: string | undefined;
}

export interface OrderedRequest extends PageRequest {
  newestFirst: boolean;
}

export interface Page<T> {
  items: T[];
  nextCursor?: string | undefined;
}

/** The page with its items as `map` makes them. */
export const mapPage = <From, To>({ items, nextCursor }: Page<From>, map: (item: From) => To): Page<To> => ({
  items: items.map((item) => map(item)),
  nextCursor,
});

/** The same with the items as their schema has them. */
export const parsePage = <Parsed>(page: Page<Item>, schema: z.ZodMiniType<Parsed>): Page<Parsed> =>
  mapPage(page, (item) => schema.parse(item));

/** Every page of a list, one after the other. */
export async function* pagesOf<T>(list: (request: PageRequest) => Promise<Page<T>>, limit = 100): AsyncGenerator<T[]> {
  let cursor: string | undefined;
  do {
    const page = await list({ limit, cursor });
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** A page of a list that cannot have items, so no cursor for it can be valid. @throws AppError invalid_request */
export function emptyPage<T>({ cursor }: PageRequest): Page<T> {
  if (cursor !== undefined) throw invalidCursor();
  return { items: [] };
}

/** A page of a list that is spread over shards, in the order of its sort keys. See "Pages" in reads.md */
export async function listAcrossShards(table: Table, list: ListName, request: OrderedRequest): Promise<Page<Item>> {
  return listAcrossLists(table, list, [list], request, (items) => items);
}

/**
 * A page of several such lists, in the order of their sort keys; `name` stands for them in the cursor. They are read one
 * after the other, so that what moves from one to a later one while a page is read is on it: of the items that have the
 * same sort key those that `choose` picks.
 */
export async function listAcrossLists(
  table: Table,
  name: string,
  lists: readonly ListName[],
  request: OrderedRequest,
  choose: (sameKey: readonly Item[]) => readonly Item[],
): Promise<Page<Item>> {
  const { limit, cursor, newestFirst } = request;
  const after = cursor === undefined ? undefined : decodeCursor(name, cursor);
  const reads: { items: Item[]; more: boolean }[] = [];
  for (const list of lists) {
    const shards = listPartitions(list).map((partition) => table.query({ index: 'list', partition, after, limit: limit + 1, newestFirst }));
    reads.push(...(await Promise.all(shards)));
  }
  const { groups, more } = merge(reads, 'listSk', limit, newestFirst);
  const last = groups.at(-1)?.sortKey;
  return {
    items: groups.flatMap((group) => choose(group.items)),
    nextCursor: more && last !== undefined ? encodeCursor(name, last) : undefined,
  };
}

/** A page of the items of one partition whose sort keys share a prefix. `list` names it in the cursor. */
export async function listPartitionPage(
  table: Table,
  list: string,
  range: { pk: string; prefix: string },
  request: OrderedRequest,
): Promise<Page<Item>> {
  return listMergedPartitions(table, list, [range], request, ([first]) => first);
}

/** All items of one partition whose sort keys share a prefix, in their order: one request for each 1 MB that they take. */
export async function readPartition(table: Table, range: { pk: string; prefix: string }): Promise<Item[]> {
  const read: Item[] = [];
  for await (const items of partsOfPartition(table, range)) read.push(...items);
  return read;
}

/** The same, as many at a time as a request reads. */
export async function* partsOfPartition(table: Table, { pk: partition, prefix }: { pk: string; prefix: string }): AsyncGenerator<Item[]> {
  let after: string | undefined;
  do {
    const { items, more } = await table.query({ partition, prefix, after });
    yield items;
    after = more ? String(items.at(-1)?.['sk']) : undefined;
  } while (after !== undefined);
}

/**
 * A page of several partitions, merged in the order of their sort keys, which share a prefix.
 * Of the items that have the same sort key only the one that `choose` picks is listed.
 */
export async function listMergedPartitions(
  table: Table,
  list: string,
  ranges: readonly { pk: string; prefix: string }[],
  request: OrderedRequest,
  choose: (sameKey: readonly Item[]) => Item | undefined,
): Promise<Page<Item>> {
  const { limit, cursor, newestFirst } = request;
  const prefix = ranges[0]?.prefix ?? '';
  const after = cursor === undefined ? undefined : prefix + decodeCursor(list, cursor);
  const reads = ranges.map(({ pk }) => table.query({ partition: pk, prefix, after, limit: limit + 1, newestFirst }));
  const { groups, more } = merge(await Promise.all(reads), 'sk', limit, newestFirst);
  const last = groups.at(-1)?.sortKey;
  return {
    items: groups.map((group) => choose(group.items)).filter((item) => item !== undefined),
    nextCursor: more && last !== undefined ? encodeCursor(list, last.slice(prefix.length)) : undefined,
  };
}

/**
 * The first `limit` sort keys of what was read of several partitions, with their items.
 *
 * Where a partition holds more than a reply has room for (1 MB), what comes after its last
 * item is unknown; so nothing after that may be listed yet, from any partition.
 */
function merge(reads: readonly { items: Item[]; more: boolean }[], name: 'sk' | 'listSk', limit: number, newestFirst: boolean) {
  const sortKeyOf = (item: Item | undefined) => String(item?.[name]);
  const bySortKey = Map.groupBy(
    reads.flatMap((read) => read.items),
    sortKeyOf,
  );
  const inOrder = [...bySortKey].map(([sortKey, items]) => ({ sortKey, items })).sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
  if (newestFirst) inOrder.reverse();
  const horizons = reads.filter((read) => read.more).map((read) => sortKeyOf(read.items.at(-1)));
  const isHidden = (sortKey: string) => horizons.some((horizon) => (newestFirst ? sortKey < horizon : sortKey > horizon));
  const known = inOrder.filter(({ sortKey }) => !isHidden(sortKey)).slice(0, limit);
  const groups = limitToReplySize(known);
  return { groups, more: groups.length < inOrder.length || horizons.length > 0 };
}

/** What one page may hold in JSON, so that no reply outgrows the 6 MB a function may answer. */
const pageBytes = 2.5 * 1024 * 1024;

/** As many of the items as fit a page, at least one. */
export function limitToReplySize<T>(items: readonly T[]): T[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += sizeOf(item);
    return index > 0 && bytes > pageBytes;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

const sizeOf = (item: unknown) => Buffer.byteLength(JSON.stringify(item));

/** A filtered page reads on for this many requests before it comes back short. */
const filterRounds = 10;

/** A page of those items of `readPage` that `keep` accepts; it may be short and still have a next one. */
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
    if (nextCursor === undefined || items.length === limit || sizeOf(items) > pageBytes) break;
  }
  return { items, nextCursor };
}
