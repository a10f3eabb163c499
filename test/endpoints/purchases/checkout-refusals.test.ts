import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rateLimitKey } from '../../../shared/db/keys.ts';
import { AppError } from '../../../shared/errors.ts';
import { listOrdersOfSeller } from '../../../shared/orders/order-repository.ts';
import { checkoutRefusalOf } from '../../../shared/payments/provider/checkout-refusals.ts';
import { ProviderRefusedError } from '../../../shared/payments/provider/stripe-client.ts';
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

/** What the provider's codes and parameters are to the buyer's program. */
const meanings: [string | undefined, codes: string, params: string[]][] = [
  ['invalid_request', 'email_invalid', ['customer_email']],
  [
    'price_not_chargeable',
    `amount_too_small amount_too_large checkout_amount_too_large invalid_charge_amount invalid_charge_amount_no_decimal_compatible
     charge_exceeds_transaction_limit currency_not_supported payment_method_currency_mismatch
     payment_method_unsupported_type payment_method_not_available`,
    [`${lineItem}[unit_amount]`, `${lineItem}[currency]`, 'payment_intent_data[application_fee_amount]', 'payment_method_options[card]'],
  ],
  [
    'checkout_not_available',
    `capability_not_active insufficient_capabilities_for_transfer account_closed account_invalid transfers_not_allowed
     application_fees_not_allowed not_allowed_on_standard_account no_account payment_method_unactivated
     invoice_no_payment_method_types no_payment_methods`,
    [destination, 'payment_method_types', 'allowed_payment_method_types[0]'],
  ],
  [
    undefined,
    'idempotency_error platform_api_key_expired secret_key_required parameter_invalid_integer url_invalid',
    ['expires_at', 'success_url', `${lineItem}[product_data][name]`],
  ],
];

test('what the provider refuses for good is told by its code or its parameter, and for the rest another attempt may help', () => {
  for (const [meaning, codes, params] of meanings) {
    const refusals = [
      ...codes.split(/\s+/).map((code) => ({ code, param: undefined })),
      ...params.map((param) => ({ code: 'parameter_invalid_empty', param })),
    ];
    for (const refusal of refusals) {
      const error = new ProviderRefusedError({ status: 400, requestId: undefined, ...refusal });
      expect([refusal, checkoutRefusalOf(error)?.code]).toEqual([refusal, meaning]);
    }
  }
  expect(checkoutRefusalOf(new AppError('dependency_unavailable'))).toBeUndefined();
});

const ordersNow = async () => (await listOrdersOfSeller(shop.table, product.sellerId, { limit: 100 })).items;
const answer = (error: object, status = 400) =>
  shop.provider.answerWith({ status, body: { error: { type: 'invalid_request_error', message: 'private text', ...error } } });

describe('a checkout that the provider refuses for good', () => {
  test.each([
    [{ code: 'email_invalid' }, 400, 'invalid_request'],
    [{ param: `${lineItem}[unit_amount]`, code: 'parameter_invalid_integer' }, 400, 'price_not_chargeable'],
    [{ code: 'account_closed' }, 403, 'checkout_not_available'],
    [{ param: 'payment_method_types' }, 403, 'checkout_not_available'],
    [{ message: 'No valid payment method types for this Checkout Session.' }, 403, 'checkout_not_available'],
    [{ message: 'There are no valid payment method types for the currency.' }, 403, 'checkout_not_available'],
  ])('with %j is %i %s, leaves no order, and its idempotency key is free', async (error, status, code) => {
    answer(error);
    shop.logged.length = 0;
    const refused = await shop.checkout(product.slug, { key, body: { buyer_email: 'buyer@example.invalid' } });
    const isOff = /payment_method/.test(JSON.stringify(error)) || 'message' in error;
    expect(shop.logged.filter((line) => JSON.parse(line).message === 'payment_methods_off').length).toBe(isOff ? 1 : 0);
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect(refused.text).not.toMatch(/private text|buyer@/);
    if (code === 'invalid_request') expect(refused.json.message).toMatch(/^buyer_email is not taken /);
    expect(await ordersNow()).toEqual([]);

    shop.provider.answerWith('open');
    const other = await shop.checkout(product.slug, { key, body: { buyer_email: 'other@example.com' } });
    expect(other.status).toBe(201);
  });

  test('at once with others of its key leaves no order either', async () => {
    answer({ code: 'amount_too_small' });
    const replies = await Promise.all(Array.from({ length: 8 }, () => shop.checkout(product.slug, { key })));
    expect(new Set(replies.map(({ json }) => json.code))).toEqual(new Set(['price_not_chargeable']));
    expect(await ordersNow()).toEqual([]);
  });

  test('does not free a key that stands for another order by now', async () => {
    shop.provider.hold();
    answer({ code: 'amount_too_small' });
    const refused = shop.checkout(product.slug, { key });
    await shop.provider.untilHeld(1);
    shop.passTime(24 * 3600_000);
    shop.provider.answerWith('open');
    const later = shop.checkout(product.slug, { key });
    await shop.provider.untilHeld(2);
    shop.provider.release();
    expect((await refused).status).toBe(400);
    expect((await shop.checkout(product.slug, { key })).json).toEqual((await later).json);
  });
});

