import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { orderOfDiscountKey } from '../../../shared/db/keys.ts';
import type { DiscountRecord } from '../../../shared/discounts/discount.ts';
import { addDiscount, findDiscount, readyForDiscount, recordDiscountEnd } from '../../../shared/discounts/discount-repository.ts';
import { findRedemption } from '../../../shared/discounts/redemption-repository.ts';
import type { OrderId } from '../../../shared/ids.ts';
import { listOrdersOfSeller } from '../../../shared/orders/order-repository.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { createCollisions, type Faults } from '../../support/engines/faults.ts';
import { sampleDiscount } from '../../support/scenes/products/sample-discount.ts';
import { type StrictCheckouts, startStrictCheckouts } from '../../support/scenes/strict-checkouts.ts';

const key = 'k-0123456789abcdef';
const refusal = { status: 400, body: { error: { type: 'invalid_request_error', code: 'amount_too_small' } } };
const noFaults: Faults = { call: (_, make) => make() };

let shop: StrictCheckouts;
let product: ProductRecord;
let faults = noFaults;
beforeAll(async () => {
  shop = await startStrictCheckouts({ faults: { call: (name, make) => faults.call(name, make) } });
});
afterAll(() => shop.provider.stop());
beforeEach(async () => {
  faults = noFaults;
  shop.provider.answerWith('open');
  product = await shop.offer({ priceAmount: 4805, maxQuantity: 20, activationLimit: 2 });
  shop.provider.opened.length = 0;
});

async function discount(fields: Partial<DiscountRecord> = {}): Promise<DiscountRecord> {
  const made = sampleDiscount({ productId: product.id, sellerId: product.sellerId, code: 'SPRING-26', ...fields });
  await readyForDiscount(shop.table, product.id, new Date(made.createdAt));
  await shop.table.transact(addDiscount(made));
  return made;
}
const limited = (maxRedemptions: number, fields: Partial<DiscountRecord> = {}) => discount({ maxRedemptions, ...fields });
const taken = async () => (await findDiscount(shop.table, product.id, 'SPRING-26'))?.taken;
const buy = (body: object = { discount_code: 'SPRING-26' }, idempotencyKey?: string) =>
  shop.checkout(product.slug, { body, ...(idempotencyKey && { key: idempotencyKey }) });
const quote = (body?: object, slug = product.slug) => shop.call('POST', `/v1/public/products/${slug}/quote`, { body });
const told = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];
const orders = async () => (await listOrdersOfSeller(shop.table, product.sellerId, { limit: 100 })).items;
const sent = () => Object.fromEntries(shop.provider.opened[0]?.params ?? []);
const pointer = (of: DiscountRecord, orderId: OrderId) => shop.table.get(orderOfDiscountKey(of.id, orderId));
const notValid = [400, 'discount_not_valid'];

describe('a checkout of several', () => {
  test('is one order at so much each, with one fee, and the provider is told of both', async () => {
    const price = { quantity: 3, unit_amount: 4805, amount: 14_415 };
    expect((await buy({ quantity: 3, locale: 'en' })).json).toMatchObject(price);
    expect(await orders()).toMatchObject([{ kind: 'license', quantity: 3, unitAmount: 4805, amount: 14_415, applicationFeeAmount: 1441 }]);
    expect(sent()).toMatchObject({
      'line_items[0][quantity]': '3',
      'line_items[0][price_data][unit_amount]': '4805',
      'line_items[0][price_data][product_data][description]': expect.stringMatching(/^3 × 2 seats, one license key/),
      'payment_intent_data[application_fee_amount]': '1441',
      cancel_url: `http://shop.test/checkout/cancelled?product=${encodeURIComponent(product.slug)}&quantity=3&lang=en`,
    });
    expect(Object.keys(sent()).join()).not.toMatch(/allow_promotion_codes|adjustable_quantity|discounts|automatic_tax/);
  });

  test.each([
    { quantity: 0 },
    { quantity: 101 },
    { quantity: 1.5 },
    { quantity: '2' },
    { quantity: null },
    { discount_code: 1 },
    { discount_code: null },
    { discount_code: ['SPRING-26'] },
  ])('with %j is no request', async (body) => {
    expect(told(await buy(body))).toEqual([400, 'invalid_request']);
  });

  test('is refused beyond what the product sells at once, before all else but the product', async () => {
    const draft = await shop.offer({ maxQuantity: 4, status: 'draft' });
    for (const ask of [shop.checkout, (slug: string, { body }: { body?: object }) => quote(body, slug)]) {
      const refused = await ask(draft.slug, { body: { quantity: 5, discount_code: 'NONE' } });
      expect([...told(refused), refused.json.message]).toEqual([400, 'invalid_request', 'quantity must be 1 to 4']);
      expect(told(await ask('nothing', { body: { quantity: 5 } }))).toEqual([404, 'product_not_found']);
    }
  });
});

