import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listKey } from '../../shared/db/keys.ts';
import {
  filteredPage,
  listAcrossLists,
  listAcrossShards,
  listMergedPartitions,
  listPartitionPage,
  type Page,
  type PageRequest,
} from '../../shared/db/sharded-list.ts';
import type { Item } from '../../shared/db/table.ts';
import { addProduct, listProductsOfSeller } from '../../shared/products/product-repository.ts';
import { tries } from '../support/depth.ts';
import { createTestTable, type TestTable } from '../support/engines/test-table.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { sampleSeller } from '../support/samples/sample-seller.ts';

/** A row of a list: when it was made (few times, so that many are equal) and its id. */
const row = fc.record({ at: fc.integer({ min: 10, max: 14 }).map((hour) => `2026-01-31T${hour}:00:00.000Z`), id: fc.uuid() });
type Row = { at: string; id: string };
const rows = (maxLength: number) => fc.uniqueArray(row, { maxLength, selector: ({ id }) => id });
const story = fc.record({ first: rows(20), added: fc.array(rows(3), { maxLength: 6 }), limit: fc.integer({ min: 1, max: 9 }) });

/** Reads a list to its end while rows are added between the pages. */
async function readAlong<T>(
  list: (request: PageRequest) => Promise<Page<T>>,
  limit: number,
  addSome: (page: number) => Promise<void> = async () => {},
): Promise<{ items: T[]; pages: number[] }> {
  const items: T[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit, cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
    await addSome(pages.length);
    pages.push(page.items.length);
  } while (cursor !== undefined && pages.length < 200);
  expect(cursor).toBeUndefined();
  return { items, pages };
}

const inOrder = (all: readonly Row[], newestFirst: boolean) => {
  const keys = all.map(({ at, id }) => `${at}#${id}`).sort();
  return newestFirst ? keys.reverse() : keys;
};

