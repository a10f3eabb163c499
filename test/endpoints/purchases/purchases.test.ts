import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { sellerKey } from '../../../shared/db/keys.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { findCheckoutRequest, listOrdersOfSeller } from '../../../shared/orders/order-repository.ts';
import { replaceProduct } from '../../../shared/products/product-repository.ts';
import { paymentTakesDays } from '../../../shared/text/payment-words.ts';
import { createService } from '../../support/http/service.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

let harness: SalesHarness;
beforeAll(async () => {
  harness = await startSalesHarness();
});
afterAll(() => harness.fakeProvider.stop());

const checkout = (slug: string, options = {}) => harness.call('POST', `/v1/public/products/${slug}/checkout`, options);
const complete = (body: object) => harness.call('POST', '/v1/purchases/complete', { body });
const tokenOf = (orderId: Order['id'], use: 'mail' | 'redirect' | 'admin' = 'mail') =>
  mintCompletionToken({ orderId, use, expiresAt: new Date(Date.now() + 3600_000) }, new Date(), harness.tokenKeys);
const refusal = (status: number, code: string) => ({ status, json: { code } });

describe('checkout', () => {
  test('is told of by its order and its request, and of no address', async () => {
    const product = await harness.offer();
    harness.logged.length = 0;
    const { json, headers } = await checkout(product.slug, { body: { buyer_email: 'buyer@example.com' } });
    expect(headers['cache-control']).toBe('no-store');
    const told = { message: 'checkout_started', orderId: json.order_id, requestId: headers['x-request-id'] };
    expect(harness.logged.map((line) => JSON.parse(line))).toEqual([{ at: expect.any(String), level: 'info', ...told }]);
  });

  test('keeps terms and what the seller disclosed as they were, however product and seller change before it is paid', async () => {
    const disclosed = { tokushohoSellerName: 'Shop K.K.', tokushohoContact: '+81 3-0000-0000', tokushohoAddress: '1-2-3 Ginza, Tokyo' };
    const terms = { activationLimit: 7, features: ['pro'] };
    const product = await harness.offer({ ...disclosed, ...terms }, { siteUrl: 'https://shop.example.com/before' });
    const { json } = await checkout(product.slug);
    const other = { name: 'Another', tokushohoSellerName: 'Other', tokushohoContact: 'Other', tokushohoAddress: 'Other' };
    const changed = { ...other, activationLimit: 1, features: [], priceAmount: 1, revision: product.revision + 1 };
    await harness.table.transact(replaceProduct(product, { ...product, ...changed }));
    const seller = { Key: sellerKey(product.sellerId), UpdateExpression: 'SET siteUrl = :url' };
    await harness.table.write({ update: { ...seller, ExpressionAttributeValues: { ':url': 'https://shop.example.com/after' } } });
    await harness.pay(json.checkout_url);
    const { order, license } = await harness.show(json.order_id);
    expect(order).toMatchObject({ status: 'paid', amount: product.priceAmount, terms });
    expect(license).toMatchObject(terms);
    const { success_url } = await harness.sessionOf(json.checkout_url);
    expect((await complete({ token: success_url?.split('#token=')[1] })).json.product).toMatchObject({
      name: product.name,
      site_url: 'https://shop.example.com/before',
      tokushoho_seller_name: 'Shop K.K.',
      tokushoho_contact: '+81 3-0000-0000',
      tokushoho_address: '1-2-3 Ginza, Tokyo',
    });
  });

  test('takes no body as well as an empty one, and writes nothing for a wrong one', async () => {
    const product = await harness.offer();
    for (const options of [{}, { body: {} }, { body: '' }]) expect((await checkout(product.slug, options)).status).toBe(201);
    const other = await harness.offer();
    for (const body of [{ buyer_email: 'no address' }, { buyer_email: null }, { locale: 'fr' }, []]) {
      expect(await checkout(other.slug, { body })).toMatchObject(refusal(400, 'invalid_request'));
    }
    expect((await listOrdersOfSeller(harness.table, other.sellerId, { limit: 1 })).items).toEqual([]);
  });
});

describe('an idempotency key', () => {
  const key = { headers: { 'Idempotency-Key': 'k-0123456789abcdef' } };

  test('with another body is refused; of another product it is another key', async () => {
    const [one, other] = [await harness.offer(), await harness.offer()];
    await checkout(one.slug, { ...key, body: { buyer_email: 'bob@example.com' } });
    for (const body of [{ buyer_email: 'eve@example.com' }, { buyer_email: 'bob@example.com', locale: 'ja' }, {}]) {
      expect(await checkout(one.slug, { ...key, body })).toMatchObject(refusal(400, 'idempotency_key_reused'));
    }
    expect((await checkout(other.slug, { ...key, body: {} })).status).toBe(201);
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
    const { slug } = await harness.offer();
    expect(await checkout(slug, { headers: { 'Idempotency-Key': value } })).toMatchObject(refusal(400, 'invalid_request'));
  });
});

