import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { newId } from '../../../shared/ids.ts';
import { listDeadJobs } from '../../../shared/jobs/dead-job-repository.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { beginCheckoutAttempt, bindCheckoutSession, createOrder, getOrder } from '../../../shared/orders/order-repository.ts';
import type { StripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterrupter } from '../../support/interrupt.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

let harness: SalesHarness;
beforeAll(async () => {
  harness = await startSalesHarness();
});
afterAll(() => harness.fakeProvider.stop());

/** Sets a test control of the fake provider. */
const turn = (path: string, body?: object) => harness.fakeProvider.turn(path, body);

async function buy(): Promise<{ order: Order; payment: { id: string; payment_intent: string } }> {
  const product = await harness.offer({ priceAmount: 1200 });
  const { json } = await harness.call('POST', `/v1/public/products/${product.slug}/checkout`);
  await harness.pay(json.checkout_url);
  const { order } = await harness.show(json.order_id);
  const payments = (await (await fetch(`${harness.fakeProvider.endpoint}/test/payments`)).json()) as {
    items: { payment_intent: string; charge: string }[];
  };
  const paid = payments.items.find((item) => item.payment_intent === order.paymentIntentId);
  return { order, payment: { id: paid?.charge ?? '', payment_intent: paid?.payment_intent ?? '' } };
}

const statusOf = async (order: Order) => (await harness.show(order.id)).order.status;
const providerEvent = (id: string, type: string, object: object) => ({ id, object: 'event', type, livemode: false, data: { object } });

test('a refund that failed lifts the hold, and from then on the amount is retrieved from the provider', async () => {
  const { order, payment } = await buy();
  const refund = await turn(`/test/payments/${payment.id}/refund`);
  await harness.deliver(refundEvent(order, 1200, payment));
  expect(await statusOf(order)).toBe('refunded');

  await turn(`/test/refunds/${refund.id}/fail`);
  const failed = { id: 're_1', object: 'refund', charge: payment.id, payment_intent: payment.payment_intent };
  await harness.deliver(providerEvent(`evt_failed_${order.id}`, 'refund.failed', failed));
  expect(await statusOf(order)).toBe('paid');
  expect((await harness.show(order.id)).license?.paymentHold).toBeUndefined();

  // An event from before the failure comes late: the provider reports that nothing is refunded.
  await harness.deliver(refundEvent(order, 1200, payment));
  expect(await statusOf(order)).toBe('paid');

  await turn(`/test/payments/${payment.id}/refund`, { amount: 300 });
  await harness.deliver(refundEvent(order, 300, payment));
  expect(await statusOf(order)).toBe('partially_refunded');
});

