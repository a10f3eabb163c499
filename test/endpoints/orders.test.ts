import { beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../functions/admin/routes.ts';
import { compose } from '../../functions/orders/compose.ts';
import { settingNames } from '../../functions/orders/declaration.ts';
import { routes } from '../../functions/orders/routes.ts';
import { newId } from '../../shared/ids.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Order } from '../../shared/orders/order.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import type { SellerRecord } from '../../shared/sellers/seller.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createTestTable, type TestTable } from '../support/engines/test-table.ts';
import { createCaller } from '../support/http/http-event.ts';
import { issueTestLicense } from '../support/samples/licenses.ts';
import { sampleSeller } from '../support/samples/sample-seller.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';
import { createTestQueue, sampleOrder } from '../support/scenes/projection-harness.ts';

const paidAt = '2026-02-01T09:00:00.000Z';

describe('orders', () => {
  let store: TestTable;
  let seller: SellerRecord;
  let otherSeller: SellerRecord;
  let key: string;
  /** Oldest first: pending, paid with a license, one of another seller. */
  let orders: Order[];
  let call: ReturnType<typeof createCaller>;
  let callAdmin: ReturnType<typeof createCaller>;

  beforeAll(async () => {
    store = await createTestTable();
    const { table } = store;
    seller = sampleSeller();
    otherSeller = sampleSeller();
    const sellers = createSellerRepository({ table });
    for (const one of [seller, otherSeller]) await table.transact(sellers.createSeller(one));
    const waiting = sampleOrder({ sellerId: seller.id, createdAt: '2026-02-01T08:00:00.000Z' });
    const payment = { status: 'paid', paymentStatus: 'succeeded', checkout: { paidAt }, sealedBuyerEmail: 'sealed-address' } as const;
    const bought = sampleOrder({ sellerId: seller.id, createdAt: '2026-02-01T08:30:00.000Z', ...payment });
    const issued = await issueTestLicense(table, { orderId: bought.id, productId: bought.productId, sellerId: seller.id });
    key = issued.key;
    orders = [
      waiting,
      { ...bought, licenseId: issued.license.id },
      sampleOrder({ sellerId: otherSeller.id, createdAt: '2026-02-01T10:00:00.000Z' }),
    ];
    for (const order of orders) await table.transact(createOrderRepository({ table }).createOrder(order));
    const common = { table, logger: createLogger({}, () => undefined), sender: createTestQueue() };
    call = createCaller(compose({ settings: sampleSettings(settingNames), ...common }), routes);
    callAdmin = createCaller(composeAdmin({ settings: sampleSettings(adminSettings), ...common }), adminRoutes);
  });

  const summaries = () =>
    orders.map((order) => ({
      id: order.id,
      status: order.status,
      payment_status: order.paymentStatus,
      product_id: order.productId,
      seller_id: order.sellerId,
      amount: 1200,
      currency: 'JPY',
      created_at: order.createdAt,
      ...(order.licenseId && { paid_at: paidAt, license_id: order.licenseId, license_status: 'active', license_key_hint: key.slice(-4) }),
    }));
  const own = (query = '', user = seller.ownerUserId) => call('GET', `/v1/orders${query}`, { headers: { 'X-User-ID': user } });
  const ask = (path: string) => callAdmin('GET', path, { headers: { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' } });
  const idsOf = ({ json }: { json: { items: { id: string }[] } }) => json.items.map(({ id }) => id);

  describe('of a seller', () => {
    test('are their own, newest first, with the license and without buyer or key', async () => {
      const reply = await own();
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({ items: summaries().slice(0, 2).reverse() });
      expect(reply.text).not.toMatch(new RegExp(`sealed-address|${key}`));
      expect(idsOf(await own('', otherSeller.ownerUserId))).toEqual([orders[2]?.id]);
    });

    test('are filtered by product and status, and paged', async () => {
      const [pending, paid] = orders;
      expect(idsOf(await own(`?product_id=${pending?.productId}`))).toEqual([pending?.id]);
      expect(idsOf(await own('?status=paid'))).toEqual([paid?.id]);
      expect(idsOf(await own(`?status=paid&product_id=${pending?.productId}`))).toEqual([]);
      const first = await own('?limit=1');
      expect(idsOf(first)).toEqual([paid?.id]);
      expect(idsOf(await own(`?limit=1&cursor=${first.json.next_cursor}`))).toEqual([pending?.id]);
    });

    test('are none for a user without a seller, who has no cursor either', async () => {
      expect((await own('', 'nobody')).json).toEqual({ items: [] });
      const { json } = await own('?limit=1');
      expect(await own(`?cursor=${json.next_cursor}`, 'nobody')).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      expect(await own(`?cursor=${json.next_cursor}`, otherSeller.ownerUserId)).toMatchObject({ status: 400 });
    });

    test('are read in as many requests however long the page is', async () => {
      store.takeRequestCounts();
      await own();
      expect(store.takeRequestCounts()).toEqual({ GetItem: 2, Query: 1, BatchGetItem: 3 });
    });
  });

  describe('for admins', () => {
    test('are all of them, newest first, or those of a seller or status', async () => {
      expect((await ask('/v1/admin/orders')).json).toEqual({ items: summaries().reverse() });
      expect((await ask(`/v1/admin/orders?seller_id=${otherSeller.id}`)).json.items).toEqual(summaries().slice(2));
      expect(idsOf(await ask(`/v1/admin/orders?seller_id=${seller.id}&status=pending`))).toEqual([orders[0]?.id]);
      expect(idsOf(await ask('/v1/admin/orders?seller_id=anything'))).toEqual([]);
      for (const query of ['seller_id=', 'status=gone', `seller_id=${'x'.repeat(65)}`]) {
        expect(await ask(`/v1/admin/orders?${query}`)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      }
    });

    test('show what is known of the payment, and neither buyer nor key', async () => {
      const reply = await ask(`/v1/admin/orders/${orders[1]?.id}`);
      expect(reply.json).toEqual({
        ...summaries()[1],
        product_name: 'Sample App',
        application_fee_amount: 120,
        expires_at: orders[1]?.expiresAt,
        checkout_session_id: orders[1]?.checkoutSessionId,
        payment_facts: { paid_at: paidAt, refunded_amount: 0, disputes: [] },
      });
      expect(reply.text).not.toMatch(new RegExp(`sealed-address|${key}`));
      expect((await ask(`/v1/admin/orders/${orders[0]?.id}`)).json).toMatchObject({ status: 'pending', payment_facts: { disputes: [] } });
    });

    test('are not found under an unknown id', async () => {
      for (const id of [newId('order'), newId('seller'), 'x', '%00']) {
        expect(await ask(`/v1/admin/orders/${id}`)).toMatchObject({ status: 404, json: { code: 'order_not_found' } });
      }
    });
  });
});
