import { beforeAll, describe, expect, test } from '@jest/globals';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { newId, type ProductId, type SellerId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { findOrdersOfBuyer, removeOrderExpiry } from '../../../shared/orders/order-repository.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { expireItems } from '../../support/engines/table-contents.ts';
import type { TestReply } from '../../support/http/http-event.ts';
import { declineEvent, disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

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
  let office: AddressOffice;
  const [alice, bob] = [sampleSeller({ ownerUserId: 'alice' }), sampleSeller({ ownerUserId: 'bob' })];
  const [first, second, bobs] = [newId('product'), newId('product'), newId('product')];
  /** In the order in which they were made: Alice sold a product in every state; another, and Bob his, in some. */
  const sold: Sold[] = [];

  beforeAll(async () => {
    office = await openAddressOffice();
    for (const seller of [alice, bob]) await office.table.transact(addSeller(seller));
    for (const state of stateNames) {
      const isTwice = ['paid', 'expired', 'disputed'].includes(state);
      const others = isTwice
        ? ([
            [bob.id, bobs],
            [alice.id, second],
          ] as const)
        : [];
      for (const [sellerId, productId] of [[alice.id, first] as const, ...others]) {
        const createdAt = new Date(start + sold.length * 60_000);
        const order = await office.addOrder({
          id: newId('order', createdAt),
          checkoutSessionId: `cs_test_${sold.length}`,
          createdAt: createdAt.toISOString(),
          // Those that were made later end earlier.
          expiresAt: new Date(start + 86_400_000 - sold.length * 60_000).toISOString(),
          sellerId,
          productId,
        });
        for (const event of states[state].events(order)) await office.deliver(event);
        sold.push({ state, sellerId, productId, id: order.id });
      }
    }
  });

  const seen = (userId: string) => (query: string) => office.asSeller(userId, 'GET', `?${query}`);
  const byAdmin = (query: string) => office.asAdmin('GET', `/orders?${query}`);

  /** Every page of a list, put together; each is as long as was asked for, unless it is the last or filtered. */
  async function all(list: (query: string) => Promise<TestReply>, query: Record<string, string> = {}, limit = 3) {
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
    // All are of one buyer: the latest before them that was not refunded in full.
    const boughtBefore: Record<'first' | 'second', Partial<Record<State, State>>> = {
      first: { partially_refunded: 'paid', refunded: 'partially_refunded', disputed: 'partially_refunded' },
      second: { disputed: 'paid' },
    };
    const expected = await Promise.all(
      sold
        .filter(({ sellerId }) => sellerId === alice.id)
        .reverse()
        .map(async ({ id, state, productId }) => {
          const { order, license } = await office.show(id as Order['id']);
          const { payment_status, ...shown } = states[state];
          const before = boughtBefore[productId === first ? 'first' : 'second'][state];
          const duplicate = sold.find((one) => one.productId === productId && one.state === before);
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
            ...(duplicate && { duplicate_of: duplicate.id }),
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
    expect(expected.filter(({ paid_at, license_id, license_key_hint }) => paid_at && license_id && license_key_hint)).toHaveLength(6);
    expect((await seen('alice')('limit=100')).json).toEqual({ items: expected });
    expect(await all(seen('alice'))).toEqual(expected);
    expect(idsOf(await all(seen('bob')))).toEqual(newestFirst(({ sellerId }) => sellerId === bob.id));
  });

  test('of a seller are filtered by status and by product, and another seller’s product has no orders there', async () => {
    for (const state of ['payment_failed', 'paid', 'refunded'] as const) {
      const isOf = (order: Sold) => order.sellerId === alice.id && order.state === state;
      expect(idsOf(await all(seen('alice'), { status: state }))).toEqual(newestFirst(isOf));
      const filter = { status: state, product_id: first };
      expect(idsOf(await all(seen('alice'), filter))).toEqual(newestFirst((order) => isOf(order) && order.productId === first));
      expect(await all(seen('bob'), filter)).toEqual([]);
    }
    for (const product of [first, second]) {
      expect(idsOf(await all(seen('alice'), { product_id: product }))).toEqual(newestFirst(({ productId }) => productId === product));
    }
    expect(await all(seen('alice'), { product_id: bobs })).toEqual([]);
    for (const user of ['bob', 'nobody']) expect(await all(seen(user), { product_id: first })).toEqual([]);
  });

  test('look on for what the filter keeps before a page comes back short', async () => {
    expect(idsOf((await seen('alice')('limit=1&status=paid')).json.items)).toEqual(
      newestFirst((order) => order.sellerId === alice.id && order.state === 'paid').slice(0, 1),
    );
  });

  test('of all sellers are for admins, newest first in every page, or those of a seller or a status', async () => {
    for (const limit of [4, 100]) expect(idsOf(await all(byAdmin, {}, limit))).toEqual(newestFirst(() => true));
    expect((await byAdmin('limit=4')).json.items).toHaveLength(4);
    for (const seller of [alice, bob]) {
      expect(idsOf(await all(byAdmin, { seller_id: seller.id }))).toEqual(newestFirst(({ sellerId }) => sellerId === seller.id));
    }
    for (const state of ['expired', 'disputed'] as const) {
      expect(idsOf(await all(byAdmin, { status: state }, 2))).toEqual(newestFirst((order) => order.state === state));
      const ofBob = newestFirst((order) => order.state === state && order.sellerId === bob.id);
      expect(idsOf(await all(byAdmin, { status: state, seller_id: bob.id }))).toEqual(ofBob);
    }
    for (const query of ['seller_id=', 'status=gone', `seller_id=${'x'.repeat(65)}`]) {
      expect(await byAdmin(query)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    }
  });

  test('for admins show of each order what the list of its seller shows', async () => {
    const ofAlice = await all(seen('alice'), {}, 100);
    const ofBob = await all(seen('bob'), {}, 100);
    const both = new Map([...ofAlice, ...ofBob].map((item) => [item.id, item]));
    expect(await all(byAdmin, {}, 100)).toEqual(newestFirst(() => true).map((id) => both.get(id)));
  });

  test('of a buyer hold their paid orders, newest first, of whichever seller', async () => {
    const paid = newestFirst(({ state }) => 'license_status' in states[state]);
    const find = (email: string) => findOrdersOfBuyer(office.table, buyerEmailHashes(email, office.encryptionKeys)[0]);
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
    await expireItems(office.engine, new Date(Date.now() + 20 * 365 * 24 * 3600_000));
    const isKept = ({ state }: Sold) => 'license_status' in states[state];
    expect(idsOf(await all(byAdmin))).toEqual(newestFirst(isKept));
    expect(idsOf(await all(seen('alice')))).toEqual(newestFirst((order) => isKept(order) && order.sellerId === alice.id));
    expect(idsOf(await findOrdersOfBuyer(office.table, buyerEmailHashes(buyer, office.encryptionKeys)[0]))).toEqual(newestFirst(isKept));
  });
});
