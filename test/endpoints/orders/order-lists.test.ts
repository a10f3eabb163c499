import { beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { compose } from '../../../functions/orders/compose.ts';
import { routes } from '../../../functions/orders/routes.ts';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { newId, type ProductId, type SellerId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { findOrdersOfBuyer, removeOrderExpiry } from '../../../shared/orders/order-repository.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { expireItems } from '../../support/engines/table-contents.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { declineEvent, disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import {
  createProjectionHarness,
  createTestQueue,
  type ProjectionHarness,
  sampleOrder,
  silentLogger,
} from '../../support/scenes/projection-harness.ts';

const start = Date.parse('2026-03-01T09:00:00.000Z');
const buyer = 'buyer@example.com';

/** What the provider tells of an order in each state, and how the lists then show it. */
const states = {
  pending: { events: () => [], payment_status: 'pending' },
  payment_failed: { events: (order: Order) => [declineEvent(order)], payment_status: 'failed' },
  expired: { events: (order: Order) => [sessionEvent(order, 'expired')], payment_status: 'failed' },
  paid: { events: (order: Order) => [sessionEvent(order, 'completed')], payment_status: 'succeeded', license_status: 'active' },
  partially_refunded: {
    events: (order: Order) => [sessionEvent(order, 'completed'), refundEvent(order, 200)],
    payment_status: 'partially_refunded',
    license_status: 'active',
  },
  refunded: {
    events: (order: Order) => [sessionEvent(order, 'completed'), refundEvent(order, 1200)],
    payment_status: 'refunded',
    license_status: 'refunded',
  },
  disputed: {
    events: (order: Order) => [sessionEvent(order, 'completed'), disputeEvent(order, 'created', 'needs_response')],
    payment_status: 'disputed',
    license_status: 'disputed',
  },
} satisfies Record<string, { events: (order: Order) => unknown[]; payment_status: string; license_status?: string }>;
type State = keyof typeof states;
const stateNames = Object.keys(states) as State[];

interface Sold {
  state: State;
  sellerId: SellerId;
  productId: ProductId;
  id: string;
}

describe('the lists of orders', () => {
  let store: TestTable;
  let harness: ProjectionHarness;
  const [alice, bob] = [sampleSeller({ ownerUserId: 'alice' }), sampleSeller({ ownerUserId: 'bob' })];
  const [first, second, bobs] = [newId('product'), newId('product'), newId('product')];
  /** In the order in which they were made: Alice sold each of two products in every state, Bob one. */
  const sold: Sold[] = [];
  let call: ReturnType<typeof createCaller>;
  let admin: ReturnType<typeof createCaller>;

  beforeAll(async () => {
    store = await createTestTable();
    harness = await createProjectionHarness({ table: store.table });
    for (const seller of [alice, bob]) await store.table.transact(addSeller(seller));
    for (const state of stateNames) {
      for (const [sellerId, productId] of [
        [alice.id, first],
        [bob.id, bobs],
        [alice.id, second],
      ] as const) {
        const createdAt = new Date(start + sold.length * 60_000);
        const order = await harness.addOrder({
          id: newId('order', createdAt),
          checkoutSessionId: `cs_test_${sold.length}`,
          createdAt: createdAt.toISOString(),
          // Those that were made later end earlier.
          expiresAt: new Date(start + 86_400_000 - sold.length * 60_000).toISOString(),
          sellerId,
          productId,
        });
        for (const event of states[state].events(order)) await harness.deliver(event);
        sold.push({ state, sellerId, productId, id: order.id });
      }
    }
    const common = { settings: harness.settings, logger: silentLogger, table: store.table, sender: createTestQueue() };
    call = createCaller(compose(common), routes);
    admin = createCaller(composeAdmin({ ...common, store: undefined }), adminRoutes);
  });

  const seen = (user: string) => (query: string) => call('GET', `/v1/orders?${query}`, { headers: { 'X-User-ID': user } });
  const byAdmin = (query: string) =>
    admin('GET', `/v1/admin/orders?${query}`, { headers: { 'X-User-ID': 'a', 'X-User-Email': 'admin@example.com' } });

  /** Every page of a list, put together; each is as long as was asked for, unless it is the last or filtered. */
  async function all(list: (query: string) => ReturnType<typeof call>, query: Record<string, string> = {}, limit = 3) {
    const items: { id: string }[] = [];
    let cursor: string | undefined;
    do {
      const reply = await list(new URLSearchParams({ ...query, limit: String(limit), ...(cursor && { cursor }) }).toString());
      expect([reply.status, reply.json.items.length <= limit]).toEqual([200, true]);
      items.push(...reply.json.items);
      cursor = reply.json.next_cursor;
    } while (cursor !== undefined);
    return items;
  }
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  const newestFirst = (keep: (order: Sold) => boolean) => idsOf(sold.filter(keep)).reverse();

  test('of a seller hold every sale of theirs and no other, in each state, with everything that is shown of it', async () => {
    const expected = await Promise.all(
      sold
        .filter(({ sellerId }) => sellerId === alice.id)
        .reverse()
        .map(async ({ id, state, productId }) => {
          const { order, license } = await harness.show(id as Order['id']);
          const { payment_status, ...shown } = states[state];
          return {
            id,
            status: state,
            payment_status,
            product_id: productId,
            seller_id: alice.id,
            kind: 'license',
            quantity: 1,
            unit_amount: 1200,
            amount: 1200,
            currency: 'JPY',
            created_at: order.createdAt,
            ...('license_status' in shown && {
              paid_at: order.checkout.paidAt,
              license_id: license?.id,
              license_status: shown.license_status,
              license_key_hint: license?.keyHint,
            }),
          };
        }),
    );
    expect(expected.filter(({ paid_at, license_id, license_key_hint }) => paid_at && license_id && license_key_hint)).toHaveLength(8);
    expect((await seen('alice')('limit=100')).json).toEqual({ items: expected });
    expect(await all(seen('alice'))).toEqual(expected);
    expect(idsOf(await all(seen('bob')))).toEqual(newestFirst(({ sellerId }) => sellerId === bob.id));
  });

  test.each(['payment_failed', 'paid', 'refunded'] as const)(
    'of a seller are filtered by the status %s, and together with it by product',
    async (state) => {
      expect(idsOf(await all(seen('alice'), { status: state }))).toEqual(
        newestFirst((order) => order.sellerId === alice.id && order.state === state),
      );
      expect(idsOf(await all(seen('alice'), { status: state, product_id: first }))).toEqual(
        newestFirst((order) => order.productId === first && order.state === state),
      );
    },
  );

  test('of a seller are filtered by product, and another seller’s product has no orders there', async () => {
    for (const product of [first, second]) {
      expect(idsOf(await all(seen('alice'), { product_id: product }))).toEqual(newestFirst(({ productId }) => productId === product));
    }
    expect(await all(seen('alice'), { product_id: bobs })).toEqual([]);
    expect(await all(seen('bob'), { product_id: first })).toEqual([]);
    for (const state of stateNames) expect(await all(seen('bob'), { product_id: first, status: state })).toEqual([]);
    expect(await all(seen('nobody'), { product_id: first })).toEqual([]);
  });

  test.each([
    ['of another seller', () => seen('bob')('limit=1')],
    ['of admins', () => byAdmin('limit=1')],
  ])('of a seller take no cursor %s', async (_, list) => {
    const { next_cursor } = (await list()).json;
    expect(await seen('alice')(`cursor=${next_cursor}`)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  test('look on for what the filter keeps before a page comes back short', async () => {
    expect(idsOf((await seen('alice')('limit=1&status=paid')).json.items)).toEqual(
      newestFirst((order) => order.sellerId === alice.id && order.state === 'paid').slice(0, 1),
    );
  });

  test('of all sellers are for admins, newest first in every page, or those of a seller', async () => {
    for (const limit of [4, 100]) expect(idsOf(await all(byAdmin, {}, limit))).toEqual(newestFirst(() => true));
    expect((await byAdmin('limit=4')).json.items).toHaveLength(4);
    for (const seller of [alice, bob]) {
      expect(idsOf(await all(byAdmin, { seller_id: seller.id }))).toEqual(newestFirst(({ sellerId }) => sellerId === seller.id));
    }
  });

  test('of all sellers are filtered by status, of one seller too', async () => {
    for (const state of ['expired', 'disputed'] as const) {
      expect(idsOf(await all(byAdmin, { status: state }, 2))).toEqual(newestFirst((order) => order.state === state));
      expect(idsOf(await all(byAdmin, { status: state, seller_id: bob.id }))).toEqual(
        newestFirst((order) => order.state === state && order.sellerId === bob.id),
      );
    }
  });

  test.each(['seller_id=', 'status=gone', `seller_id=${'x'.repeat(65)}`])('for admins have no filter %s', async (query) => {
    expect(await byAdmin(query)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  test('for admins show of each order what the list of its seller shows', async () => {
    const ofAlice = await all(seen('alice'), {}, 100);
    const ofBob = await all(seen('bob'), {}, 100);
    const both = new Map([...ofAlice, ...ofBob].map((item) => [item.id, item]));
    expect(await all(byAdmin, {}, 100)).toEqual(newestFirst(() => true).map((id) => both.get(id)));
  });

  test('of a buyer hold their paid orders, newest first, of whichever seller', async () => {
    const paid = newestFirst(({ state }) => 'license_status' in states[state]);
    const find = (email: string) => findOrdersOfBuyer(harness.table, buyerEmailHashes(email, harness.encryptionKeys)[0]);
    expect(idsOf(await find(buyer))).toEqual(paid);
    expect(idsOf(await find(' BUYER@example.com '))).toEqual(paid);
    expect(await find('someone.else@example.com')).toEqual([]);
  });

  test('drop the expiry of an order once it is paid, whatever the order says of it', () => {
    const order = sampleOrder();
    expect(removeOrderExpiry(order, 'hash')).toHaveLength(2);
    for (const write of removeOrderExpiry(order, 'hash')) expect('put' in write && write.put.Item?.['ttl']).toBeUndefined();
    expect(removeOrderExpiry(order, undefined)).toHaveLength(1);
  });

  test('keep every sale that was paid when what was never paid is deleted after its time', async () => {
    const copy = await createTestTable();
    const later = await createProjectionHarness({ table: copy.table });
    await copy.table.transact(addSeller(alice));
    const orders = await Promise.all(
      stateNames.map((_, index) => later.addOrder({ sellerId: alice.id, id: newId('order', new Date(start + index)) })),
    );
    for (const [index, state] of stateNames.entries()) {
      for (const event of states[state].events(orders[index]!)) await later.deliver(event);
    }
    await expireItems(copy, new Date(Date.now() + 20 * 365 * 24 * 3600_000));
    const remaining = orders.filter((_, index) => 'license_status' in states[stateNames[index]!]).reverse();
    const common = { settings: later.settings, logger: silentLogger, table: copy.table, sender: createTestQueue() };
    const own = await createCaller(compose(common), routes)('GET', '/v1/orders', { headers: { 'X-User-ID': 'alice' } });
    expect(idsOf(own.json.items)).toEqual(idsOf(remaining));
    const admins = createCaller(composeAdmin({ ...common, store: undefined }), adminRoutes);
    const everything = await admins('GET', '/v1/admin/orders', { headers: { 'X-User-ID': 'a', 'X-User-Email': 'admin@example.com' } });
    expect(idsOf(everything.json.items).sort()).toEqual(idsOf(remaining).sort());
    expect(idsOf(await findOrdersOfBuyer(later.table, buyerEmailHashes(buyer, later.encryptionKeys)[0]))).toEqual(idsOf(remaining));
    expect(remaining).toHaveLength(4);
  });
});
