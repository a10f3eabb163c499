import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rateLimitKey } from '../../../shared/db/keys.ts';
import { listOrdersOfSeller } from '../../../shared/orders/order-repository.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { type StrictCheckouts, startStrictCheckouts } from '../../support/scenes/strict-checkouts.ts';

const key = 'k-0123456789abcdef';

let shop: StrictCheckouts;
let product: ProductRecord;
beforeAll(async () => {
  shop = await startStrictCheckouts();
});
afterAll(() => shop.provider.stop());
beforeEach(async () => {
  // That the provider refused a checkout for coming too fast is forgotten.
  shop.passTime(60_000);
  product = await shop.offer();
  shop.provider.opened.length = 0;
});

const lineItem = 'line_items[0][price_data]';
const destination = 'payment_intent_data[transfer_data][destination]';

/** What the provider answers, and what the buyer's program is told. */
const refusals: [error: { code?: string; param?: string; type?: string }, status: number, code: string][] = [
  [{ code: 'email_invalid', param: 'customer_email' }, 400, 'invalid_request'],
  [{ code: 'email_invalid' }, 400, 'invalid_request'],
  [{ param: 'customer_email' }, 400, 'invalid_request'],
  [{ code: 'parameter_invalid_string_blank', param: 'customer_email' }, 400, 'invalid_request'],
  [{ code: 'invalid_characters', param: 'customer_email' }, 400, 'invalid_request'],
  [{ code: 'amount_too_small', param: 'line_items' }, 400, 'price_not_chargeable'],
  [{ code: 'amount_too_large' }, 400, 'price_not_chargeable'],
  [{ code: 'checkout_amount_too_large', param: 'line_items' }, 400, 'price_not_chargeable'],
  [{ code: 'invalid_charge_amount' }, 400, 'price_not_chargeable'],
  [{ code: 'invalid_charge_amount_no_decimal_compatible' }, 400, 'price_not_chargeable'],
  [{ code: 'charge_exceeds_transaction_limit' }, 400, 'price_not_chargeable'],
  [{ code: 'parameter_invalid_integer', param: `${lineItem}[unit_amount]` }, 400, 'price_not_chargeable'],
  [{ param: `${lineItem}[unit_amount]` }, 400, 'price_not_chargeable'],
  [{ code: 'parameter_invalid_integer', param: 'payment_intent_data[application_fee_amount]' }, 400, 'price_not_chargeable'],
  [{ param: `${lineItem}[currency]` }, 400, 'price_not_chargeable'],
  [{ code: 'parameter_invalid_string_empty', param: `${lineItem}[currency]` }, 400, 'price_not_chargeable'],
  [{ code: 'currency_not_supported', param: 'line_items' }, 400, 'price_not_chargeable'],
  [{ code: 'payment_method_unactivated', param: 'payment_method' }, 400, 'price_not_chargeable'],
  [{ code: 'payment_method_currency_mismatch' }, 400, 'price_not_chargeable'],
  [{ code: 'payment_method_unsupported_type' }, 400, 'price_not_chargeable'],
  [{ code: 'payment_method_not_available' }, 400, 'price_not_chargeable'],
  [{ param: 'payment_method_types' }, 400, 'price_not_chargeable'],
  [{ param: 'allowed_payment_method_types[0]' }, 400, 'price_not_chargeable'],
  [{ code: 'capability_not_active' }, 403, 'checkout_not_available'],
  [{ code: 'insufficient_capabilities_for_transfer', param: destination }, 403, 'checkout_not_available'],
  [{ code: 'resource_missing', param: destination }, 403, 'checkout_not_available'],
  [{ param: destination }, 403, 'checkout_not_available'],
  [{ code: 'account_closed' }, 403, 'checkout_not_available'],
  [{ code: 'account_invalid' }, 403, 'checkout_not_available'],
  [{ code: 'transfers_not_allowed' }, 403, 'checkout_not_available'],
  [{ code: 'application_fees_not_allowed' }, 403, 'checkout_not_available'],
  [{ code: 'not_allowed_on_standard_account' }, 403, 'checkout_not_available'],
  [{ code: 'no_account' }, 403, 'checkout_not_available'],
];

