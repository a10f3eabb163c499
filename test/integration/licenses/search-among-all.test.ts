import { beforeAll, expect, test } from '@jest/globals';
import { listPartitions } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { searchOrders } from '../../../shared/order-search/order-search.ts';
import { listOrdersOfBuyer } from '../../../shared/orders/order-repository.ts';
import { encryptionKeys, keyringOf } from '../../support/samples/licenses.ts';
import { type DeskScene, openDeskScene, type Shop } from '../../support/scenes/licenses/sales-scene.ts';

let scene: DeskScene;
let shop: Shop;
beforeAll(async () => {
  scene = await openDeskScene();
  shop = await scene.openShop('alice');
});

test('A search for a key among all products reads ids fifty times a page, and comes to the end of them', async () => {
  const last = await shop.sell();
  const ids = [...Array.from({ length: 119 }, () => newId('product')), shop.product.id];
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
    const page = await searchOrders(c, { userId: 'admin-1' }, undefined, { licenseKey: last.firstKey, cursor });
    expect(scene.takeRequestCounts()['BatchGetItem']).toBeLessThanOrEqual(50 + 8);
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(pages).toEqual([[], [], [last.id]]);
});

test('A search by address reads a hundred pages of orders and no more', async () => {
  let reads = 0;
  /** As if the buyer had orders without end. */
  const query: Table['query'] = async () => {
    reads += 1;
    const id = `ord_${String(1e9 - reads).padStart(26, '0')}`;
    return { items: [{ pk: 'BUYER', sk: `ORDER#${id}`, id }], more: true, count: 1, lastKey: undefined };
  };
  const page = await listOrdersOfBuyer({ ...scene.table, query }, ['e1.hash'], { limit: 100, sellerId: shop.seller.id });
  expect([page, reads]).toEqual([{ items: [], nextCursor: undefined }, 100]);
});
