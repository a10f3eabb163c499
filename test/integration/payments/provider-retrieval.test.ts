import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Order } from '../../../shared/orders/order.ts';
import { disputeEvent, refundEvent } from '../../support/samples/provider-events.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

let harness: SalesHarness;
beforeAll(async () => {
  harness = await startSalesHarness();
});
afterAll(() => harness.fakeProvider.stop());

/** Sets a test control of the fake provider. */
async function turn(path: string, body: object = {}): Promise<{ id: string; items?: { payment_intent: string; charge: string }[] }> {
  const url = `${harness.fakeProvider.endpoint}${path}`;
  const reply = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  return (await reply.json()) as { id: string };
}

async function buy(): Promise<{ order: Order; payment: { id: string; payment_intent: string } }> {
  const product = await harness.offer({ priceAmount: 1200 });
  const { json } = await harness.checkoutCall('POST', `/v1/public/products/${product.slug}/checkout`);
  await harness.pay(json.checkout_url);
  const { order } = await harness.show(json.order_id);
  const payments = (await (await fetch(`${harness.fakeProvider.endpoint}/test/payments`)).json()) as {
    items: { payment_intent: string; charge: string }[];
  };
  const paid = payments.items.find((item) => item.payment_intent === order.paymentIntentId);
  return { order, payment: { id: paid?.charge ?? '', payment_intent: paid?.payment_intent ?? '' } };
}

const statusOf = async (order: Order) => (await harness.show(order.id)).order.status;
const failedRefund = (payment: { id: string; payment_intent: string }, id: string) => ({
  id,
  object: 'event',
  type: 'refund.failed',
  livemode: false,
  data: { object: { id: 're_1', object: 'refund', charge: payment.id, payment_intent: payment.payment_intent } },
});

test('a refund that failed lifts the hold, and from then on the amount is retrieved from the provider', async () => {
  const { order, payment } = await buy();
  const refund = await turn(`/test/payments/${payment.id}/refund`);
  await harness.deliver(refundEvent(order, 1200, payment));
  expect(await statusOf(order)).toBe('refunded');

  await turn(`/test/refunds/${refund.id}/fail`);
  await harness.deliver(failedRefund(payment, `evt_failed_${order.id}`));
  expect(await statusOf(order)).toBe('paid');
  expect((await harness.show(order.id)).license?.paymentHold).toBeUndefined();

  // An event from before the failure comes late: the provider reports that nothing is refunded.
  await harness.deliver(refundEvent(order, 1200, payment));
  expect(await statusOf(order)).toBe('paid');

  await turn(`/test/payments/${payment.id}/refund`, { amount: 300 });
  await harness.deliver(refundEvent(order, 300, payment));
  expect(await statusOf(order)).toBe('partially_refunded');
});

test('after two closings of a dispute that contradict each other the dispute is retrieved from the provider', async () => {
  const { order, payment } = await buy();
  const dispute = await turn(`/test/payments/${payment.id}/dispute`);
  const about = { id: dispute.id, charge: payment.id, payment_intent: payment.payment_intent };
  await harness.deliver(disputeEvent(order, 'created', 'needs_response', about));
  expect(await statusOf(order)).toBe('disputed');
  await turn(`/test/disputes/${dispute.id}/close`, { status: 'won' });
  await harness.deliver(disputeEvent(order, 'closed', 'won', about));
  expect(await statusOf(order)).toBe('paid');
  await harness.deliver(disputeEvent(order, 'closed', 'lost', about));
  expect(await statusOf(order)).toBe('paid');
  // What the provider says now counts, however old the event is that made us ask.
  await turn(`/test/disputes/${dispute.id}/close`, { status: 'lost' });
  await harness.deliver(disputeEvent(order, 'closed', 'lost', about, { created: 1 }));
  expect(await statusOf(order)).toBe('disputed');
});

test.each([
  ['whose charge was kept is won', undefined, 'paid'],
  ['whose charge was refunded in part is won', { amount: 300 }, 'paid'],
  ['whose charge was refunded is lost', {}, 'disputed'],
  ['whose charge the provider does not know is lost', 'ch_unknown', 'disputed'],
  ['that names no charge is lost', '', 'disputed'],
])('a prevented dispute %s', async (_, given, status) => {
  const { order, payment } = await buy();
  const dispute = await turn(`/test/payments/${payment.id}/dispute`);
  if (typeof given === 'object') await turn(`/test/payments/${payment.id}/refund`, given);
  const charge = typeof given === 'string' ? given : payment.id;
  const about = { id: dispute.id, charge: charge || null, payment_intent: payment.payment_intent };
  // Only what is known as disputed shows that it was won, and only what is not shows that it was lost.
  if (status === 'paid') await harness.deliver(disputeEvent(order, 'created', 'needs_response', about));
  await turn(`/test/disputes/${dispute.id}/close`, { status: 'prevented' });
  await harness.deliver(disputeEvent(order, 'closed', 'prevented', about));
  expect(await statusOf(order)).toBe(status);
});

test('a dispute that names only its charge is found through the provider', async () => {
  const { order, payment } = await buy();
  await harness.deliver(disputeEvent(order, 'created', 'needs_response', { charge: payment.id, payment_intent: null }));
  expect(await statusOf(order)).toBe('disputed');
});