describe('completing a purchase', () => {
  let order: Order;
  beforeEach(async () => {
    order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed'));
  });

  test('shows the key, and nothing that the seller did not disclose', async () => {
    const reply = await complete({ token: await tokenOf(order.id) });
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(reply.json.license.license_key).toMatch(/^SHOP7(-[0-9A-Z]{5}){5}$/);
    expect(reply.text).not.toMatch(/site_url|tokushoho/);
  });

  test('shows the address to the payer, who holds the token of the redirect, and to nobody else', async () => {
    expect((await complete({ token: await tokenOf(order.id, 'redirect') })).json).toMatchObject({
      buyer_email: 'Buyer@Example.com',
      buyer_email_masked: 'B…@Example.com',
    });
    for (const use of ['mail', 'admin'] as const) {
      expect((await complete({ token: await tokenOf(order.id, use) })).text).not.toMatch(/buyer_email|buyer@/i);
    }
    const nobodys = await harness.addOrder();
    await harness.deliver(sessionEvent(nobodys, 'completed', { customer_details: null }));
    const reply = await complete({ token: await tokenOf(nobodys.id, 'redirect') });
    expect([reply.status, reply.text.includes('buyer_email')]).toEqual([200, false]);
  });

  test.each([
    ['ja', { time_zone: 'Asia/Tokyo', paid_on: '2026-01-15' }],
    ['en', { time_zone: 'UTC', paid_on: '2026-01-14' }],
  ] as const)('shows the day of the payment where the mail of an order in %s counts it', async (locale, day) => {
    const sold = await harness.addOrder({ locale, status: 'paid', checkout: { paidAt: '2026-01-14T20:30:00.000Z' } });
    expect((await complete({ token: await tokenOf(sold.id) })).json.order).toMatchObject(day);
  });

  test('says that the same was bought before, until that is refunded', async () => {
    const { productId } = order;
    const first = await harness.addOrder({ productId });
    const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
    await harness.deliver(sessionEvent(first, 'completed', { customer_details: { email: 'twice@example.com' } }, { created: anHourAgo }));
    const { order: before } = await harness.show(first.id);
    const again = await harness.addOrder({ productId });
    await harness.deliver(sessionEvent(again, 'completed', { customer_details: { email: 'Twice@Example.com' } }));
    const said = async () => (await complete({ token: await tokenOf(again.id) })).json.order.bought_before;
    expect(await said()).toEqual({ paid_at: before.checkout.paidAt });
    await harness.deliver(refundEvent(first, 1200));
    expect(await said()).toBeUndefined();
  });

  test('shows what was refunded', async () => {
    const dispute = disputeEvent(order, 'created', 'needs_response');
    for (const [event, amount] of [
      [undefined, 0],
      [refundEvent(order, 400), 400],
      [dispute, 400],
      [refundEvent(order, 1200), 1200],
    ]) {
      if (event) await harness.deliver(event);
      expect((await complete({ token: await tokenOf(order.id) })).json.order.amount_refunded).toBe(amount);
    }
  });

  test('shows the flat form to the holder of e-mail and token, letter case aside', async () => {
    const reply = await complete({ buyer_email: 'BUYER@example.com', completion_token: await tokenOf(order.id, 'admin') });
    expect(reply.json).toMatchObject({ order_id: order.id, order_status: 'paid', license_status: 'active', product_name: 'Sample App' });
    expect(reply.json.license_key).toMatch(/^SHOP7-/);
  });

  test('is refused with no credential, with both or with half of one', async () => {
    const token = await tokenOf(order.id);
    const buyer_email = 'buyer@example.com';
    const malformed = ['  ', 'abc', 'a.b.c'].map((text) => ({ token: text }));
    for (const body of [{}, { token, buyer_email, completion_token: token }, { token, buyer_email }, { buyer_email }, ...malformed]) {
      expect([body, await complete(body)]).toMatchObject([body, refusal(400, 'invalid_request')]);
    }
    const anothers = { buyer_email: 'other@example.com', completion_token: token };
    expect(await complete(anothers)).toMatchObject(refusal(403, 'completion_token_invalid'));
  });

  test('waits while the order is not paid, and ends with an expired session', async () => {
    const unpaid = await harness.addOrder();
    const body = { token: await tokenOf(unpaid.id, 'redirect') };
    expect((await complete(body)).json.code).toBe('order_not_paid');
    await harness.deliver(sessionEvent(unpaid, 'completed', { payment_status: 'unpaid' }));
    expect((await complete(body)).json).toMatchObject({ code: 'order_not_paid', message: paymentTakesDays });
    await harness.deliver(sessionEvent(unpaid, 'expired'));
    expect((await complete(body)).json.code).toBe('order_expired');
    await harness.deliver(sessionEvent(unpaid, 'completed'));
    expect((await complete(body)).status).toBe(200);
  });
});