describe('a checkout that the provider refuses for good', () => {
  test.each(refusals)('with %j is %i %s, leaves no order, and its idempotency key is free', async (error, status, code) => {
    shop.provider.answerWith({ status: 400, body: { error: { type: 'invalid_request_error', message: 'private text', ...error } } });
    const refused = await shop.checkout(product.slug, { key, body: { buyer_email: 'buyer@example.invalid' } });
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect(refused.text).not.toMatch(/private text|buyer@/);
    if (code === 'invalid_request') expect(refused.json.message).toMatch(/^buyer_email is not taken /);
    expect((await listOrdersOfSeller(shop.table, product.sellerId, { limit: 10 })).items).toEqual([]);

    shop.provider.answerWith('open');
    const other = await shop.checkout(product.slug, { key, body: { buyer_email: 'other@example.com' } });
    expect(other.status).toBe(201);
  });

  test('at once with others of its key leaves no order either', async () => {
    shop.provider.answerWith({ status: 400, body: { error: { type: 'invalid_request_error', code: 'amount_too_small' } } });
    const replies = await Promise.all(Array.from({ length: 8 }, () => shop.checkout(product.slug, { key })));
    expect(new Set(replies.map(({ json }) => json.code))).toEqual(new Set(['price_not_chargeable']));
    expect((await listOrdersOfSeller(shop.table, product.sellerId, { limit: 10 })).items).toEqual([]);
  });

  test('does not free a key that stands for another order by now', async () => {
    shop.provider.hold();
    shop.provider.answerWith({ status: 400, body: { error: { type: 'invalid_request_error', code: 'amount_too_small' } } });
    const refused = shop.checkout(product.slug, { key });
    while (shop.provider.held < 1) await new Promise((resolve) => setImmediate(resolve));
    shop.passTime(24 * 3600_000);
    shop.provider.answerWith('open');
    const later = shop.checkout(product.slug, { key });
    while (shop.provider.held < 2) await new Promise((resolve) => setImmediate(resolve));
    shop.provider.release();
    expect((await refused).status).toBe(400);
    expect((await shop.checkout(product.slug, { key })).json).toEqual((await later).json);
  });
});

describe('a checkout that the provider cannot open now', () => {
  test.each([
    [500, { type: 'api_error' }],
    [503, { type: 'api_error', code: 'amount_too_small' }],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }],
    [429, { type: 'invalid_request_error', code: 'lock_timeout' }],
    [400, { type: 'invalid_request_error', code: 'rate_limit' }],
    [400, { type: 'invalid_request_error', code: 'lock_timeout' }],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }],
    [400, { type: 'idempotency_error' }],
    [401, { type: 'invalid_request_error', code: 'platform_api_key_expired' }],
    [403, { type: 'invalid_request_error', code: 'secret_key_required' }],
    [400, { type: 'invalid_request_error', param: 'expires_at', code: 'parameter_invalid_integer' }],
    [400, { type: 'invalid_request_error', param: 'success_url', code: 'url_invalid' }],
    [400, { type: 'invalid_request_error', param: `${lineItem}[product_data][name]`, code: 'parameter_invalid_empty' }],
  ])('because it answers %i %j is 503, and its order is tried again', async (status, error) => {
    shop.provider.answerWith({ status, body: { error: { message: 'private text', ...error } } });
    const failed = await shop.checkout(product.slug, { key });
    expect([failed.status, failed.json.code]).toEqual([503, 'dependency_unavailable']);
    expect(Number(failed.headers['retry-after'])).toBeGreaterThan(0);
    expect(failed.text).not.toContain('private text');
    const [kept] = (await listOrdersOfSeller(shop.table, product.sellerId, { limit: 10 })).items;
    shop.provider.answerWith('open');
    const opened = await shop.checkout(product.slug, { key });
    expect([opened.status, opened.json.order_id]).toEqual([201, kept?.id]);
    expect((await listOrdersOfSeller(shop.table, product.sellerId, { limit: 10 })).items).toHaveLength(1);
  });

  test('because the provider does not show the session of its key is 503', async () => {
    const first = await shop.checkout(product.slug, { key });
    shop.provider.showWith({ status: 500, body: { error: { type: 'api_error' } } });
    expect((await shop.checkout(product.slug, { key })).status).toBe(503);
    shop.provider.showWith({ status: 403, body: { error: { type: 'invalid_request_error', code: 'secret_key_required' } } });
    expect((await shop.checkout(product.slug, { key })).status).toBe(503);
    shop.provider.showWith(undefined);
    expect((await shop.checkout(product.slug, { key })).json).toEqual(first.json);
  });
});

describe('a provider that takes 25 requests in a second', () => {
  // Whatever it was refused before is over.
  beforeEach(() => shop.passTime(60_000));
  afterEach(() => shop.provider.takeASecond(Number.POSITIVE_INFINITY));

  const usual = { BatchGetItem: 1, TransactWriteItems: 1, UpdateItem: 1 };
  async function requestsOf(status: number, options?: { key?: string }) {
    shop.takeRequestCounts();
    expect((await shop.checkout(product.slug, options)).status).toBe(status);
    return shop.takeRequestCounts();
  }
  const orders = async () => (await listOrdersOfSeller(shop.table, product.sellerId, { limit: 100 })).items;

  test('fifty checkouts at once are opened by a provider that takes 25 in a second', async () => {
    shop.provider.takeASecond(25);
    const replies = await Promise.all(Array.from({ length: 50 }, () => shop.checkout(product.slug)));
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(replies.map(({ json }) => json.checkout_url)).size).toBe(50);
  });

  test('a checkout takes a turn, with a write, for half a minute after the provider refused one', async () => {
    shop.provider.takeASecond(0);
    await requestsOf(503);
    shop.provider.takeASecond(Number.POSITIVE_INFINITY);
    shop.passTime(10_000);
    expect(await requestsOf(201)).toEqual({ ...usual, UpdateItem: 2 });
    shop.passTime(20_001);
    expect(await requestsOf(201)).toEqual(usual);
  });

  test('while more wait than three seconds take, the first that is refused keeps its order, and those after it make none', async () => {
    const key = 'k-0123456789abcdef';
    shop.provider.takeASecond(0);
    const fullAt = (shop.now().getTime() + 60_000) * 1000;
    await shop.table.write({ put: { Item: { ...rateLimitKey('provider', 'checkouts'), fullAt } } });
    const before = (await orders()).length;
    await requestsOf(503, { key });
    const [kept] = await orders();
    expect(await requestsOf(503)).toEqual({ BatchGetItem: 1 });
    expect((await orders()).map(({ id }) => id)).toHaveLength(before + 1);
    shop.provider.takeASecond(25);
    shop.passTime(60_000);
    expect((await shop.checkout(product.slug, { key })).json).toMatchObject({ order_id: kept?.id });
  });
});

