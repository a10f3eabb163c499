import { beforeAll, describe, expect, test } from '@jest/globals';
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

const features = ['export_wav', 'batchRun', 'Spectral-View', 'constructor'];
const labels = {
  export_wav: { en: 'Export to WAV', ja: 'WAV書き出し' },
  batchRun: { en: 'Batch processing' },
  'Spectral-View': { ja: 'スペクトル表示' },
};

describe('the labels of features', () => {
  test('come back under the identifiers as they were given, to the seller and to the public', async () => {
    const product = await owner.offered({ features, feature_labels: labels });
    expect(product.feature_labels).toEqual(labels);
    expect(await catalog.shown(product.slug)).toMatchObject({ features, feature_labels: labels });
  });

  test('may be of a feature of any name, through every edit and review', async () => {
    const names = ['constructor', '__proto__', '_constructor', '___proto__', 'toString', 'hasOwnProperty', 'toJSON', 'then'];
    const labelled = (word: string) => Object.fromEntries(names.map((name) => [name, { en: `${word} ${name}` }]));
    const sorted = (fields: object) => Object.entries(fields).sort();
    const { id, slug } = await owner.offered({ features: names, feature_labels: labelled('First') });
    const edited = await owner.patch(id, { feature_labels: labelled('Second') });
    expect(sorted((await catalog.shown(slug)).feature_labels)).toEqual(sorted(labelled('First')));
    expect(sorted(edited.json.pending.changes.feature_labels)).toEqual(sorted(labelled('Second')));
  });

  test('are absent from a product that has none, and of none change nothing', async () => {
    const product = await owner.create({ features, feature_labels: {} });
    expect(product).not.toHaveProperty('feature_labels');
    expect((await owner.patch(product.id, { feature_labels: {} })).json).toEqual(product);
  });

  test.each([
    ['of a feature that is not listed', { features: ['a'], feature_labels: { b: { en: 'B' } } }],
    ['of a feature whose name every object has', { features: ['a'], feature_labels: { constructor: { en: 'B' } } }],
    ['without features', { feature_labels: { a: { en: 'A' } } }],
    ['in another language', { features: ['a'], feature_labels: { a: { en: 'A', fr: 'A' } } }],
    ['in no language', { features: ['a'], feature_labels: { a: {} } }],
    ['that are blank', { features: ['a'], feature_labels: { a: { ja: '  ' } } }],
    ['of 101 characters', { features: ['a'], feature_labels: { a: { ja: 'あ'.repeat(101) } } }],
    ['that turn the reading order', { features: ['a'], feature_labels: { a: { en: 'A\u202e' } } }],
    ['that are no text', { features: ['a'], feature_labels: { a: 'A' } }],
    ['in a list', { features: ['a'], feature_labels: ['a'] }],
  ])('%s are refused', async (_, fields) => {
    const { status, json } = await owner.send(fields);
    expect([status, json.code, json.message]).toEqual([400, 'invalid_request', expect.stringMatching(/^feature_labels/)]);
  });

  test('are compared with the features that the update leaves, stay when it leaves them out, and go with their feature', async () => {
    const { id } = await owner.create({ features, feature_labels: labels });
    expect((await owner.patch(id, { description: 'Edits more.' })).json).toMatchObject({ feature_labels: labels, revision: 2 });
    expect((await owner.patch(id, { features: ['batchRun'] })).json.feature_labels).toEqual({ batchRun: labels.batchRun });
    expect((await owner.patch(id, { features: ['b'], feature_labels: { batchRun: { en: 'A' } } })).status).toBe(400);
    expect((await owner.patch(id, { features: ['b'] })).json).not.toHaveProperty('feature_labels');
    expect((await owner.patch(id, { feature_labels: { b: { ja: 'い' } } })).json.feature_labels).toEqual({ b: { ja: 'い' } });
    expect((await owner.patch(id, { feature_labels: {} })).json).not.toHaveProperty('feature_labels');
  });

  test('of a product on sale wait with its other changes, but where they say nothing new', async () => {
    const live = await owner.offered({ features, feature_labels: labels });
    const turned = Object.fromEntries(Object.entries(labels).reverse());
    expect((await owner.patch(live.id, { feature_labels: turned })).json).toEqual(live);
    const changes = { feature_labels: { ...labels, batchRun: { en: 'Batches' } } };
    const { json } = await owner.patch(live.id, changes);
    expect(json).toMatchObject({ status: 'approved', feature_labels: labels, pending: { changes }, revision: live.revision + 1 });
    await owner.patch(live.id, { features: ['batchRun'] });
    expect((await owner.patch(live.id, { feature_labels: labels })).json.message).toMatch(/^feature_labels must name only /);
  });
});
