import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { findProductBySlug, getProduct, replaceProduct } from '../../shared/products/product-repository.ts';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../support/scenes/catalog-harness.ts';

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
let names = 0;
/** A request with a name that no other product has. */
const request = (fields: Record<string, unknown> = {}) => ({ ...productRequest, name: `Product ${++names}`, ...fields });

describe('products of a seller', () => {
  let catalog: CatalogHarness;
  let call: Awaited<ReturnType<CatalogHarness['newSeller']>>['call'];
  let sellerId: string;
  const create = async (fields: Record<string, unknown> = {}) => {
    const reply = await call('POST', '/v1/products', { body: request(fields) });
    expect(reply.status).toBe(201);
    return reply.json;
  };
  const review = (id: string, body: Record<string, unknown>) => catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body });
  /** Brings a new product into a state by the ways there are; published and unpublished have none. */
  const createIn = async (status: string) => {
    const { id } = await create();
    if (status === 'published' || status === 'unpublished') {
      const read = await getProduct(catalog.table, id);
      await catalog.table.transact(replaceProduct(read, { ...read, status, revision: 2 }));
      return id;
    }
    if (status !== 'draft' && status !== 'suspended') await call('POST', `/v1/products/${id}/submit-review`);
    if (status === 'approved') await review(id, { decision: 'approve' });
    if (status === 'rejected') await review(id, { decision: 'reject', rejection_reason: 'Unclear.' });
    if (status === 'suspended') await review(id, { decision: 'suspend' });
    expect((await call('GET', `/v1/products/${id}`)).json.status).toBe(status);
    return id;
  };

  beforeAll(async () => {
    catalog = await createCatalogHarness();
    const made = await catalog.newSeller();
    call = made.call;
    sellerId = made.seller.id;
  });

  describe('create', () => {
    test('makes a draft with every default applied', async () => {
      const reply = await call('POST', '/v1/products', { body: { ...productRequest, name: 'Default Things' } });
      expect(reply.status).toBe(201);
      expect(reply.json).toEqual({
        ...productRequest,
        name: 'Default Things',
        id: expect.stringMatching(/^prd_[0-9A-Z]{26}$/),
        seller_id: sellerId,
        slug: 'default-things',
        status: 'draft',
        review_status: 'draft',
        license_issuance_mode: 'generated_server_validated',
        license_key_prefix: 'LIC1',
        activation_limit: 1,
        features: [],
        deactivation_allowed: true,
        offline_days: 14,
        offline_file_days: 0,
        updates_days: 36_500,
        max_quantity: 1,
        addition_prices: {},
        upgrades_from: [],
        tax_percent: 10,
        forbidden_category_acknowledged: false,
        url: 'http://127.0.0.1:3000/p/default-things',
        on_sale: false,
        sale_blockers: ['payment_not_ready', 'not_approved'],
        created_at: dateTime,
        updated_at: dateTime,
        revision: 1,
      });
      expect((await call('GET', `/v1/products/${reply.json.id}`)).json).toEqual(reply.json);
      const { ProductUpsertRequest: told } = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8')).components.schemas;
      for (const [field, schema] of Object.entries<{ default?: unknown }>(told.properties)) {
        if ('default' in schema) expect([field, schema.default]).toEqual([field, reply.json[field]]);
      }
    });

    test('keeps every field as it was given', async () => {
      const fields = {
        currency: 'uSd',
        price_amount: 0,
        tokushoho_seller_name: '株式会社サンプル',
        tokushoho_contact: '',
        tokushoho_address: '東京都',
        forbidden_category_acknowledged: true,
        license_issuance_mode: 'imported_csv',
        license_key_prefix: 'A2345678901Z',
        activation_limit: 100_000,
        features: ['pro', '🎨'.repeat(64)],
        deactivation_allowed: false,
        offline_days: 0,
        offline_file_days: 366,
        updates_days: 0,
        description: '𠮷'.repeat(20_000),
      };
      expect(await create(fields)).toMatchObject(fields);
    });

    test.each([
      ['name', { name: 'pаypal helper' }],
      ['name', { name: undefined }],
      ['description', { description: ' \n' }],
      ['price_amount', { price_amount: '100' }],
      ['currency', { currency: 'EUR' }],
      ['support_email', { support_email: `${'a'.repeat(64)}@${'b'.repeat(190)}.example` }],
      ['tokushoho_contact', { tokushoho_contact: null }],
      ['license_issuance_mode', { license_issuance_mode: 'other' }],
      ['features.1', { features: ['ok', 'x'.repeat(65)] }],
      ['deactivation_allowed', { deactivation_allowed: 1 }],
    ])('refuses a bad %s and names the field without its value', async (field, fields) => {
      const reply = await call('POST', '/v1/products', { body: request(fields) });
      expect(reply.status).toBe(400);
      expect(reply.json).toEqual({ code: 'invalid_request', message: expect.any(String), request_id: reply.headers['x-request-id'] });
      expect(reply.json.message.split('; ').every((fault: string) => fault.startsWith(`${field} `))).toBe(true);
      const value = Object.values(fields)[0];
      if (typeof value === 'string' && value.length > 3) expect(reply.text).not.toContain(value);
    });

    test('says of every field at fault what is wrong, one fault a field, in the order of the document', async () => {
      const { price_amount: _, ...rest } = productRequest;
      const body = { deactivation_allowed: 'no', features: Array(100).fill(1), activation_limit: 1.5, ...rest, name: '' };
      const message = (await call('POST', '/v1/products', { body: { ...body, currency: 'XTS' } })).json.message;
      expect(message.split('; ')).toEqual([
        'name must not be blank',
        'price_amount is missing',
        'currency must be one of JPY, USD',
        'activation_limit must be a whole number',
        'features.0 must be text',
        'deactivation_allowed must be true or false',
      ]);
      const { ProductUpsertRequest: told } = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8')).components.schemas;
      const inDocument = Object.keys(told.properties);
      const places = message.split('; ').map((fault: string) => inDocument.indexOf(fault.split(/[ .]/)[0] ?? ''));
      expect(places).toEqual(places.toSorted((x: number, y: number) => x - y));
    });

    test('needs a seller, and one that is neither suspended nor rejected', async () => {
      const stranger = await catalog.asUser('stranger')('POST', '/v1/products', { body: request() });
      expect([stranger.status, stranger.json.code]).toEqual([400, 'seller_required']);
      for (const internalReviewStatus of ['suspended', 'rejected'] as const) {
        const refused = await (await catalog.newSeller({ internalReviewStatus })).call('POST', '/v1/products', { body: request() });
        expect([refused.status, refused.json.code]).toEqual([400, 'seller_not_eligible']);
      }
      for (const internalReviewStatus of ['draft', 'pending_review', 'approved_limited'] as const) {
        const allowed = await (await catalog.newSeller({ internalReviewStatus })).call('POST', '/v1/products', { body: request() });
        expect(allowed.status).toBe(201);
      }
    });

    test('makes a hundred products a seller, also when more are created at once', async () => {
      const crowded = await catalog.newSeller({ productCount: 97 });
      const replies = await Promise.all(Array.from({ length: 6 }, () => crowded.call('POST', '/v1/products', { body: request() })));
      expect(replies.map((reply) => reply.json.code ?? reply.status).sort()).toEqual([
        201,
        201,
        201,
        ...Array(3).fill('too_many_products'),
      ]);
    });

    test('makes ten products a seller that was never approved, of twenty created at once', async () => {
      const applicant = await catalog.newSeller({ internalReviewStatus: 'pending_review' });
      const make = () => applicant.call('POST', '/v1/products', { body: request() });
      const replies = await Promise.all(Array.from({ length: 20 }, make));
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
      for (const { status, json } of replies.filter((reply) => reply.status !== 201))
        expect([status, json.code, json.message]).toEqual([400, 'too_many_products', 'At most 10 products until the seller is approved.']);
      for (const status of ['approved_limited', 'draft'] as const) {
        await catalog.setSellerStatus(applicant.seller.id, status);
        expect((await make()).status).toBe(201);
      }
    });
  });

  describe('ownership', () => {
    test('a suspended or rejected seller reads everything and changes nothing', async () => {
      const own = await catalog.newSeller();
      const { id } = (await own.call('POST', '/v1/products', { body: request() })).json;
      for (const status of ['suspended', 'rejected'] as const) {
        await catalog.setSellerStatus(own.seller.id, status);
        expect((await own.call('GET', `/v1/products/${id}`)).status).toBe(200);
        expect((await own.call('GET', '/v1/products')).json.items).toHaveLength(1);
        for (const [method, path, body] of [
          ['PATCH', '', request()],
          ['POST', '/publish', { publish: true }],
          ['POST', '/publish', { publish: false }],
          ['POST', '/submit-review', undefined],
        ] as const) {
          const reply = await own.call(method, `/v1/products/${id}${path}`, { body });
          expect([reply.status, reply.json.code]).toEqual([403, 'seller_not_eligible']);
        }
      }
    });
  });

  describe('update', () => {
    test('validates like create', async () => {
      const { id } = await create();
      const { name: _, ...nameless } = productRequest;
      const missing = await call('PATCH', `/v1/products/${id}`, { body: nameless });
      expect([missing.status, missing.json.message]).toEqual([400, expect.stringMatching(/^name is missing$/)]);
      const foreign = await call('PATCH', `/v1/products/${id}`, { body: request({ currency: 'EUR' }) });
      expect([foreign.status, foreign.json.message]).toEqual([400, expect.stringMatching(/^currency must be one of JPY, USD$/)]);
    });

    test('optional fields left out keep their value', async () => {
      const made = await create({
        features: ['pro'],
        activation_limit: 7,
        tokushoho_address: 'Tokyo',
        deactivation_allowed: false,
        offline_days: 90,
        offline_file_days: 1,
        updates_days: 365,
      });
      const reply = await call('PATCH', `/v1/products/${made.id}`, { body: { ...productRequest, name: made.name, price_amount: 1 } });
      expect(reply.json).toMatchObject({
        features: ['pro'],
        activation_limit: 7,
        tokushoho_address: 'Tokyo',
        deactivation_allowed: false,
        offline_days: 90,
        offline_file_days: 1,
        updates_days: 365,
        price_amount: 1,
        revision: 2,
      });
    });

    test.each(['pending_review'])('a real change takes a product out of %s', async (status) => {
      const id = await createIn(status);
      const before = (await call('GET', `/v1/products/${id}`)).json;
      const same = await call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name: before.name } });
      expect([same.status, same.json]).toEqual([200, before]);
      const changed = await call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name: before.name, description: 'New.' } });
      expect(changed.json).toMatchObject({ status: 'draft', review_status: 'draft', description: 'New.', revision: before.revision + 1 });
    });

    test('a new name reserves a further slug, the old ones still lead to the product and to no other', async () => {
      const made = await create({ name: 'Old Name' });
      await call('POST', `/v1/products/${made.id}/submit-review`);
      await catalog.adminCall('PATCH', `/v1/admin/products/${made.id}/review`, { body: { decision: 'approve' } });
      await call('POST', `/v1/products/${made.id}/publish`, { body: { publish: false } });
      const renamed = await call('PATCH', `/v1/products/${made.id}`, { body: { ...productRequest, name: 'New Name' } });
      expect(renamed.json).toMatchObject({ slug: 'new-name', name: 'New Name', status: 'draft' });
      expect((await findProductBySlug(catalog.table, 'old-name'))?.id).toBe(made.id);
      for (const name of ['Old Name', 'new name!']) {
        const taken = await call('POST', '/v1/products', { body: request({ name }) });
        expect([taken.status, taken.json.code]).toEqual([409, 'slug_reserved']);
      }
      const other = await create();
      const stolen = await call('PATCH', `/v1/products/${other.id}`, { body: request({ name: 'Old Name' }) });
      expect([stolen.status, stolen.json.code]).toEqual([409, 'slug_reserved']);
      expect((await call('GET', `/v1/products/${other.id}`)).json).toEqual(other);

      const back = await call('PATCH', `/v1/products/${made.id}`, { body: { ...productRequest, name: 'OLD   NAME' } });
      expect(back.json).toMatchObject({ slug: 'old-name', name: 'OLD   NAME' });
    });

    test('a new name of a product that was never approved frees the old slug', async () => {
      const rename = (id: string, name: string, by = call) => by('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name } });
      const made = await create({ name: 'Hoarded 0' });
      for (let at = 1; at < 12; at += 1) expect((await rename(made.id, `Hoarded ${at}`)).json.slug).toBe(`hoarded-${at}`);
      expect(await findProductBySlug(catalog.table, 'hoarded-0')).toBeUndefined();
      const other = await catalog.newSeller();
      const taken = await other.call('POST', '/v1/products', { body: request({ name: 'Hoarded 10' }) });
      expect(taken.status).toBe(201);
      for (const [name, status] of [
        ['Hoarded 10', 409],
        ['Hoarded 9', 200],
      ] as const)
        expect((await rename(made.id, name)).status).toBe(status);
      expect((await findProductBySlug(catalog.table, 'hoarded-10'))?.id).toBe(taken.json.id);
    });

    test('of five renames to one name at once each is answered the same', async () => {
      const { id } = await create();
      const body = request({ name: 'Renamed Once' });
      const replies = await Promise.all(Array.from({ length: 5 }, () => call('PATCH', `/v1/products/${id}`, { body })));
      expect(replies.map((reply) => reply.status)).toEqual(Array(5).fill(200));
    });
  });

  describe('submit-review and publish', () => {
    test.each([
      ['rejected', 200, 'pending_review'],
      ['approved', 400, 'invalid_state_transition'],
      ['suspended', 403, 'product_suspended'],
    ])('submit-review from %s: %i %s', async (status, expected, outcome) => {
      const id = await createIn(status);
      const reply = await call('POST', `/v1/products/${id}/submit-review`, { body: 'not json', headers: { 'content-type': 'text/plain' } });
      expect([reply.status, reply.json.code ?? reply.json.status]).toEqual([expected, outcome]);
      if (reply.status === 200) expect(reply.json).not.toHaveProperty('rejection_reason');
    });

    test.each([
      ['approved', 'draft'],
      ['suspended', 'suspended'],
    ])('publish from %s: false makes it %s, true is refused', async (status, after) => {
      const id = await createIn(status);
      const refused = await call('POST', `/v1/products/${id}/publish`, { body: { publish: true } });
      expect([refused.status, refused.json.code]).toEqual([403, 'publish_forbidden']);
      const before = (await call('GET', `/v1/products/${id}`)).json;
      expect(before.status).toBe(status);
      const reply = await call('POST', `/v1/products/${id}/publish`, { body: { publish: false } });
      expect(reply.json).toMatchObject({ status: after, review_status: after });
      if (status === after) expect(reply.json).toEqual(before);
    });

    test.each([{}, { publish: null }, { publish: 'false' }, { publish: 0 }])('publish needs a boolean: %j', async (body) => {
      const { id } = await create();
      const reply = await call('POST', `/v1/products/${id}/publish`, { body });
      expect([reply.status, reply.json.message]).toEqual([400, expect.stringMatching(/^publish /)]);
    });
  });

  test('what a seller does to the state of a product is audited, and nothing else is', async () => {
    const id = await createIn('pending_review');
    const before = (await listAudit(catalog.table, { targetId: id, limit: 10 })).items.length;
    const { name } = (await call('GET', `/v1/products/${id}`)).json;
    for (const description of ['First.', 'Second.'])
      await call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, description } });
    await call('POST', `/v1/products/${id}/publish`, { body: { publish: false } });
    const { items } = await listAudit(catalog.table, { targetId: id, limit: 10 });
    expect(items).toHaveLength(before + 1);
    expect(items[0]).toMatchObject({ action: 'product.update', before: { status: 'pending_review' }, after: { status: 'draft' } });
  });

  test('an unpublished product shows review_status approved', async () => {
    const id = await createIn('unpublished');
    expect((await call('GET', `/v1/products/${id}`)).json).toMatchObject({ status: 'unpublished', review_status: 'approved' });
  });
});

