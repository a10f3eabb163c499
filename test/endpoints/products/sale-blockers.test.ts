import { beforeAll, expect, test } from '@jest/globals';
import { sellingSeller } from '../../support/samples/sample-seller.ts';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';

let catalog: CatalogHarness;
beforeAll(async () => {
  catalog = await createCatalogHarness();
});

type Call = Awaited<ReturnType<CatalogHarness['newSeller']>>['call'];
const create = async (call: Call, fields: Record<string, unknown>) =>
  (await call('POST', '/v1/products', { body: { ...productRequest, ...fields } })).json;
const handIn = (call: Call, id: string) => call('POST', `/v1/products/${id}/submit-review`);
const review = (id: string, decision: string) => catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body: { decision } });

test('a product says in every reply where its page is and what keeps it from sale', async () => {
  const { call, seller } = await catalog.newSeller(sellingSeller);
  const { id, ...made } = await create(call, { name: 'みなと 編集' });
  const waits = { url: `http://127.0.0.1:3000/p/${encodeURIComponent('みなと-編集')}`, on_sale: false, sale_blockers: ['not_approved'] };
  const sells = { ...waits, on_sale: true, sale_blockers: [] };
  expect(made).toMatchObject(waits);
  expect((await handIn(call, id)).json).toMatchObject(waits);
  expect((await review(id, 'approve')).json).toMatchObject(sells);
  expect((await call('GET', `/v1/products/${id}`)).json).toMatchObject(sells);
  const renamed = await call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name: 'Other' } });
  expect(renamed.json).toMatchObject(sells);
  expect((await review(id, 'suspend')).json).toMatchObject({ on_sale: false, sale_blockers: ['suspended'] });
  await catalog.setSellerStatus(seller.id, 'rejected');
  expect((await call('GET', '/v1/products')).json.items[0]).toMatchObject({ sale_blockers: ['seller_not_approved', 'suspended'] });
  const publicly = await catalog.publicCall('POST', `/v1/public/products/${encodeURIComponent('みなと-編集')}/checkout`);
  expect(publicly.json.message).toMatch(/^seller_not_approved: /);
});

test('lists read each seller once, and the stock of imported codes alone', async () => {
  const own = await catalog.newSeller({ ...sellingSeller, ownerUserId: 'lister' });
  const other = await catalog.newSeller();
  for (const [call, name, mode] of [
    [own.call, 'Listed one', 'generated_server_validated'],
    [own.call, 'Listed two', 'imported_csv'],
    [other.call, 'Listed three', 'generated_server_validated'],
  ] as const) {
    await create(call, { name, license_issuance_mode: mode });
  }
  const blockersOf = (items: { name: string; sale_blockers: string[] }[]) =>
    items.filter(({ name }) => name.startsWith('Listed')).map(({ name, sale_blockers }) => [name, sale_blockers]);
  catalog.takeRequestCounts();
  expect(blockersOf((await own.call('GET', '/v1/products')).json.items)).toEqual([
    ['Listed two', ['not_approved', 'out_of_stock']],
    ['Listed one', ['not_approved']],
  ]);
  // The caller's seller in two; the list of pointers and the shards of the one stock; the products.
  expect(catalog.takeRequestCounts()).toEqual({ GetItem: 2, Query: 1 + 8, BatchGetItem: 1 });
  const all = await catalog.adminCall('GET', '/v1/admin/products');
  expect(catalog.takeRequestCounts()).toMatchObject({ BatchGetItem: 1 });
  expect(blockersOf(all.json.items).toSorted()).toEqual([
    ['Listed one', ['not_approved']],
    ['Listed three', ['payment_not_ready', 'not_approved']],
    ['Listed two', ['not_approved', 'out_of_stock']],
  ]);
});