describe('a checkout with a code', () => {
  test('costs less, and its order keeps the discount and is in its list', async () => {
    const made = await discount({ percentOff: 15 });
    const { json } = await buy({ quantity: 2, discount_code: '\t spring-26 \n' });
    // 15 % of 4,805 are 720, rounded down.
    expect(json).toMatchObject({ quantity: 2, unit_amount: 4085, amount: 8170 });
    const [order] = await orders();
    const kept = { id: made.id, code: 'SPRING-26', amount: 1440 };
    expect(order).toMatchObject({ unitAmount: 4085, discount: kept, applicationFeeAmount: 817 });
    expect(await pointer(made, json.order_id)).toMatchObject({ id: json.order_id, ttl: order?.ttl });
    expect(await findRedemption(shop.table, json.order_id)).toMatchObject({ state: 'reserved', isLimited: false, discountId: made.id });
    expect(sent()['cancel_url']).toContain('&quantity=2&code=SPRING-26');
  });

  test('of which nothing is left to pay has no payment, and takes a redemption all the same', async () => {
    await limited(1, { percentOff: 100 });
    expect((await buy({ quantity: 20, discount_code: 'spring-26' })).json).toMatchObject({ unit_amount: 0, amount: 0 });
    expect(Object.keys(sent()).join()).not.toMatch(/payment_intent|payment_method/);
    expect(await taken()).toBe(1);
    expect(told(await buy())).toEqual(notValid);
  });

  test.each([
    ['one that is not there', {}, 'AUTUMN-26'],
    ['no code', {}, 'x'.repeat(100_000)],
    ['one of other letters', {}, 'SPRİNG-26'],
    ['one that is over', { endsAt: '2026-02-01T00:00:00.000Z' }, 'SPRING-26'],
    ['one that is used up', { maxRedemptions: 7, taken: 7 }, 'SPRING-26'],
    ['one in another currency', { currency: 'USD' }, 'SPRING-26'],
  ])('is refused alike with %s, and so is its quote', async (_, fields, discount_code) => {
    await discount(fields);
    const message = 'The discount code does not hold for this product now.';
    for (const reply of [await buy({ discount_code }), await quote({ discount_code })])
      expect([...told(reply), reply.json.message]).toEqual([...notValid, message]);
    expect([await orders(), shop.provider.opened]).toEqual([[], []]);
  });

  test('is refused for the sale first, then for the code, then for the stock, then for the total', async () => {
    for (const [change, body, refused] of [
      [{ status: 'suspended', approvedBefore: true }, { discount_code: 'NONE' }, [403, 'checkout_not_available']],
      [{ licenseIssuanceMode: 'imported_csv' }, { discount_code: 'NONE' }, notValid],
      [{ licenseIssuanceMode: 'imported_csv', priceAmount: 99_999_999, maxQuantity: 2 }, { quantity: 2 }, [403, 'checkout_not_available']],
      [{ priceAmount: 50_000_000, maxQuantity: 2 }, { quantity: 2 }, [400, 'price_not_chargeable']],
    ] as const) {
      const { slug } = await shop.offer(change);
      for (const reply of [await shop.checkout(slug, { body }), await shop.checkout(slug, { body, key }), await quote(body, slug)])
        expect(told(reply)).toEqual(refused);
    }
    expect(shop.provider.opened).toEqual([]);
  });

  test('asks the table three times without a code, and four times with one', async () => {
    await limited(5);
    await buy({});
    shop.takeRequestCounts();
    await buy({ quantity: 2 });
    expect(shop.takeRequestCounts()).toEqual({ BatchGetItem: 1, TransactWriteItems: 1, UpdateItem: 1 });
    await buy();
    expect(shop.takeRequestCounts()).toEqual({ BatchGetItem: 1, GetItem: 1, TransactWriteItems: 1, UpdateItem: 1 });
  });
});