describe('paging', () => {
  let store: TestTable;
  beforeAll(async () => {
    store = await createTestTable();
  });

  /** What holds for every list: the first rows come once each and in order, and no row comes twice. */
  const holds = (
    put: (scope: string, row: Row) => Item,
    list: (scope: string, request: PageRequest & { newestFirst: boolean }) => Promise<Page<Item>>,
  ) =>
    fc.assert(
      fc.asyncProperty(story, fc.boolean(), async ({ first, added, limit }, newestFirst) => {
        const scope = randomUUID();
        const write = (all: readonly Row[]) =>
          Promise.all(all.map((row) => store.table.write({ put: { Item: { ...put(scope, row), at: row.at, id: row.id } } })));
        await write(first);
        const known = new Set(first.map(({ id }) => id));
        const fresh = added.map((some) => some.filter(({ id }) => !known.has(id)));
        const { items, pages } = await readAlong(
          (request) => list(scope, { ...request, newestFirst }),
          limit,
          async (page) => {
            await write(fresh[page] ?? []);
          },
        );
        const keys = items.map((item) => `${item['at']}#${item['id']}`);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys).toEqual([...keys].sort((a, b) => (a < b === newestFirst ? 1 : -1)));
        expect(keys.filter((key) => known.has(key.split('#')[1] ?? ''))).toEqual(inOrder(first, newestFirst));
        expect(pages.slice(0, -1).every((size) => size === limit)).toBe(true);
        if (fresh.length === 0) expect(pages).toHaveLength(Math.max(1, Math.ceil(first.length / limit)));
      }),
      { numRuns: tries(30) },
    );

  test('across shards skips and repeats nothing while rows are added', async () => {
    await holds(
      (scope, { at, id }) => ({ pk: `${scope}#${id}`, sk: 'X', ...listKey(`files#${scope}`, at, id) }),
      (scope, request) => listAcrossShards(store.table, `files#${scope}`, request),
    );
  });

  test('across lists skips and repeats nothing while rows are added and move from one to the other', async () => {
    const here = new Map<string, Row[]>();
    const itemIn = (list: string, { at, id }: Row) => ({ pk: id, sk: list.slice(0, -1), ...listKey(`files#${list}`, at, id), at, id });
    await holds(
      (scope, row) => {
        here.set(scope, [...(here.get(scope) ?? []), row]);
        return itemIn(`${scope}1`, row);
      },
      async (scope, request) => {
        const moving = here.get(scope)?.shift();
        if (moving) await store.table.write({ put: { Item: itemIn(`${scope}2`, moving) } });
        return listAcrossLists(store.table, scope, [`files#${scope}1`, `files#${scope}2`], request, (items) => items);
      },
    );
  });

  test('of one partition skips and repeats nothing while rows are added, and stays in its prefix', async () => {
    await holds(
      (scope, { at, id }) => ({ pk: scope, sk: `ROW#${at}#${id}` }),
      async (scope, request) => {
        for (const sk of ['A', 'ROW', 'ROX#', 'Z']) await store.table.write({ put: { Item: { pk: scope, sk } } });
        return listPartitionPage(store.table, scope, { pk: scope, prefix: 'ROW#' }, request);
      },
    );
  });

  test('of several partitions lists a sort key that is in two of them once', async () => {
    await holds(
      (scope, { at, id }) => ({ pk: `${scope}#${id < '8' ? 1 : 2}`, sk: `ROW#${at}#${id}` }),
      (scope, request) => {
        const ranges = [1, 2].map((part) => ({ pk: `${scope}#${part}`, prefix: 'ROW#' }));
        return listMergedPartitions(store.table, scope, ranges, request, ([first]) => first);
      },
    );
  });

  test('through a filter finds every row that passes it', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ first, limit }) => {
        const list = `files#${randomUUID()}` as const;
        const item = ({ at, id }: Row) => ({ pk: `${list}#${id}`, sk: 'X', ...listKey(list, at, id), at, id });
        await Promise.all(first.map((row) => store.table.write({ put: { Item: item(row) } })));
        const wanted = (row: Item) => String(row['id']) < '4';
        const { items } = await readAlong(
          (request) => filteredPage(request, wanted, (page) => listAcrossShards(store.table, list, { ...page, newestFirst: false })),
          limit,
        );
        expect(items.map((row) => `${row['at']}#${row['id']}`)).toEqual(inOrder(first.filter(wanted), false));
      }),
      { numRuns: tries(30) },
    );
  });

  test('skips no large row behind small ones, and keeps to what a reply can hold', async () => {
    const list = 'files#large';
    const at = (index: number) => `2026-01-31T09:00:${String(index).padStart(2, '0')}.000Z`;
    const shardOf = (id: string) => listKey(list, at(0), id).listPk;
    const candidates = Array.from({ length: 400 }, (_, index) => `row-${index}`);
    const crowded = candidates.filter((id) => shardOf(id) === shardOf('row-0')).slice(0, 20);
    const sparse = candidates.filter((id) => shardOf(id) !== shardOf('row-0')).slice(0, 40);
    const made = [
      ...crowded.map((id, index) => ({ id, at: at(20 + index), text: 'x'.repeat(300_000) })),
      ...sparse.map((id, index) => ({ id, at: at(index), text: '' })),
    ];
    await Promise.all(
      made.map((row) => store.table.write({ put: { Item: { pk: row.id, sk: list, ...listKey(list, row.at, row.id), ...row } } })),
    );
    for (const newestFirst of [true, false]) {
      const sizes: number[] = [];
      const read = async (request: PageRequest) => {
        const page = await listAcrossShards(store.table, list, { ...request, newestFirst });
        sizes.push(JSON.stringify(page).length);
        return page;
      };
      const { items } = await readAlong(read, 100);
      expect(items.map((item) => `${item['at']}#${item['id']}`)).toEqual(inOrder(made, newestFirst));
      expect(Math.max(...sizes)).toBeLessThan(3 * 1024 * 1024);
    }
  });
});

describe('the lists of the service', () => {
  test('a page of large products fits a reply, also when each is read by its pointer', async () => {
    const { table } = await createTestTable();
    const sellerId = sampleSeller().id;
    const made = Array.from({ length: 30 }, () =>
      sampleProduct({ sellerId, description: '🎨'.repeat(20_000), features: Array(100).fill('𠮷'.repeat(64)) }),
    );
    await Promise.all(made.map((product) => table.transact(addProduct(product))));
    const { items, pages } = await readAlong((request) => listProductsOfSeller(table, sellerId, { ...request, newestFirst: true }), 100);
    const ids = made.map(({ id }) => id).sort();
    expect(items.map(({ id }) => id)).toEqual(ids.reverse());
    expect(pages.length).toBeGreaterThan(1);
  });
});