test('what was retrieved last counts, whatever the clock of the worker that retrieved it', async () => {
  const { order, payment } = await buy();
  const refund = await turn(`/test/payments/${payment.id}/refund`);
  await harness.deliver(refundEvent(order, 1200, payment));
  await turn(`/test/refunds/${refund.id}/fail`);
  const failed = { id: 're_2', object: 'refund', charge: payment.id, payment_intent: payment.payment_intent };
  harness.pass(240_000);
  await harness.deliver(providerEvent(`evt_failed_${order.id}`, 'refund.failed', failed));
  harness.pass(-240_000);
  expect(await statusOf(order)).toBe('paid');
  await turn(`/test/payments/${payment.id}/refund`);
  await harness.deliver(refundEvent(order, 1200, payment));
  expect(await statusOf(order)).toBe('refunded');
  expect((await harness.show(order.id)).license?.paymentHold).toBe('refunded');
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

describe('a session that its order does not know', () => {
  type SessionParams = Stripe.Checkout.SessionCreateParams;
  let [ownAccount, otherAccount] = ['', ''];
  beforeAll(async () => {
    const accountOf = async () => {
      const { slug } = await harness.offer({ priceAmount: 1200 });
      const { json } = await harness.call('POST', `/v1/public/products/${slug}/checkout`);
      return (await getOrder(harness.table, json.order_id)).destinationAccountId;
    };
    ownAccount = await accountOf();
    otherAccount = await accountOf();
  });

  /** An order whose checkout ended before its session was recorded. */
  const addOrder = () => harness.addOrder({ checkoutSessionId: undefined, destinationAccountId: ownAccount });

  /** A session at the provider that somebody paid, as it was asked for. */
  async function paidSession(order: Order, change: Partial<SessionParams> = {}): Promise<Record<string, unknown>> {
    const price = { currency: 'jpy', unit_amount: order.amount, product_data: { name: 'Sample App' } };
    const { client } = harness.fakeProvider;
    const session = await client.call(({ checkout }) =>
      checkout.sessions.create({
        mode: 'payment',
        client_reference_id: order.id,
        line_items: [{ quantity: 1, price_data: price }],
        payment_intent_data: { transfer_data: { destination: ownAccount }, metadata: { order_id: order.id } },
        success_url: 'https://shop.test/complete',
        ...change,
      }),
    );
    await turn(`/test/checkout/${session.id}/pay`, { email: 'buyer@example.com' });
    return { ...(await client.call(({ checkout }) => checkout.sessions.retrieve(session.id))) };
  }

  const eventOf = (object: Record<string, unknown>) => providerEvent(`evt_${object['id']}`, 'checkout.session.completed', object);

  async function outcomeOf(order: Order, event: { id: string }) {
    const { items } = await listDeadJobs(harness.table, { limit: 100 });
    const dead = items.find(({ id }) => id === jobId({ kind: 'project-event', eventId: event.id }));
    const { order: shown, license } = await harness.show(order.id);
    return { reason: dead?.lastFailure, status: shown.status, session: shown.checkoutSessionId, isLicensed: license !== undefined };
  }

  const price = (unit_amount: number, currency = 'jpy') => [
    { quantity: 1, price_data: { currency, unit_amount, product_data: { name: 'Sample App' } } },
  ];

  test.each<[string, () => Partial<SessionParams>, string]>([
    ['pays another account', () => ({ payment_intent_data: { transfer_data: { destination: otherAccount } } }), 'account_differs'],
    ['leaves the money with the platform', () => ({ payment_intent_data: {} }), 'account_differs'],
    ['is about another order', () => ({ client_reference_id: newId('order') }), 'session_differs'],
    ['is about no order', () => ({ client_reference_id: undefined as never }), 'session_differs'],
    ['is about another amount', () => ({ line_items: price(120) }), 'amount_differs'],
    ['is in another currency', () => ({ line_items: price(1200, 'usd') }), 'currency_differs'],
  ])('is taken by no order when by the provider’s word it %s, whatever the event says', async (_, change, reason) => {
    const order = await addOrder();
    const session = await paidSession(order, change());
    const event = eventOf({ ...session, client_reference_id: order.id, amount_total: order.amount, currency: 'jpy' });
    await harness.deliver(event);
    expect(await outcomeOf(order, event)).toEqual({ reason, status: 'pending', session: undefined, isLicensed: false });
  });

  test('is taken by no order when the provider does not know it', async () => {
    const order = await addOrder();
    const event = eventOf({ ...sessionEvent(order, 'completed').data.object, id: 'cs_test_invented' });
    await harness.deliver(event);
    expect(await outcomeOf(order, event)).toEqual({ reason: 'session_unknown', status: 'pending', session: undefined, isLicensed: false });
  });

  test('is taken when the provider confirms it, and no second', async () => {
    const order = await addOrder();
    const [first, second] = [await paidSession(order), await paidSession(order)];
    const taken = { status: 'paid', session: first['id'], isLicensed: true };
    await harness.deliver(eventOf(first));
    expect(await outcomeOf(order, eventOf(first))).toEqual({ reason: undefined, ...taken });
    await harness.deliver(eventOf(second));
    expect(await outcomeOf(order, eventOf(second))).toEqual({ reason: 'session_differs', ...taken });
  });

  test('waits while the provider cannot be asked', async () => {
    const away = await createProjectionHarness();
    const order = await away.addOrder({ checkoutSessionId: undefined });
    const event = sessionEvent({ ...order, checkoutSessionId: 'cs_test_1' }, 'completed');
    await away.deliver(event);
    expect(await takeDueJobs(away, { evenIfLeased: true })).toMatchObject([{ task: { eventId: event.id }, state: 'waiting' }]);
    expect((await away.show(order.id)).license).toBeUndefined();
  });

  test('ends no order that gets the session of its next attempt meanwhile, wherever that comes in between', async () => {
    const { atEveryCall, ...faults } = createInterrupter();
    const { table } = await createTestTable({ faults });
    const first = { id: 'cs_test_first', object: 'checkout.session', mode: 'payment', amount_total: 1200, currency: 'jpy' };
    const retrieve = async () => ({ ...first, client_reference_id: current.id });
    const call = (request: (client: unknown) => unknown) =>
      faults.call('sessions.retrieve', async () => request({ checkout: { sessions: { retrieve } } }));
    const own = await createProjectionHarness({ table, provider: { call } as StripeClient });
    let current = sampleOrder();
    const sessions = new Set<string>();
    await atEveryCall(async (interrupt) => {
      const order = await own.addOrder({ checkoutSessionId: undefined, checkoutAttempt: 1 });
      const next = { ...order, checkoutAttempt: 2 };
      current = order;
      const repeat = async () => {
        await own.table.transact(beginCheckoutAttempt(order, next));
        await own.table.write(bindCheckoutSession(next, 'cs_test_next'));
        return 'cs_test_next';
      };
      let checkoutSessionId = '';
      await interrupt(
        // A card was declined there before.
        () => own.deliver(sessionEvent({ ...order, checkoutSessionId: first.id }, 'expired', { payment_intent: `pi_first_${order.id}` })),
        async () => {
          checkoutSessionId = await repeat().catch(() => first.id);
        },
      );
      sessions.add(checkoutSessionId);
      const status = checkoutSessionId === first.id ? 'expired' : 'pending';
      expect((await own.show(order.id)).order).toMatchObject({ status, checkoutSessionId });
      if (status === 'expired') return;
      await own.deliver(sessionEvent({ ...order, checkoutSessionId }, 'completed'));
      expect(await own.show(order.id)).toMatchObject({ order: { status: 'paid' }, license: { orderId: order.id } });
    });
    expect(sessions).toEqual(new Set([first.id, 'cs_test_next']));
  });

  test('is not taken when by the provider’s word it is one of another mode, though the event leaves the mode out', async () => {
    const order = sampleOrder({ checkoutSessionId: undefined });
    const session = { id: 'cs_test_1', client_reference_id: order.id, mode: 'subscription', amount_total: order.amount, currency: 'jpy' };
    // The fake provider makes no session of another mode.
    const provider = {
      call: (request: (client: unknown) => unknown) => request({ checkout: { sessions: { retrieve: async () => session } } }),
    } as StripeClient;
    const own = await createProjectionHarness({ provider });
    await own.table.transact(createOrder(order));
    await own.deliver(sessionEvent({ ...order, checkoutSessionId: 'cs_test_1' }, 'completed', { mode: undefined, payment_intent: 'pi_1' }));
    const { items } = await listDeadJobs(own.table, { limit: 10 });
    expect([items[0]?.lastFailure, (await own.show(order.id)).order.status]).toEqual(['mode_differs', 'pending']);
  });
});