describe('the list of own products', () => {
  test('pages newest first, filters by status, and shows nobody else’s', async () => {
    const catalog = await createCatalogHarness();
    const { call } = await catalog.newSeller();
    const other = await catalog.newSeller();
    await other.call('POST', '/v1/products', { body: request() });
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const { id } = (await call('POST', '/v1/products', { body: request() })).json;
      ids.unshift(id);
      if (index % 2 === 0) await call('POST', `/v1/products/${id}/submit-review`);
      catalog.pass(1);
    }
    const pages: string[][] = [];
    let cursor = '';
    do {
      const { json } = await call('GET', `/v1/products?limit=3${cursor && `&cursor=${cursor}`}`);
      pages.push(json.items.map((item: { id: string }) => item.id));
      cursor = json.next_cursor ?? '';
    } while (cursor);
    expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);

    const pending = await call('GET', '/v1/products?status=pending_review&limit=4');
    expect(pending.json.items.map((item: { id: string }) => item.id)).toEqual(ids.filter((_, index) => index % 2 === 0));
    expect((await catalog.asUser('without-seller')('GET', '/v1/products')).json).toEqual({ items: [] });
    const stray = await catalog.asUser('without-seller')('GET', '/v1/products?cursor=stray');
    expect([stray.status, stray.json.code]).toEqual([400, 'invalid_request']);
  });
});
