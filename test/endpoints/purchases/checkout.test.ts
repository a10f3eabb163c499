import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sellerKey } from '../../../shared/db/keys.ts';
import { findCheckoutRequest, listOrdersOfSeller } from '../../../shared/orders/order-repository.ts';
import { replaceProduct } from '../../../shared/products/product-repository.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

let harness: SalesHarness;
beforeAll(async () => {
  harness = await startSalesHarness();
});
afterAll(() => harness.fakeProvider.stop());

const checkout = (slug: string, options = {}) => harness.checkoutCall('POST', `/v1/public/products/${slug}/checkout`, options);

describe('checkout', () => {
  test('opens a hosted checkout of half an hour, and keeps the order that it is for', async () => {
    const product = await harness.offer({ priceAmount: 4805, currency: 'Jpy' });
    const reply = await checkout(product.slug, { body: { buyer_email: 'buyer@example.com', locale: 'ja' } });
    expect(reply.status).toBe(201);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json).toMatchObject({ amount: 4805, currency: 'Jpy' });
    expect(Date.parse(reply.json.expires_at) - Date.now()).toBeGreaterThan(29 * 60_000);
    expect(Date.parse(reply.json.expires_at) - Date.now()).toBeLessThan(31 * 60_000);

    const session = await harness.sessionOf(reply.json.checkout_url);
    const { order } = await harness.show(reply.json.order_id);
    expect(session).toMatchObject({
      client_reference_id: order.id,
      amount_total: 4805,
      currency: 'jpy',
      customer_email: 'buyer@example.com',
    });
    expect(session.success_url).toMatch(/^http:\/\/shop\.test\/complete\?lang=ja#token=eyJ/);
    expect(session.cancel_url).not.toContain('token');
    expect(order).toMatchObject({ checkoutSessionId: session.id, applicationFeeAmount: 480, status: 'pending', paymentStatus: 'pending' });
  });

  test.each([
    ['ja', '/complete?lang=ja'],
    [undefined, '/complete'],
  ])('in %s leads to %s after payment, with the token in the fragment alone', async (locale, target) => {
    const product = await harness.offer();
    const { json } = await checkout(product.slug, { body: { locale } });
    const url = new URL((await harness.sessionOf(json.checkout_url)).success_url ?? '');
    expect(url.pathname + url.search).toBe(target);
    expect(url.hash).toMatch(/^#token=[\w.-]+$/);
  });

  test('is told of by its order and its request, and of no address', async () => {
    const product = await harness.offer();
    harness.logged.length = 0;
    const { json, headers } = await checkout(product.slug, { body: { buyer_email: 'buyer@example.com' } });
    const told = { message: 'checkout_started', orderId: json.order_id, requestId: headers['x-request-id'] };
    expect(harness.logged.map((line) => JSON.parse(line))).toEqual([{ at: expect.any(String), level: 'info', ...told }]);
  });

  test('keeps what the seller disclosed, as it was, for the page of the buyer', async () => {
    const disclosed = { tokushohoSellerName: 'Shop K.K.', tokushohoContact: '+81 3-0000-0000', tokushohoAddress: '1-2-3 Ginza, Tokyo' };
    const product = await harness.offer(disclosed, { siteUrl: 'https://shop.example.com/before' });
    const { json } = await checkout(product.slug);
    const changed = { tokushohoSellerName: 'Other', tokushohoContact: 'Other', tokushohoAddress: 'Other', revision: product.revision + 1 };
    await harness.table.transact(replaceProduct(product, { ...product, ...changed }));
    const seller = { Key: sellerKey(product.sellerId), UpdateExpression: 'SET siteUrl = :url' };
    await harness.table.write({ update: { ...seller, ExpressionAttributeValues: { ':url': 'https://shop.example.com/after' } } });
    await harness.pay(json.checkout_url);
    const { success_url } = await harness.sessionOf(json.checkout_url);
    const token = success_url?.split('#token=')[1];
    expect((await harness.purchaseCall('POST', '/v1/purchases/complete', { body: { token } })).json.product).toMatchObject({
      seller_id: product.sellerId,
      site_url: 'https://shop.example.com/before',
      tokushoho_seller_name: 'Shop K.K.',
      tokushoho_contact: '+81 3-0000-0000',
      tokushoho_address: '1-2-3 Ginza, Tokyo',
    });
  });

  test.each([{}, { body: {} }, { body: '' }])('takes no body as well as an empty one: %j', async (options) => {
    const product = await harness.offer();
    expect((await checkout(product.slug, options)).status).toBe(201);
  });

  test('keeps the terms of its creation, however the product changes before it is paid', async () => {
    const product = await harness.offer({ activationLimit: 7, features: ['pro'] });
    const { json } = await checkout(product.slug);
    const changed = { name: 'Another Name', activationLimit: 1, features: [], priceAmount: 1, revision: product.revision + 1 };
    await harness.table.transact(replaceProduct(product, { ...product, ...changed }));
    await harness.pay(json.checkout_url);
    const { order, license } = await harness.show(json.order_id);
    expect(order).toMatchObject({ status: 'paid', amount: product.priceAmount });
    expect(order.terms).toMatchObject({ activationLimit: 7, features: ['pro'], productName: product.name });
    expect(license).toMatchObject({ activationLimit: 7, features: ['pro'] });
  });

  test('of an unknown slug is not found', async () => {
    const reply = await checkout('no-such-product');
    expect([reply.status, reply.json.code]).toEqual([404, 'product_not_found']);
  });

  test.each([
    ['a draft', 'not_approved', { status: 'draft' as const }, {}],
    ['a product without stock', 'out_of_stock', { licenseIssuanceMode: 'imported_csv' as const }, {}],
    ['a suspended seller', 'seller_not_approved', { status: 'draft' as const }, { internalReviewStatus: 'suspended' as const }],
    ['a seller whose account takes no charges', 'payment_not_ready', {}, { paymentChargesEnabled: false }],
    ['a seller without an account', 'payment_not_ready', {}, { paymentConnectedAccountId: undefined }],
  ])('of %s is refused as %s', async (_, blocker, product, seller) => {
    const offered = await harness.offer(product, seller);
    const reply = await checkout(offered.slug);
    expect([reply.status, reply.json.code]).toEqual([403, 'checkout_not_available']);
    expect(reply.json.message).toMatch(new RegExp(`^${blocker}: The .*\\.$`));
  });

  test.each([{ buyer_email: 'no address' }, { buyer_email: null }, { locale: 'fr' }, { locale: 1 }, []])(
    'refuses %j and writes nothing',
    async (body) => {
      const product = await harness.offer();
      const reply = await checkout(product.slug, { body });
      expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
      expect((await listOrdersOfSeller(harness.table, product.sellerId, { limit: 1 })).items).toEqual([]);
    },
  );
});

describe('an idempotency key', () => {
  const key = { headers: { 'Idempotency-Key': 'k-0123456789abcdef' } };

  test('with another body is refused; of another product it is another key', async () => {
    const [one, other] = [await harness.offer(), await harness.offer()];
    await checkout(one.slug, { ...key, body: { locale: 'en' } });
    const reply = await checkout(one.slug, { ...key, body: { locale: 'ja' } });
    expect([reply.status, reply.json.code]).toEqual([400, 'idempotency_key_reused']);
    expect((await checkout(other.slug, { ...key, body: { locale: 'ja' } })).status).toBe(201);
  });

  test.each([
    ['another address', { buyer_email: 'eve@example.com' }],
    ['no address', {}],
  ])('with %s is refused', async (_, body) => {
    const product = await harness.offer();
    await checkout(product.slug, { ...key, body: { buyer_email: 'bob@example.com' } });
    const reply = await checkout(product.slug, { ...key, body });
    expect([reply.status, reply.json.code]).toEqual([400, 'idempotency_key_reused']);
  });

  test('is forgotten a day later', async () => {
    const product = await harness.offer();
    harness.tickBy(1500);
    await checkout(product.slug, key);
    harness.tickBy(0);
    const requestHash = createHash('sha256').update(`${product.slug}\n${key.headers['Idempotency-Key']}`).digest('base64url');
    const { ttl = 0, createdAt = '' } = (await findCheckoutRequest(harness.table, requestHash)) ?? {};
    expect(ttl - Math.ceil(Date.parse(createdAt) / 1000)).toBe(24 * 3600);
  });

  test.each(['short', 'x'.repeat(256), 'with a space in it', 'näher-als-gedacht'])('%j is refused', async (value) => {
    const product = await harness.offer();
    const reply = await checkout(product.slug, { headers: { 'Idempotency-Key': value } });
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
  });
});
