import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { addProduct, findProductBySlug, replaceProduct } from '../../shared/products/product-repository.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { type CatalogHarness, createCatalogHarness, type Owner, productRequest } from '../support/scenes/catalog-harness.ts';

/** Every field that may be left out, with another value than its default. */
const optional = {
  tokushoho_seller_name: '株式会社サンプル',
  tokushoho_contact: '',
  tokushoho_address: '東京都',
  forbidden_category_acknowledged: true,
  license_issuance_mode: 'imported_csv',
  license_key_prefix: 'A2345678901Z',
  activation_limit: 100_000,
  features: ['export', '🎨'.repeat(64)],
  feature_labels: { export: { ja: '書き出し' } },
  deactivation_allowed: false,
  offline_days: 0,
  offline_file_days: 366,
  updates_days: 0,
  addition_prices: { seat: 980, updates: 1500 },
  tax_percent: 8,
};
const needed = {
  name: 'Every Field',
  description: '𠮷'.repeat(20_000),
  price_amount: 0,
  currency: 'uSd',
  support_email: 'other@example.com',
  refund_policy: 'Never.',
  software_operating_environment: 'Any',
};
const { ProductUpsertRequest: documented } = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8')).components.schemas;
const outcomeOf = ({ status, json }: { status: number; json: any }) => [status, json.code];

let catalog: CatalogHarness;
let owner: Owner;
beforeAll(async () => {
  catalog = await createCatalogHarness({ CURRENCIES: 'JPY,USD,KWD,ISK' });
  owner = await catalog.newSeller();
});

describe('a product that is made', () => {
  test('has the defaults of the document', async () => {
    const product = await owner.create();
    expect(await owner.read(product.id)).toEqual(product);
    for (const [field, schema] of Object.entries<{ default?: unknown }>(documented.properties)) {
      if ('default' in schema) expect([field, schema.default]).toEqual([field, product[field]]);
    }
  });

  test('keeps every field as it was given, through an edit that leaves out what may be', async () => {
    const product = await owner.create({ ...needed, ...optional });
    expect(product).toMatchObject({ ...needed, ...optional });
    expect((await owner.call('PATCH', `/v1/products/${product.id}`, { body: needed })).json).toEqual(product);
  });

  test('and is on sale can have every field changed, each by itself', async () => {
    const changes = { ...needed, name: 'Every Field Changed', description: 'Other.', ...optional };
    const { id } = await owner.offered({ features: ['export', 'batch'] });
    expect((await owner.patch(id, changes)).json.pending.changes).toEqual(changes);
    const live = await owner.goLive(id);
    expect(live).toMatchObject(changes);
    expect(live).not.toHaveProperty('pending');
    const told = { tokushoho_seller_name: 'a', tokushoho_contact: 'b', tokushoho_address: 'c' };
    const other = await owner.offered({ features: ['export', 'batch'], updates_days: 30, ...told });
    for (const [name, value] of Object.entries(changes)) {
      const change = { [name]: name === 'name' ? `${value} Alone` : value };
      expect((await owner.patch(other.id, change)).json.pending.changes).toEqual(change);
      await owner.call('PATCH', `/v1/products/${other.id}`, { body: { ...other, feature_labels: {} } });
    }
  });

  test('is told of every field at fault, one fault a field, in the order of the document', async () => {
    const { price_amount: _, ...rest } = productRequest;
    const body = { deactivation_allowed: 'no', features: Array(100).fill(1), activation_limit: 1.5, ...rest, name: '', currency: 'XTS' };
    const { message } = (await owner.call('POST', '/v1/products', { body })).json;
    expect(message.split('; ')).toEqual([
      'name must not be blank',
      'price_amount is missing',
      'currency must be one of JPY, USD, KWD, ISK',
      'activation_limit must be a whole number',
      'features.0 must be text',
      'deactivation_allowed must be true or false',
    ]);
    const places = message.split('; ').map((fault: string) => Object.keys(documented.properties).indexOf(fault.split(/[ .]/)[0] ?? ''));
    expect(places).toEqual(places.toSorted((x: number, y: number) => x - y));
  });

  test.each<[Record<string, unknown>, string]>([
    [{ price_amount: 5124, currency: 'kwd' }, 'price_amount must be a multiple of 10 in this currency'],
    [{ price_amount: 510, currency: 'ISK' }, 'price_amount must be a multiple of 100 in this currency'],
    [{ max_quantity: 0 }, 'max_quantity must be at least 1'],
    [{ max_quantity: 101 }, 'max_quantity must be at most 100'],
    [{ max_quantity: 2, license_issuance_mode: 'imported_csv' }, 'max_quantity must be 1 where'],
    [{ addition_prices: { seat: 0 } }, 'addition_prices.seat must be at least 1'],
    [{ addition_prices: { seat: 100_000_000 } }, 'addition_prices.seat must be at most'],
    [{ addition_prices: [] }, 'addition_prices must be an object'],
    [{ upgrades_from: [{ product_id: 'x', price_amount: -1 }] }, 'upgrades_from.0.price_amount must be at least 0'],
    [{ upgrades_from: Array(11).fill({ product_id: 'x', price_amount: 1 }) }, 'upgrades_from must be a list of at most 10'],
    [{ tax_percent: 5 }, 'tax_percent '],
    [{ tax_percent: '10' }, 'tax_percent '],
  ])('is refused, as is its change, for %j', async (fields, message) => {
    const refused = { status: 400, json: { code: 'invalid_request', message: expect.stringContaining(message) } };
    expect(await owner.send(fields)).toMatchObject(refused);
    expect(await owner.patch((await owner.create()).id, fields)).toMatchObject(refused);
  });

  test.each([
    [5120, 'kwd'],
    [500, 'ISK'],
    [4907, 'USD'],
  ])('may cost %i %s', async (price_amount, currency) => {
    expect(await owner.create({ price_amount, currency, max_quantity: 25 })).toMatchObject({ price_amount, currency, max_quantity: 25 });
  });

  test('is of a seller that may change things, and one of a hundred at most, also when more are made at once', async () => {
    for (const internalReviewStatus of ['suspended', 'rejected'] as const) {
      expect(outcomeOf(await (await catalog.newSeller({ internalReviewStatus })).send())).toEqual([400, 'seller_not_eligible']);
    }
    const crowded = await catalog.newSeller({ productCount: 97 });
    const replies = await Promise.all(Array.from({ length: 6 }, () => crowded.send()));
    const outcomes = replies.map(({ status, json }) => json.code ?? status);
    expect(outcomes.sort()).toEqual([...Array(3).fill(201), ...Array(3).fill('too_many_products')]);
  });

  test('is one of ten of a seller that was never approved, of twenty made at once', async () => {
    const applicant = await catalog.newSeller({ internalReviewStatus: 'pending_review' });
    const replies = await Promise.all(Array.from({ length: 20 }, () => applicant.send()));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const { json } of replies.filter(({ status }) => status !== 201))
      expect(json).toMatchObject({ code: 'too_many_products', message: 'At most 10 products until the seller is approved.' });
    for (const status of ['approved_limited', 'draft'] as const) {
      await catalog.setSellerStatus(applicant.seller.id, status);
      expect((await applicant.send()).status).toBe(201);
    }
  });
});