describe('the invoice of an order', () => {
  const invoiceOf = async ({ id }: Order) => (await complete({ token: await tokenOf(id) })).json.order.invoice;

  test('is as it was sold, whatever its seller changes, and states refunds and lost disputes as one', async () => {
    const product = { priceAmount: 5500, taxPercent: 8, tokushohoSellerName: 'Minato K.K.' } as const;
    const { slug } = await harness.offer(product, { invoiceRegistrationNumber: 'T1234567890123' });
    const { json } = await checkout(slug);
    await harness.pay(json.checkout_url);
    const { order } = await harness.show(json.order_id);
    await harness.table.write({ update: { Key: sellerKey(order.sellerId), UpdateExpression: 'REMOVE invoiceRegistrationNumber' } });
    const whole = { registration_number: 'T1234567890123', seller_name: 'Minato K.K.', tax_percent: 8, tax_amount: 407 };
    expect(await invoiceOf(order)).toEqual(whole);

    const of = { payment_intent: order.paymentIntentId };
    await harness.deliver({ ...refundEvent(order, 1000, of), created: 1_800_000_000 });
    const refunded = { amount: 1000, tax_amount: 74, refunded_at: '2027-01-15T08:00:00.000Z' };
    expect(await invoiceOf(order)).toEqual({ ...whole, refunds: [refunded] });
    await harness.deliver(disputeEvent(order, 'created', 'needs_response', { ...of, amount: 2000 }, { created: 1_800_000_050 }));
    expect(await invoiceOf(order)).toEqual({ ...whole, refunds: [refunded] });
    await harness.deliver(disputeEvent(order, 'closed', 'lost', { ...of, amount: 2000 }, { created: 1_800_000_060 }));
    const both = { amount: 3000, tax_amount: 222, refunded_at: '2027-01-15T08:01:00.000Z' };
    expect(await invoiceOf(order)).toEqual({ ...whole, refunds: [both] });
  });
});

describe('the completion token that an admin requests', () => {
  const ask = (orderId: string, stage: 'staging' | 'production' = 'staging') => {
    const { table, queue, now } = harness;
    const settings = { ...harness.settings, STAGE: stage };
    const call = createService({ settings, logger: silentLogger, table, sender: queue, now });
    const headers = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };
    return call('POST', `/v1/admin/orders/${orderId}/completion-token`, { headers });
  };

  test('opens the purchase for a quarter of an hour, shows no key and is audited', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed'));
    const before = harness.now().getTime();
    const reply = await ask(order.id);
    const { completion_token, completion_url, expires_at } = reply.json;
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' }, json: { order_id: order.id } });
    expect(completion_url).toBe(`http://shop.test/complete#token=${completion_token}`);
    const made = Date.parse(expires_at) - 15 * 60_000;
    expect([made > before - 1000, made <= harness.now().getTime()]).toEqual([true, true]);
    const purchase = await harness.call('POST', '/v1/purchases/complete', { body: { token: completion_token } });
    expect(purchase).toMatchObject({ status: 200, json: { order: { id: order.id } } });
    expect(reply.text).not.toContain(purchase.json.license.license_key);
    expect((await listAudit(harness.table, { targetId: order.id, limit: 10 })).items).toContainEqual(
      expect.objectContaining({ actor: 'admin', action: 'order.create_completion_token' }),
    );
  });

  test('is for orders that were ever paid, refunded ones too, and for none in production', async () => {
    const order = await harness.addOrder();
    expect(await ask(order.id)).toMatchObject({ status: 400, json: { code: 'order_not_paid' } });
    await harness.deliver(sessionEvent(order, 'completed'));
    await harness.deliver(refundEvent(order, 1200));
    expect((await ask(order.id)).status).toBe(200);
    expect(await ask(order.id, 'production')).toMatchObject({ status: 403, json: { code: 'disabled_in_production' } });
  });
});
