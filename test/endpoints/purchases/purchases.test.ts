import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import type { Keyring } from '../../../shared/crypto/keyring.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

let harness: SalesHarness;
let order: Order;
beforeAll(async () => {
  harness = await startSalesHarness();
});
afterAll(() => harness.fakeProvider.stop());
beforeEach(async () => {
  order = await harness.addOrder();
  await harness.deliver(sessionEvent(order, 'completed'));
});

const hour = 3600_000;
const complete = (body: object) => harness.purchaseCall('POST', '/v1/purchases/complete', { body });
const token = (use: 'mail' | 'redirect' | 'admin' = 'mail', lifetime = hour, keys: Keyring = harness.tokenKeys, orderId = order.id) =>
  mintCompletionToken({ orderId, use, expiresAt: new Date(Date.now() + lifetime) }, new Date(), keys);

describe('completing a purchase', () => {
  test('shows order, product and the key to the holder of a token', async () => {
    const reply = await complete({ token: await token() });
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json).toMatchObject({
      order: { id: order.id, status: 'paid', amount: 1200, currency: 'JPY' },
      product: { id: order.productId, slug: 'sample-app', name: 'Sample App', seller_display_name: 'Sample Shop' },
      license: { status: 'active', activation_limit: 2, activation_count: 0 },
      files: [],
    });
    expect(reply.json.license.license_key).toMatch(/^SHOP7(-[0-9A-Z]{5}){5}$/);
    expect(Object.keys(reply.json)).toEqual(['order', 'product', 'license', 'files', 'expires_at']);
    expect(reply.json.product).toMatchObject({ seller_id: order.sellerId });
    for (const field of ['site_url', 'tokushoho_seller_name', 'tokushoho_contact', 'tokushoho_address']) {
      expect(reply.json.product).not.toHaveProperty(field);
    }
  });

  test('shows the address to the payer, who holds the token of the redirect, and to nobody else', async () => {
    expect((await complete({ token: await token('redirect') })).json).toMatchObject({
      buyer_email: 'Buyer@Example.com',
      buyer_email_masked: 'B…@Example.com',
    });
    for (const use of ['mail', 'admin'] as const)
      expect((await complete({ token: await token(use) })).text).not.toMatch(/buyer_email|buyer@/i);
    const nobodys = await harness.addOrder();
    await harness.deliver(sessionEvent(nobodys, 'completed', { customer_details: null }));
    const body = { token: await token('redirect', hour, harness.tokenKeys, nobodys.id) };
    expect(await complete(body)).toMatchObject({ status: 200 });
    expect((await complete(body)).text).not.toContain('buyer_email');
  });

  test.each([
    ['ja', { time_zone: 'Asia/Tokyo', paid_on: '2026-01-15' }],
    ['en', { time_zone: 'UTC', paid_on: '2026-01-14' }],
  ] as const)('shows the day of the payment where the mail of an order in %s counts it', async (locale, day) => {
    const sold = await harness.addOrder({ locale, status: 'paid', checkout: { paidAt: '2026-01-14T20:30:00.000Z' } });
    expect((await complete({ token: await token('mail', hour, harness.tokenKeys, sold.id) })).json.order).toMatchObject(day);
  });

  test('shows what was refunded', async () => {
    const refunded = async () => (await complete({ token: await token() })).json.order.amount_refunded;
    expect(await refunded()).toBe(0);
    await harness.deliver(refundEvent(order, 400));
    expect(await refunded()).toBe(400);
    await harness.deliver(disputeEvent(order, 'created', 'needs_response'));
    expect(await refunded()).toBe(400);
    await harness.deliver(refundEvent(order, 1200));
    expect(await refunded()).toBe(1200);
  });

  test('shows the flat form to the holder of e-mail and token, letter case aside', async () => {
    const reply = await complete({ buyer_email: ' BUYER@example.com'.trim(), completion_token: await token('admin') });
    expect(reply.json).toMatchObject({ order_id: order.id, order_status: 'paid', license_status: 'active', product_name: 'Sample App' });
    expect(reply.json.license_key).toMatch(/^SHOP7-/);
  });

  const refusals: [string, () => Promise<object>, number, string][] = [
    ['no credential', async () => ({}), 400, 'invalid_request'],
    ['both forms', async () => ({ token: await token(), buyer_email: 'a@example.com', completion_token: 'x' }), 400, 'invalid_request'],
    ['a token and an e-mail', async () => ({ token: await token(), buyer_email: 'buyer@example.com' }), 400, 'invalid_request'],
    ['an e-mail alone', async () => ({ buyer_email: 'buyer@example.com' }), 400, 'invalid_request'],
    ['a blank token', async () => ({ token: '  ' }), 400, 'invalid_request'],
    ['a malformed token', async () => ({ token: 'abc' }), 400, 'invalid_request'],
    ['a token of three wrong parts', async () => ({ token: 'a.b.c' }), 400, 'invalid_request'],
    [
      'another e-mail',
      async () => ({ buyer_email: 'other@example.com', completion_token: await token() }),
      403,
      'completion_token_invalid',
    ],
  ];

  test.each(refusals)('is refused with %s', async (_, bodyOf, status, code) => {
    const reply = await complete(await bodyOf());
    expect([reply.status, reply.json.code]).toEqual([status, code]);
  });

  test('waits while the order is not paid, and ends with an expired session', async () => {
    const unpaid = await harness.addOrder();
    const body = { token: await token('redirect', hour, harness.tokenKeys, unpaid.id) };
    expect((await complete(body)).json.code).toBe('order_not_paid');
    await harness.deliver(sessionEvent(unpaid, 'expired'));
    expect((await complete(body)).json.code).toBe('order_expired');
    await harness.deliver(sessionEvent(unpaid, 'completed'));
    expect((await complete(body)).status).toBe(200);
  });
});
