import { beforeAll, describe, expect, test } from '@jest/globals';
import { addProduct, replaceProduct } from '../../shared/products/product-repository.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { type CatalogHarness, createCatalogHarness } from '../support/scenes/catalog-harness.ts';

describe('the public page of a product', () => {
  let catalog: CatalogHarness;
  const put = async (fields: Parameters<typeof sampleProduct>[0], seller: Parameters<CatalogHarness['newSeller']>[0] = {}) => {
    const made = await catalog.newSeller(seller);
    const product = sampleProduct({ status: 'approved', sellerId: made.seller.id, ...fields });
    await catalog.table.transact(addProduct(product));
    return product;
  };
  const get = (slug: string, headers: Record<string, string> = {}) => catalog.publicCall('GET', `/v1/public/products/${slug}`, { headers });

  beforeAll(async () => {
    catalog = await createCatalogHarness();
  });

  test('shows exactly what the interface lists, in two requests to the table', async () => {
    const product = await put(
      {
        slug: '写真-studio',
        features: ['pro'],
        tokushohoAddress: 'Tokyo',
        tokushohoContact: '03',
        tokushohoSellerName: 'KK',
        reviewedBy: 'admin',
      },
      { displayName: 'Example Shop' },
    );
    catalog.takeRequestCounts();
    const reply = await get(encodeURIComponent('写真-studio'));
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 1 });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      id: product.id,
      slug: '写真-studio',
      name: product.name,
      description: 'Edits photos.',
      price_amount: 4800,
      currency: 'JPY',
      seller_display_name: 'Example Shop',
      support_email: 'help@example.com',
      refund_policy: 'Within 14 days.',
      software_operating_environment: 'Windows 11',
      license_issuance_mode: 'generated_server_validated',
      activation_limit: 1,
      features: ['pro'],
      offline_days: 14,
      offline_file_days: 0,
      updates_days: 36_500,
      max_quantity: 1,
      addition_prices: {},
      upgrades_from: [],
      tokushoho_seller_name: 'KK',
      tokushoho_contact: '03',
      tokushoho_address: 'Tokyo',
    });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
  });

  test('answers a caller that has it already without body', async () => {
    const { slug } = await put({});
    const { etag = '' } = (await get(slug)).headers;
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await get(slug, { 'If-None-Match': header });
      expect([reply.status, reply.text, reply.headers['etag'], reply.headers['cache-control']]).toEqual([
        304,
        '',
        etag,
        'public, max-age=60',
      ]);
      expect(reply.headers).toHaveProperty('x-request-id');
      expect(reply.headers).not.toHaveProperty('content-type');
    }
    expect((await get(slug, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('the tag changes with what is shown, and with nothing else', async () => {
    const product = await put({});
    const tag = async () => (await get(product.slug)).headers['etag'];
    const first = await tag();
    const touched = { ...product, revision: 2, updatedAt: '2026-02-01T00:00:00.000Z', reviewedBy: 'someone' };
    await catalog.table.transact(replaceProduct(product, touched));
    expect(await tag()).toBe(first);
    await catalog.table.transact(replaceProduct(touched, { ...touched, revision: 3, priceAmount: 1 }));
    expect(await tag()).not.toBe(first);
  });

  test('a former slug leads to the product and shows the present one', async () => {
    const product = await put({ slug: 'before' });
    await catalog.table.transact(replaceProduct(product, { ...product, slug: 'after', slugs: ['before', 'after'], revision: 2 }));
    expect((await get('before')).json).toMatchObject({ id: product.id, slug: 'after' });
  });

  test.each(['approved', 'draft'] as const)('of a product that is %s', async (status) => {
    const { slug } = await put({ status });
    const reply = await get(slug);
    const visible = status === 'approved';
    expect([reply.status, reply.json.code]).toEqual(visible ? [200, undefined] : [404, 'product_not_found']);
  });

  test.each(['approved_limited', 'suspended'] as const)('of a seller that is %s', async (internalReviewStatus) => {
    const { slug } = await put({}, { internalReviewStatus });
    const reply = await get(slug);
    const visible = internalReviewStatus === 'approved_limited';
    expect([reply.status, reply.json.code]).toEqual(visible ? [200, undefined] : [404, 'product_not_found']);
  });

  test('slugs are matched exactly; what cannot be one is not found', async () => {
    await put({ slug: 'exact-slug' });
    for (const slug of [
      'Exact-Slug',
      'exact-slug-',
      'exact%20slug',
      'exact-slu',
      '%00',
      '..%2F..%2Fx',
      '%F0%9F%98%80',
      'x'.repeat(6000),
      '%25',
      '%C3%28',
      '%',
    ]) {
      const reply = await get(slug);
      expect([slug, reply.status, reply.json?.code]).toEqual([slug, 404, 'product_not_found']);
      expect(reply.headers).not.toHaveProperty('cache-control');
    }
  });
});