test('a suspended or rejected seller reads everything and changes nothing', async () => {
  const own = await catalog.newSeller();
  const { id } = await own.create();
  for (const status of ['suspended', 'rejected'] as const) {
    await catalog.setSellerStatus(own.seller.id, status);
    expect((await own.read(id)).id).toBe(id);
    expect((await own.call('GET', '/v1/products')).json.items).toHaveLength(1);
    for (const attempt of [own.patch(id, { price_amount: 1 }), own.withdraw(id), own.submit(id)])
      expect(outcomeOf(await attempt)).toEqual([403, 'seller_not_eligible']);
  }
});

test('nobody publishes but by a review', async () => {
  const { id } = await owner.offered();
  const publish = (body: object) => owner.call('POST', `/v1/products/${id}/publish`, { body });
  expect(outcomeOf(await publish({ publish: true }))).toEqual([403, 'publish_forbidden']);
  expect((await publish({ publish: 'false' })).json.message).toMatch(/^publish /);
  expect((await owner.read(id)).status).toBe('approved');
});

test('a new name of a product that was never approved frees the old slug', async () => {
  const { id } = await owner.create({ name: 'Hoarded 0' });
  for (let at = 1; at < 12; at += 1) expect((await owner.patch(id, { name: `Hoarded ${at}` })).json.slug).toBe(`hoarded-${at}`);
  expect(await findProductBySlug(catalog.table, 'hoarded-0')).toBeUndefined();
  const taken = await (await catalog.newSeller()).create({ name: 'Hoarded 10' });
  expect(outcomeOf(await owner.patch(id, { name: 'Hoarded 10' }))).toEqual([409, 'slug_reserved']);
  expect((await owner.patch(id, { name: 'Hoarded 9' })).status).toBe(200);
  expect((await findProductBySlug(catalog.table, 'hoarded-10'))?.id).toBe(taken.id);
});

test('the list of own products is filtered by status, in pages, and shows nobody else’s', async () => {
  const { create, submit, call } = await catalog.newSeller();
  await owner.create();
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    ids.unshift((await create()).id);
    if (index % 2 === 0) await submit(ids[0] ?? '');
    catalog.pass(1);
  }
  const list = async (query: string) => (await call('GET', `/v1/products?status=pending_review&limit=2${query}`)).json;
  const first = await list('');
  const second = await list(`&cursor=${first.next_cursor}`);
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.filter((_, index) => index % 2 === 0));
  const stray = await catalog.asUser('without-seller')('GET', '/v1/products?cursor=stray');
  expect(outcomeOf(stray)).toEqual([400, 'invalid_request']);
});