describe('what is sent to the provider', () => {
  const sent = () => Object.fromEntries(shop.provider.opened[0]!.params);

  test('of a paid product is a destination charge with our fee, in the currency as shown, known everywhere by its order', async () => {
    const description = `Edits photos.\n\n${'\u{1f3b5}'.repeat(400)}`;
    const paid = await shop.offer({ priceAmount: 4805, currency: 'Usd', name: 'Photo Studio', description });
    const { json } = await shop.checkout(paid.slug, { body: { buyer_email: 'buyer@example.com', locale: 'ja' } });
    const order = (await listOrdersOfSeller(shop.table, paid.sellerId, { limit: 1 })).items[0]!;
    const known = { order_id: json.order_id, product_id: paid.id, seller_id: paid.sellerId, stage: 'local' };
    const metadata = (of: string) => Object.fromEntries(Object.entries(known).map(([name, value]) => [`${of}[${name}]`, value]));
    expect(sent()).toEqual({
      mode: 'payment',
      ui_mode: 'hosted_page',
      'adaptive_pricing[enabled]': 'false',
      'allowed_payment_method_types[0]': 'card',
      client_reference_id: json.order_id,
      customer_email: 'buyer@example.com',
      locale: 'ja',
      success_url: expect.stringMatching(/^http:\/\/shop\.test\/complete\?lang=ja#token=eyJ/),
      cancel_url: `http://shop.test/checkout/cancelled?product=${encodeURIComponent(paid.slug)}&lang=ja`,
      expires_at: String(Math.floor((shop.now().getTime() + 30 * 60_000 + 20_000) / 1000)),
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '4805',
      'line_items[0][price_data][product_data][name]': 'Photo Studio',
      'line_items[0][price_data][product_data][description]': `Edits photos. ${'\u{1f3b5}'.repeat(285)}…`,
      'branding_settings[display_name]': order.terms.sellerDisplayName,
      'payment_intent_data[statement_descriptor_suffix]': 'Example Sh',
      'payment_intent_data[application_fee_amount]': '480',
      'payment_intent_data[transfer_data][destination]': order.destinationAccountId,
      ...metadata('metadata'),
      ...metadata('payment_intent_data[metadata]'),
    });
    expect(order).toMatchObject({ destinationAccountId: 'acct_test_selling', applicationFeeAmount: 480 });
  });

  test.each([
    [4809, 'JPY', '480'],
    [5120, 'KWD', '510'],
    [1500, 'ISK', '100'],
    [1900, 'ugx', '100'],
    [59, 'JPY', '5'],
    [99_999_999, 'JPY', '9999999'],
    [10, 'JPY', '1'],
  ])('of %i %s has a fee of %s, which can be charged in that currency', async (priceAmount, currency, fee) => {
    const sold = await shop.offer({ priceAmount, currency });
    await shop.checkout(sold.slug);
    expect(sent()).toMatchObject({
      'payment_intent_data[application_fee_amount]': fee,
      'line_items[0][price_data][currency]': currency.toLowerCase(),
    });
  });

  test.each([0, 9])('of a price of %i has no fee, because it would be none', async (priceAmount) => {
    const cheap = await shop.offer({ priceAmount });
    await shop.checkout(cheap.slug);
    expect(Object.keys(sent()).filter((name) => name.includes('fee'))).toEqual([]);
  });

  test('of a free product has no data of a payment, and the same metadata', async () => {
    const free = await shop.offer({ priceAmount: 0 });
    const { json } = await shop.checkout(free.slug);
    expect(Object.keys(sent()).filter((name) => /payment_intent|payment_method|email/.test(name))).toEqual([]);
    expect(sent()).toMatchObject({ 'line_items[0][price_data][unit_amount]': '0', 'metadata[order_id]': json.order_id, locale: 'auto' });
    expect(sent()['cancel_url']).toBe(`http://shop.test/checkout/cancelled?product=${encodeURIComponent(free.slug)}&free=`);
  });
});
