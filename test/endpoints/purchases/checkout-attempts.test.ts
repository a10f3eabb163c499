import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { orderOfSellerKey, productKey, sellerKey } from '../../../shared/db/keys.ts';
import { listOrdersOfSeller, replaceOrder } from '../../../shared/orders/order-repository.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { CrashError } from '../../support/engines/faults.ts';
import { type StrictCheckouts, startStrictCheckouts } from '../../support/scenes/strict-checkouts.ts';

const key = 'k-0123456789abcdef';
const serverError = { status: 500, body: { error: { type: 'api_error', message: 'private text' } } };

let shop: StrictCheckouts;
let product: ProductRecord;
/** The operation of the table at which the process ends. */
let crashAt: string | undefined;

beforeAll(async () => {
  const faults = {
    async call<T>(name: string, make: () => Promise<T>): Promise<T> {
      if (name === crashAt) throw new CrashError();
      return make();
    },
  };
  shop = await startStrictCheckouts({ faults });
});
afterAll(() => shop.provider.stop());
beforeEach(async () => {
  crashAt = undefined;
  shop.provider.answerWith('open');
  product = await shop.offer();
  shop.provider.opened.length = 0;
  shop.provider.takeReads();
});

type Reply = Awaited<ReturnType<StrictCheckouts['checkout']>>;
const checkout = (body?: unknown) => shop.checkout(product.slug, { key, body });
const keysSent = () => shop.provider.opened.map((request) => request.key);
const allOrders = async () => (await listOrdersOfSeller(shop.table, product.sellerId, { limit: 100 })).items;
const orderOf = async (id: string) => (await allOrders()).find((order) => order.id === id)!;

const isAnother = (again: Reply, first: Reply) => {
  expect([again.status, again.json.order_id === first.json.order_id, again.json.checkout_url === first.json.checkout_url]).toEqual([
    201,
    false,
    false,
  ]);
};

describe('a repeat of a checkout with its idempotency key', () => {
  test('gets the same order and the same address while the order is pending, without opening another session', async () => {
    const first = await checkout();
    shop.passTime(29 * 60_000);
    const again = await checkout();
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json).toEqual(first.json);
    expect(keysSent()).toEqual([`checkout:${first.json.order_id}:1`]);
    expect(shop.provider.takeReads()).toBe(1);
  });

  test.each(['paid', 'payment_failed'] as const)('gets a new order and address once the order is %s', async (status) => {
    const first = await checkout();
    const order = await orderOf(first.json.order_id);
    await shop.table.transact([replaceOrder(order, { ...order, status })]);
    const again = await checkout();
    isAnother(again, first);
    expect((await checkout()).json).toEqual(again.json);
  });

  test.each(['complete', 'expired', undefined])('gets a new order once the session is %s, before its event came', async (status) => {
    const first = await checkout();
    const { checkoutSessionId = '' } = await orderOf(first.json.order_id);
    const session = shop.provider.sessions.get(checkoutSessionId);
    shop.provider.sessions.delete(checkoutSessionId);
    shop.provider.sessions.set(status ? checkoutSessionId : 'forgotten', { ...session, status });
    isAnother(await checkout(), first);
  });

  test('gets a new order once the session ended, even if no event says so', async () => {
    const first = await checkout();
    shop.passTime(Date.parse(first.json.expires_at) - shop.now().getTime());
    isAnother(await checkout(), first);
    expect(shop.provider.takeReads()).toBe(0);
  });

  test.each([
    ['within 24 hours', 24 * 3600_000 - 1, 400],
    ['after 24 hours', 24 * 3600_000, 201],
  ])('but another body %s: %s ms later %i', async (_, later, status) => {
    await checkout();
    shop.passTime(later);
    expect((await checkout({ locale: 'ja' })).status).toBe(status);
  });
});