describe('a checkout that the provider cannot open now', () => {
  test.each([
    [500, { type: 'api_error' }],
    [503, { type: 'api_error', code: 'amount_too_small' }],
    [429, { code: 'lock_timeout' }],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }],
    [403, { code: 'secret_key_required' }],
  ])('because it answers %i %j is 503, and its order is tried again', async (status, error) => {
    answer(error, status);
    const failed = await shop.checkout(product.slug, { key });
    expect([failed.status, failed.json.code]).toEqual([503, 'dependency_unavailable']);
    expect(Number(failed.headers['retry-after'])).toBeGreaterThan(0);
    expect(failed.text).not.toContain('private text');
    const [kept] = await ordersNow();
    shop.provider.answerWith('open');
    const opened = await shop.checkout(product.slug, { key });
    expect([opened.status, opened.json.order_id]).toEqual([201, kept?.id]);
    expect(await ordersNow()).toHaveLength(1);
  });

  test('because the provider does not show the session of its key is 503', async () => {
    const first = await shop.checkout(product.slug, { key });
    for (const status of [500, 403]) {
      shop.provider.showWith({ status, body: { error: { type: 'invalid_request_error', code: 'secret_key_required' } } });
      expect((await shop.checkout(product.slug, { key })).status).toBe(503);
    }
    shop.provider.showWith(undefined);
    expect((await shop.checkout(product.slug, { key })).json).toEqual(first.json);
  });

  test('for too many come takes turns from then on for half a minute, with a write; when more wait than can, it makes no order', async () => {
    const usual = { BatchGetItem: 1, TransactWriteItems: 1, UpdateItem: 1 };
    const requestsOf = async (status: number, options?: { key?: string }) => {
      shop.takeRequestCounts();
      expect((await shop.checkout(product.slug, options)).status).toBe(status);
      return shop.takeRequestCounts();
    };
    const fullAt = (shop.now().getTime() + 60_000) * 1000;
    await shop.table.write({ put: { Item: { ...rateLimitKey('provider', 'checkouts'), fullAt } } });
    answer({ code: 'rate_limit' }, 429);
    await requestsOf(503, { key });
    const [kept, ...others] = await ordersNow();
    expect(others).toEqual([]);
    expect(await requestsOf(503)).toEqual({ BatchGetItem: 1 });
    expect(await ordersNow()).toHaveLength(1);

    shop.provider.answerWith('open');
    shop.passTime(62_000);
    expect((await shop.checkout(product.slug, { key })).json).toMatchObject({ order_id: kept?.id });
    expect(await requestsOf(201)).toEqual(usual);
  });
});

describe('what is sent to the provider', () => {
  const sent = () => Object.fromEntries(shop.provider.opened[0]!.params);

  test('of a paid product is a destination charge with our fee, in the currency as shown, known everywhere by its order', async () => {
    const description = `Edits photos.\n\n${'\u{1f3b5}'.repeat(400)}`;
    const paid = await shop.offer({ priceAmount: 4805, currency: 'Usd', name: 'Photo Studio', description });
    const { json } = await shop.checkout(paid.slug, { body: { buyer_email: 'buyer@example.com', locale: 'ja' } });
    const order = (await listOrdersOfSeller(shop.table, paid.sellerId, { limit: 1 })).items[0]!;
    expect(sent()).toMatchObject({
      client_reference_id: json.order_id,
      customer_email: 'buyer@example.com',
      locale: 'ja',
      success_url: expect.stringMatching(/^http:\/\/shop\.test\/complete\?lang=ja#token=eyJ/),
      cancel_url: `http://shop.test/checkout/cancelled?product=${encodeURIComponent(paid.slug)}&lang=ja`,
      expires_at: String(Math.floor((shop.now().getTime() + 30 * 60_000 + 20_000) / 1000)),
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '4805',
      'line_items[0][price_data][product_data][name]': 'Photo Studio',
      'line_items[0][price_data][product_data][description]': `Edits photos. ${'\u{1f3b5}'.repeat(285)}…`,
      'branding_settings[display_name]': order.terms.sellerDisplayName,
      'payment_intent_data[application_fee_amount]': '480',
      'payment_intent_data[transfer_data][destination]': order.destinationAccountId,
      'metadata[product_id]': paid.id,
      'metadata[seller_id]': paid.sellerId,
      'payment_intent_data[metadata][order_id]': json.order_id,
      'payment_intent_data[metadata][stage]': 'local',
    });
    expect(order).toMatchObject({ destinationAccountId: 'acct_test_selling', applicationFeeAmount: 480 });
  });

  test.each([
    [4809, 'JPY', '480'],
    [5120, 'KWD', '510'],
    [1900, 'ugx', '100'],
    [99_999_999, 'JPY', '9999999'],
    [10, 'JPY', '1'],
    [9, 'JPY', undefined],
  ])('of %i %s has a fee of %s, which can be charged in that currency', async (priceAmount, currency, fee) => {
    const sold = await shop.offer({ priceAmount, currency });
    await shop.checkout(sold.slug);
    expect(sent()['payment_intent_data[application_fee_amount]']).toBe(fee);
    expect(sent()['line_items[0][price_data][currency]']).toBe(currency.toLowerCase());
  });

  test('of a free product has no data of a payment, and the same metadata', async () => {
    const free = await shop.offer({ priceAmount: 0 });
    const { json } = await shop.checkout(free.slug);
    expect(Object.keys(sent()).filter((name) => /payment_intent|payment_method|email/.test(name))).toEqual([]);
    expect(sent()).toMatchObject({ 'line_items[0][price_data][unit_amount]': '0', 'metadata[order_id]': json.order_id, locale: 'auto' });
    expect(sent()['success_url']).toMatch(/^http:\/\/shop\.test\/complete#token=[\w.-]+$/);
    expect(sent()['cancel_url']).toBe(`http://shop.test/checkout/cancelled?product=${encodeURIComponent(free.slug)}&free=`);
  });
});
