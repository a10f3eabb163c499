import { expect, test } from '@jest/globals';
import { listPartitions } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { ProductId } from '../../../shared/ids.ts';
import { searchOrders } from '../../../shared/order-search/order-search.ts';
import { listOrdersOfBuyer } from '../../../shared/orders/order-repository.ts';
import { encryptionKeys, keyringOf } from '../../support/samples/licenses.ts';
import { openDeskScene } from '../../support/scenes/licenses/sales-scene.ts';

test('A search for a key among all products reads ids fifty times a page, and comes to the end of them', async () => {
  const scene = await openDeskScene();
  const shop = await scene.openShop('alice');
  const ids: ProductId[] = [];
  for (let added = 0; added < 120; added += 1) ids.push((await shop.addProduct()).id);
  const last = await shop.sell({ productId: ids.at(-1)! });
  const partitions = listPartitions('products');
  // As if all products were in the last shard, and each read of it held one.
  const query: Table['query'] = async (request) => {
    if (request.index !== 'list' || !partitions.includes(request.partition)) return scene.table.query(request);
    const at = Number(request.after ?? 0);
    const items = request.partition === partitions.at(-1) ? [{ id: ids[at], listSk: String(at + 1) }] : [];
    return { items, more: items.length > 0 && at + 1 < ids.length, count: items.length, lastKey: undefined };
  };
  const settings = { ENCRYPTION_KEYS: encryptionKeys, LICENSE_PEPPERS: keyringOf('1') };
  const c = { table: { ...scene.table, query }, now: scene.now, settings };
  const pages = [];
  let cursor: string | undefined;
  do {
    scene.takeRequestCounts();
    const page = await searchOrders(c, 'admin-1', undefined, { licenseKey: last.firstKey, cursor });
    expect(scene.takeRequestCounts()['BatchGetItem']).toBeLessThanOrEqual(50 + 8);
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(pages).toEqual([[], [], [last.id]]);
});

test('A search by address reads a hundred pages of orders and no more', async () => {
  const scene = await openDeskScene();
  let reads = 0;
  /** As if the buyer had orders without end. */
  function foreign(read: Awaited<ReturnType<typeof scene.table.query>>) {
    reads += 1;
    const id = `ord_${String(1e9 - reads).padStart(26, '0')}`;
    return { ...read, items: [{ pk: 'BUYER', sk: `ORDER#${id}`, id }], more: true };
  }
  const { seller } = await scene.openShop('alice');
  const table: Table = { ...scene.table, query: async (query) => foreign(await scene.table.query(query)) };
  const page = await listOrdersOfBuyer(table, ['e1.hash'], { limit: 100, sellerId: seller.id });
  expect([page, reads]).toEqual([{ items: [], nextCursor: undefined }, 100]);
});
