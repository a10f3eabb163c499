import { beforeAll, expect, test } from '@jest/globals';
import { newId, type ProductId } from '../../../shared/ids.ts';
import { listUpgradesOf } from '../../../shared/products/offers/upgrade-repository.ts';
import { sellingSeller } from '../../support/samples/sample-seller.ts';
import { type CatalogHarness, createCatalogHarness, type Owner } from '../../support/scenes/catalog-harness.ts';

let catalog: CatalogHarness;
let owner: Owner;
beforeAll(async () => {
  catalog = await createCatalogHarness();
  owner = await catalog.newSeller({ ...sellingSeller, invoiceRegistrationNumber: 'T5678901234567' });
});

const upgradesOf = ({ id }: { id: string }) => listUpgradesOf(catalog.table, id as ProductId);
const offer = (...ids: string[]) => ({ upgrades_from: ids.map((product_id, index) => ({ product_id, price_amount: index * 300 })) });

test('the public sees what a product is sold as, and not its tax', async () => {
  const former = await owner.create();
  const terms = { max_quantity: 25, addition_prices: { seat: 980, updates: 1500 }, ...offer(former.id), updates_days: 365 };
  const shown = await catalog.shown((await owner.offered({ ...terms, tax_percent: 8 })).slug);
  expect(shown).toMatchObject({ ...terms, seller_invoice_registration_number: 'T5678901234567' });
  expect(shown).not.toHaveProperty('tax_percent');
});

test('what can be upgraded is refused alike where it is the product itself, named twice, another seller’s, or unknown', async () => {
  const foreign = await (await catalog.newSeller()).create();
  const [own, product] = [await owner.create(), await owner.create()];
  const messages = new Set<string>();
  for (const ids of [[product.id], [own.id, own.id], [foreign.id], [own.id, newId('product')], ['prd_x'], [newId('seller')]]) {
    const replies = [await owner.patch(product.id, offer(...ids))];
    if (ids[0] !== product.id) replies.push(await owner.send(offer(...ids)));
    for (const { status, json } of replies) messages.add(`${status} ${json.code} ${json.message}`);
  }
  expect([...messages]).toEqual([expect.stringMatching(/^400 invalid_request upgrades_from /)]);
  expect(await upgradesOf(own)).toEqual([]);
});

test('what can be upgraded leads to what it becomes from the moment that is live, whatever state either is in', async () => {
  const [first, second] = [await owner.create(), await owner.create()];
  await catalog.review(second.id, { decision: 'suspend' });
  const { id } = await owner.create(offer(first.id));
  const leads = async () => [await upgradesOf(first), await upgradesOf(second)];
  expect(await leads()).toEqual([[id], []]);
  await owner.goLive(id);
  // What waits leads nowhere yet.
  const edited = await owner.patch(id, offer(second.id));
  expect(edited.json).toMatchObject({ ...offer(first.id), pending: { changes: offer(second.id) } });
  expect(await leads()).toEqual([[id], []]);
  await owner.goLive(id);
  expect(await leads()).toEqual([[], [id]]);
  await owner.patch(id, offer(first.id, second.id));
  await owner.withdraw(id);
  expect(await leads()).toEqual([[id], [id]]);
  // Left out, they stay; a draft is live to itself.
  await owner.patch(id, { description: 'Other.' });
  expect(await leads()).toEqual([[id], [id]]);
  await owner.patch(id, { upgrades_from: [] });
  expect(await leads()).toEqual([[], []]);
});

test('a product says in every reply where its page is and what keeps it from sale', async () => {
  const { create, submit, patch, read, call, seller } = await catalog.newSeller(sellingSeller);
  const made = await create({ name: 'みなと 編集' });
  const slug = encodeURIComponent('みなと-編集');
  const waits = { url: `http://127.0.0.1:3000/p/${slug}`, on_sale: false, sale_blockers: ['not_approved'] };
  const sells = { ...waits, on_sale: true, sale_blockers: [] };
  expect(made).toMatchObject(waits);
  expect((await submit(made.id)).json).toMatchObject(waits);
  expect((await catalog.review(made.id, { decision: 'approve' })).json).toMatchObject(sells);
  expect(await read(made.id)).toMatchObject(sells);
  expect((await patch(made.id, { name: 'Other' })).json).toMatchObject(sells);
  expect((await catalog.review(made.id, { decision: 'suspend' })).json).toMatchObject({ on_sale: false, sale_blockers: ['suspended'] });
  await catalog.setSellerStatus(seller.id, 'rejected');
  expect((await call('GET', '/v1/products')).json.items[0]).toMatchObject({ sale_blockers: ['seller_not_approved', 'suspended'] });
  const checkout = await catalog.publicCall('POST', `/v1/public/products/${slug}/checkout`);
  expect(checkout.json.message).toMatch(/^seller_not_approved: /);
});

test('lists read each seller once, and the stock of imported codes alone', async () => {
  const [own, other] = [await catalog.newSeller(sellingSeller), await catalog.newSeller()];
  const [one, two] = [await own.create(), await own.create({ license_issuance_mode: 'imported_csv' })];
  const three = await other.create();
  type Item = { id: string; sale_blockers: string[] };
  catalog.takeRequestCounts();
  const { items } = (await own.call('GET', '/v1/products')).json;
  // The caller's seller in two; the list of pointers and the shards of the one stock; the products.
  expect(catalog.takeRequestCounts()).toEqual({ GetItem: 2, Query: 1 + 8, BatchGetItem: 1 });
  const blockers = { [two.id]: ['not_approved', 'out_of_stock'], [one.id]: ['not_approved'] };
  const blockersOf = (listed: Item[]) => Object.fromEntries(listed.map(({ id, sale_blockers }) => [id, sale_blockers]));
  expect(blockersOf(items)).toEqual(blockers);
  catalog.takeRequestCounts();
  const all = (await catalog.adminCall('GET', '/v1/admin/products')).json.items;
  expect(catalog.takeRequestCounts()).toMatchObject({ BatchGetItem: 1 });
  expect(blockersOf(all)).toMatchObject({ ...blockers, [three.id]: ['payment_not_ready', 'not_approved'] });
});
