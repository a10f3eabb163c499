import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { listIds, listIdsOfSeller } from '../../../shared/products/product-id-repository.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';

const count = 1800;
const seller = newId('seller');
let store: TestTable;
let all: string[];
let own: string[];
beforeAll(async () => {
  store = await createTestTable();
  const made = Array.from({ length: count }, (_, index) => sampleProduct({ ...(index % 20 === 0 && { sellerId: seller }) }));
  for (let from = 0; from < count; from += 30) {
    await store.table.transact(made.slice(from, from + 30).flatMap((product) => addProduct(product)));
  }
  all = made.map(({ id }) => id);
  own = made.filter(({ sellerId }) => sellerId === seller).map(({ id }) => id);
});

describe('ids of products', () => {
  test('of all come in pages of at most 200, each once, in one request a page', async () => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    store.takeRequestCounts();
    do {
      const page = await listIds(store.table, cursor);
      pages.push(page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(store.takeRequestCounts()).toEqual({ Query: pages.length });
    expect(Math.max(...pages.map(({ length }) => length))).toBe(200);
    expect(pages.flat().toSorted()).toEqual(all.toSorted());
  });

  test('of a seller are all of theirs, in one request', async () => {
    store.takeRequestCounts();
    expect((await listIdsOfSeller(store.table, seller)).toSorted()).toEqual(own.toSorted());
    expect(store.takeRequestCounts()).toEqual({ Query: 1 });
    expect(await listIdsOfSeller(store.table, newId('seller'))).toEqual([]);
  });

  test('have no page under a cursor that was not given', async () => {
    for (const cursor of [
      'nonsense',
      ...['99/', '-1/', 'x/', '0.5/'].map((place) => Buffer.from(`product-ids ${place}`).toString('base64url')),
    ]) {
      await expect(listIds(store.table, cursor)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