describe('the public page of a product', () => {
  const put = async (fields: Parameters<typeof sampleProduct>[0] = {}, seller: Parameters<CatalogHarness['newSeller']>[0] = {}) => {
    const { id: sellerId } = (await catalog.newSeller(seller)).seller;
    const product = sampleProduct({ status: 'approved', sellerId, ...fields });
    await catalog.table.transact(addProduct(product));
    return product;
  };
  const get = (slug: string, headers: Record<string, string> = {}) => catalog.publicCall('GET', `/v1/public/products/${slug}`, { headers });

  test('shows exactly what the interface lists, in two requests to the table', async () => {
    const told = { tokushohoAddress: 'Tokyo', tokushohoContact: '03', tokushohoSellerName: 'KK' };
    const product = await put({ slug: '写真-studio', features: ['pro'], ...told, reviewedBy: 'admin' }, { displayName: 'A Shop' });
    catalog.takeRequestCounts();
    const reply = await get(encodeURIComponent('写真-studio'));
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 1 });
    const names = { id: product.id, slug: '写真-studio', name: product.name, description: 'Edits photos.', seller_display_name: 'A Shop' };
    const support = { support_email: 'help@example.com', refund_policy: 'Within 14 days.', software_operating_environment: 'Windows 11' };
    const terms = { license_issuance_mode: 'generated_server_validated', activation_limit: 1, features: ['pro'], offline_file_days: 0 };
    const further = { offline_days: 14, updates_days: 36_500, max_quantity: 1, addition_prices: {}, upgrades_from: [] };
    const tokushoho = { tokushoho_seller_name: 'KK', tokushoho_contact: '03', tokushoho_address: 'Tokyo' };
    expect(reply.json).toEqual({ ...names, ...support, ...terms, ...further, ...tokushoho, price_amount: 4800, currency: 'JPY' });
    expect(reply.headers).toMatchObject({ 'cache-control': 'public, max-age=60', etag: expect.stringMatching(/^"[\w-]+"$/) });
  });

  test('answers a caller that has it already without body, by a tag that changes with what is shown, and with nothing else', async () => {
    const product = await put();
    const { etag = '' } = (await get(product.slug)).headers;
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await get(product.slug, { 'If-None-Match': header });
      expect([status, text, headers['etag'], headers['cache-control']]).toEqual([304, '', etag, 'public, max-age=60']);
      expect(headers).not.toHaveProperty('content-type');
    }
    const touched = { ...product, revision: 2, updatedAt: '2026-02-01T00:00:00.000Z', reviewedBy: 'someone' };
    await catalog.table.transact(replaceProduct(product, touched));
    expect((await get(product.slug, { 'If-None-Match': etag })).status).toBe(304);
    await catalog.table.transact(replaceProduct(touched, { ...touched, revision: 3, priceAmount: 1 }));
    expect((await get(product.slug, { 'If-None-Match': etag })).status).toBe(200);
  });

  test('slugs that were pasted are taken as they were meant, under a former one too, and cost a look more only where they lead nowhere', async () => {
    const product = await put({ slug: 'ガイド-pro' });
    await catalog.table.transact(replaceProduct(product, { ...product, revision: 2, slugs: [...product.slugs, 'former'] }));
    const written = ['ガイド-pro'.normalize('NFD'), 'ガイド-pro/', 'ガイド-pro.', 'ガイド-pro。'].map(encodeURIComponent);
    for (const slug of [...written, 'former.', encodeURIComponent('ガイド-pro')]) {
      expect([slug, (await get(slug)).json.slug]).toEqual([slug, product.slug]);
      for (const [method, action, code] of [
        ['POST', 'quote', 'checkout_not_available'],
        ['POST', 'checkout', 'checkout_not_available'],
        ['GET', 'releases', undefined],
      ] as const) {
        expect((await catalog.publicCall(method, `/v1/public/products/${slug}/${action}`)).json.code).toBe(code);
      }
    }
    catalog.takeRequestCounts();
    await get('nowhere');
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 1 });
  });

  test('slugs are matched exactly; what cannot be one is not found', async () => {
    await put({ slug: 'exact-slug' });
    const encoded = ['exact%20slug', '%00', '..%2F..%2Fx', '%F0%9F%98%80', '%25', '%C3%28', '%'];
    for (const slug of ['Exact-Slug', 'exact-slug-', 'exact-slu', 'x'.repeat(6000), ...encoded]) {
      const { status, json, headers } = await get(slug);
      expect([slug, status, json?.code, headers['cache-control']]).toEqual([slug, 404, 'product_not_found', undefined]);
    }
  });
});
