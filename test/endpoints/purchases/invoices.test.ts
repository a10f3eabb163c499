import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { compose as composeOrders } from '../../../functions/orders/compose.ts';
import { settingNames as orderSettings } from '../../../functions/orders/declaration.ts';
import { routes as orderRoutes } from '../../../functions/orders/routes.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/order-repository.ts';
import { getSeller, updateContacts } from '../../../shared/sellers/seller-repository.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { disputeEvent, refundEvent } from '../../support/samples/provider-events.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

let harness: SalesHarness;
let sellerCall: ReturnType<typeof createCaller>;
let adminCall: ReturnType<typeof createCaller>;
beforeAll(async () => {
  harness = await startSalesHarness();
  const common = { table: harness.table, logger: silentLogger, sender: harness.queue };
  sellerCall = createCaller(composeOrders({ settings: sampleSettings(orderSettings), ...common }), orderRoutes);
  adminCall = createCaller(composeAdmin({ settings: sampleSettings(adminSettings), ...common, store: undefined }), adminRoutes);
});
afterAll(() => harness.fakeProvider.stop());

const readOrder = (id: Order['id']) => getOrder(harness.table, id);
async function sell(owner: string, product: object, seller: object = {}): Promise<Order> {
  const { slug } = await harness.offer(product, { ownerUserId: owner, ...seller });
  const { json } = await harness.checkoutCall('POST', `/v1/public/products/${slug}/checkout`, { body: {} });
  await harness.pay(json.checkout_url);
  return readOrder(json.order_id);
}
/** What the buyer, the seller and the admins are shown: the same. */
async function invoiceOf({ id }: Order, owner: string): Promise<unknown> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = await mintCompletionToken({ orderId: id, use: 'mail', expiresAt }, new Date(), harness.tokenKeys);
  const page = await harness.purchaseCall('POST', '/v1/purchases/complete', { body: { token } });
  const detail = await sellerCall('GET', `/v1/orders/${id}`, { headers: { 'X-User-ID': owner } });
  const headers = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };
  const forAdmins = await adminCall('GET', `/v1/admin/orders/${id}`, { headers });
  expect([page.status, detail.status, forAdmins.status]).toEqual([200, 200, 200]);
  expect([detail.json.invoice, forAdmins.json.invoice]).toEqual([page.json.order.invoice, page.json.order.invoice]);
  return page.json.order.invoice;
}

describe('the invoice of an order', () => {
  const number = { invoiceRegistrationNumber: 'T1234567890123' };

  test('is as it was sold, whatever its seller changes, and states refunds and lost disputes as one', async () => {
    const terms = { priceAmount: 5500, taxPercent: 8, tokushohoSellerName: 'Minato K.K.' } as const;
    const order = await sell('alice', terms, number);
    const seller = await getSeller(harness.table, order.sellerId);
    await harness.table.write(updateContacts(seller, { invoiceRegistrationNumber: '' }).write);
    const whole = { registration_number: 'T1234567890123', seller_name: 'Minato K.K.', tax_percent: 8, tax_amount: 407 };
    expect(await invoiceOf(order, 'alice')).toEqual(whole);

    const of = { payment_intent: order.paymentIntentId };
    await harness.deliver({ ...refundEvent(order, 1000, of), created: 1_800_000_000 });
    const refunded = { amount: 1000, tax_amount: 74, refunded_at: '2027-01-15T08:00:00.000Z' };
    expect(await invoiceOf(order, 'alice')).toEqual({ ...whole, refunds: [refunded] });
    await harness.deliver(disputeEvent(order, 'created', 'needs_response', { ...of, amount: 2000 }, { created: 1_800_000_050 }));
    expect(await invoiceOf(order, 'alice')).toEqual({ ...whole, refunds: [refunded] });
    await harness.deliver(disputeEvent(order, 'closed', 'lost', { ...of, amount: 2000 }, { created: 1_800_000_060 }));
    const both = { amount: 3000, tax_amount: 222, refunded_at: '2027-01-15T08:01:00.000Z' };
    expect(await invoiceOf(order, 'alice')).toEqual({ ...whole, refunds: [both] });
  });

  test.each([
    ['in another currency', { currency: 'USD' }, number],
    ['that is free', { priceAmount: 0 }, number],
    ['of a seller without a number', {}, {}],
  ])('is none of an order %s', async (which, product, seller) => {
    const owner = which.replaceAll(' ', '-');
    const order = await sell(owner, product, seller);
    expect(await invoiceOf(order, owner)).toBeUndefined();
  });
});
