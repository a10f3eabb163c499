import { beforeAll, describe, expect, test } from '@jest/globals';
import { addProduct, replaceProduct } from '../../shared/products/product-repository.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { type CatalogHarness, createCatalogHarness } from '../support/scenes/catalog-harness.ts';

describe('the public page of a product', () => {
  let catalog: CatalogHarness;
  beforeAll(async () => {
    catalog = await createCatalogHarness();
  });
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
    expect(reply.json).toEqual({
      id: product.id,
      slug: '写真-studio',
      name: product.name,
      description: 'Edits photos.',
      price_amount: 4800,
      currency: 'JPY',
      seller_display_name: 'A Shop',
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

  test.each([
    ['shown', {}, { internalReviewStatus: 'approved_limited' }],
    ['hidden', { status: 'draft' }, {}],
    ['hidden', {}, { internalReviewStatus: 'suspended' }],
  ] as const)('is %s of a product that is %j by a seller that is %j', async (outcome, product, seller) => {
    const { status, json } = await get((await put(product, seller)).slug);
    expect([status, json.code]).toEqual(outcome === 'shown' ? [200, undefined] : [404, 'product_not_found']);
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