describe('a redemption', () => {
  test('is given back at once by a checkout that the provider refuses, with all that was kept of its order', async () => {
    const made = await limited(1);
    shop.provider.answerWith(refusal);
    expect(told(await buy(undefined, key))).toEqual([400, 'price_not_chargeable']);
    const orderId = sent()['client_reference_id'] as OrderId;
    const left = [await taken(), await findRedemption(shop.table, orderId), await pointer(made, orderId), await orders()];
    expect(left).toEqual([0, undefined, undefined, []]);
    shop.provider.answerWith('open');
    expect((await buy(undefined, key)).status).toBe(201);
    expect(await taken()).toBe(1);
  });

  test('stays with an order that the provider could not be asked for, whose places live as long as it does', async () => {
    const made = await limited(1);
    shop.provider.answerWith({ status: 500, body: { error: { type: 'api_error' } } });
    expect((await buy(undefined, key)).status).toBe(503);
    shop.passTime(60_000);
    shop.provider.answerWith('open');
    const { json } = await buy(undefined, key);
    const [order, ...others] = await orders();
    expect([others, order?.id, await taken()]).toEqual([[], json.order_id, 1]);
    expect(await pointer(made, json.order_id)).toMatchObject({ ttl: order?.ttl });
  });

  test('is one for a key, and its order is answered though the code ended or is used up', async () => {
    const made = await limited(1);
    const first = await buy(undefined, key);
    expect(told(await buy())).toEqual(notValid);
    expect((await buy({ discount_code: 'spring-26', quantity: 1 }, key)).json).toEqual(first.json);
    await shop.table.transact(recordDiscountEnd(made, shop.now().toISOString()));
    expect((await buy(undefined, key)).json).toEqual(first.json);
    expect([await taken(), (await orders()).length]).toEqual([1, 1]);
    expect((await buy({ discount_code: 'SPRING-26', quantity: 2 }, key)).json.code).toMatch(
      /^(idempotency_key_reused|discount_not_valid)$/,
    );
    expect(told(await buy({}, key))).toEqual([400, 'idempotency_key_reused']);
  });

  test('is not taken again for an order whose session is over', async () => {
    await limited(1);
    const { json } = await buy(undefined, key);
    shop.provider.sessions.get(new URL(json.checkout_url).pathname.split('/').at(-1)!)!['status'] = 'expired';
    expect(told(await buy(undefined, key))).toEqual(notValid);
    expect((await orders()).length).toBe(1);
  });

  test('of the last one goes to one order, however many ask for it with its key at once', async () => {
    await limited(1);
    const replies = await Promise.all(Array.from({ length: 10 }, () => buy(undefined, key)));
    expect(new Set(replies.map(({ status, json }) => `${status} ${json.order_id}`)).size).toBe(1);
    expect([replies[0]?.status, await taken()]).toEqual([201, 1]);
  });

  test('is all given back by as many that are refused at once', async () => {
    await limited(30);
    shop.provider.answerWith(refusal);
    faults = createCollisions(0.2, Math.random);
    const replies = await Promise.all(Array.from({ length: 30 }, () => buy()));
    expect(new Set(replies.map(({ json }) => json.code))).toEqual(new Set(['price_not_chargeable']));
    expect([await taken(), await orders()]).toEqual([0, []]);
  });
});

describe('a quote', () => {
  test('is what the checkout would cost; it holds nothing, and no cache keeps it', async () => {
    await limited(1, { amountOff: 805, percentOff: undefined });
    const reply = await quote({ quantity: 3, discount_code: ' spring-26' });
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(reply.json).toEqual({ currency: 'JPY', unit_amount: 4000, quantity: 3, discount_amount: 2415, total: 12_000 });
    expect([await taken(), await orders(), shop.provider.opened]).toEqual([0, [], []]);
    const { json } = await buy({ quantity: 3, discount_code: 'spring-26' });
    expect(json).toMatchObject({ unit_amount: 4000, quantity: 3, amount: 12_000 });
  });

  test.each([undefined, {}, { discount_code: '' }])('of %j is the price of one, also where the provider would refuse it', async (body) => {
    const price = { currency: 'JPY', quantity: 1, discount_amount: 0 };
    expect((await quote(body)).json).toEqual({ ...price, unit_amount: 4805, total: 4805 });
    const { slug } = await shop.offer({ priceAmount: 1 });
    expect((await quote(body, slug)).json).toEqual({ ...price, unit_amount: 1, total: 1 });
  });

  test.each(['draft', 'pending_review', 'rejected', 'suspended'] as const)(
    'tells nothing of what is %s and was never approved',
    async (status) => {
      const { slug } = await shop.offer({ status });
      expect(told(await quote({}, slug))).toEqual([404, 'product_not_found']);
      const { slug: former } = await shop.offer({ status, approvedBefore: true });
      expect(told(await quote({}, former))).toEqual([403, 'checkout_not_available']);
    },
  );
});