describe('an order whose session could not be made', () => {
  async function isOpenNow(
    reply: { status: number; json: { order_id: string; expires_at: string; checkout_url: string } },
    sinceBegun = 0,
  ) {
    expect(reply.status).toBe(201);
    const [order, ...others] = await allOrders();
    expect(others).toEqual([]);
    const { params } = shop.provider.opened.at(-1)!;
    const expiresAt = Math.floor(Date.parse(reply.json.expires_at) / 1000);
    expect(Number(params.get('expires_at'))).toBe(expiresAt);
    expect(Date.parse(reply.json.expires_at) - shop.now().getTime()).toBe(30 * 60_000 + 20_000 - sinceBegun);
    expect(order).toMatchObject({ id: reply.json.order_id, expiresAt: reply.json.expires_at });
    const entry = await shop.table.get(orderOfSellerKey(product.sellerId, order!.id));
    expect(entry?.['ttl']).toBe(order?.ttl);
    expect(order?.ttl).toBe(expiresAt + 30 * 24 * 3600);
    expect(decodeJwt(params.get('success_url')?.split('#token=')[1] ?? '').exp).toBe(expiresAt + 3600);
    expect(shop.provider.sessions.get(order?.checkoutSessionId ?? '')?.['url']).toBe(reply.json.checkout_url);
  }

  test.each([
    ['at once', 0],
    ['31 minutes later', 31 * 60_000],
    ['23 hours later', 23 * 3600_000],
  ])('because the provider failed twice is opened %s, under a further key each time', async (_, later) => {
    shop.provider.answerWith(serverError);
    for (const _ of ['once', 'again']) expect(await checkout()).toMatchObject({ status: 503, json: { code: 'dependency_unavailable' } });
    shop.provider.answerWith('open');
    shop.passTime(later);
    const reply = await checkout();
    await isOpenNow(reply);
    expect(keysSent()).toEqual([1, 2, 3].map((attempt) => `checkout:${reply.json.order_id}:${attempt}`));
    expect((await checkout()).json).toEqual(reply.json);
  });

  test('because the answer was lost is opened again, and the lost session is given to nobody', async () => {
    shop.provider.answerWith('lose the answer');
    const lost = await checkout();
    expect(lost.status).toBe(503);
    const lostSessions = [...shop.provider.sessions.values()].map(({ url }) => url);
    shop.provider.answerWith('open');
    const reply = await checkout();
    await isOpenNow(reply);
    expect(lostSessions).not.toContain(reply.json.checkout_url);
  });

  test.each([
    ['soon', 1000, 1],
    ['when that attempt is over', 18_000, 2],
  ])('because the process ended before it was stored is opened %s', async (_, later, attempts) => {
    const before = shop.provider.sessions.size;
    crashAt = 'UpdateItem';
    expect((await checkout()).status).toBe(500);
    crashAt = undefined;
    shop.passTime(later);
    await isOpenNow(await checkout(), attempts === 1 ? later : 0);
    expect(new Set(keysSent()).size).toBe(attempts);
    expect(shop.provider.sessions.size - before).toBe(attempts);
  });

  test('and was made by a version without attempts is opened', async () => {
    shop.provider.answerWith(serverError);
    await checkout();
    const [order] = await allOrders();
    const { checkoutAttempt: _, attemptUntil: __, ...older } = order!;
    shop.provider.forget();
    await shop.table.transact([replaceOrder(order!, older)]);
    shop.provider.answerWith('open');
    shop.passTime(60_000);
    await isOpenNow(await checkout());
  });

  test('has one live session when two try it again at once', async () => {
    shop.provider.answerWith(serverError);
    await checkout();
    shop.provider.answerWith('open');
    const before = shop.provider.sessions.size;
    shop.provider.hold();
    const both = [checkout(), checkout()];
    await shop.provider.untilHeld(1);
    shop.provider.release();
    const [one, other] = await Promise.all(both);
    await isOpenNow(one!);
    expect(other?.json).toEqual(one?.json);
    expect(shop.provider.sessions.size - before).toBe(1);
    expect(new Set(keysSent()).size).toBe(2);
  });

  test('whose attempt was overtaken by a later one answers with the later one', async () => {
    shop.provider.hold();
    const slow = checkout();
    await shop.provider.untilHeld(1);
    shop.passTime(18_000);
    const fast = checkout();
    await shop.provider.untilHeld(2);
    shop.provider.release();
    const [first, second] = await Promise.all([slow, fast]);
    await isOpenNow(second);
    expect(first.json).toEqual(second.json);
  });

  test('whose failed attempt was overtaken leaves the later one under way', async () => {
    shop.provider.hold();
    shop.provider.answerWith(serverError);
    const failing = checkout();
    await shop.provider.untilHeld(1);
    shop.provider.answerWith('open');
    shop.passTime(18_000);
    const second = checkout();
    await shop.provider.untilHeld(2);
    shop.provider.releaseFirst();
    expect((await failing).status).toBe(503);
    const third = checkout();
    await shop.provider.untilHeld(2);
    shop.provider.release();
    const [one, other] = await Promise.all([second, third]);
    await isOpenNow(one);
    expect(other.json).toEqual(one.json);
    expect(new Set(keysSent()).size).toBe(2);
  });

  test('and was paid while another request joined its attempt is not given to that request', async () => {
    crashAt = 'UpdateItem';
    await checkout();
    crashAt = undefined;
    const [sessionId = ''] = [...shop.provider.sessions.keys()].slice(-1);
    shop.provider.hold();
    const joining = checkout();
    await shop.provider.untilHeld(1);
    const [order] = await allOrders();
    await shop.table.transact([replaceOrder(order!, { ...order!, checkoutSessionId: sessionId, status: 'paid' })]);
    shop.provider.release();
    const reply = await joining;
    expect(reply.status).toBe(201);
    expect(reply.json.order_id).not.toBe(order?.id);
    expect(reply.json.checkout_url).not.toContain(sessionId);
  });

  test('asks for the very same while an attempt is under way, whatever the seller changes meanwhile', async () => {
    crashAt = 'UpdateItem';
    await checkout();
    crashAt = undefined;
    const set = (Key: ReturnType<typeof productKey>, name: string) =>
      shop.table.write({
        update: {
          Key,
          UpdateExpression: 'SET #name = :new',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: { ':new': 'New' },
        },
      });
    await Promise.all([set(productKey(product.id), 'name'), set(productKey(product.id), 'description')]);
    await set(sellerKey(product.sellerId), 'displayName');
    expect((await checkout()).status).toBe(201);
    const [first, joined] = shop.provider.opened;
    expect([joined?.key, String(joined?.params)]).toEqual([first?.key, String(first?.params)]);
  });

  test('and is refused for good is deleted, however often it was tried', async () => {
    shop.provider.answerWith(serverError);
    await checkout();
    shop.provider.answerWith({ status: 400, body: { error: { type: 'invalid_request_error', code: 'amount_too_small' } } });
    expect((await checkout()).json.code).toBe('price_not_chargeable');
    expect(await allOrders()).toEqual([]);
    shop.provider.answerWith('open');
    expect((await checkout({ locale: 'ja' })).status).toBe(201);
  });
});

test('twenty checkouts at once with one idempotency key make one order with one address', async () => {
  const before = shop.provider.sessions.size;
  const replies = await Promise.all(Array.from({ length: 20 }, () => checkout()));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(await allOrders()).toHaveLength(1);
  expect(shop.provider.sessions.size - before).toBe(1);
});
