import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { newId } from '../../../shared/ids.ts';
import { listDeadJobs } from '../../../shared/jobs/dead-job-repository.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createOrder, getOrder } from '../../../shared/orders/order-repository.ts';
import type { StripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

type SessionParams = Stripe.Checkout.SessionCreateParams;

let harness: SalesHarness;
let stripe: Stripe;
let [ownAccount, otherAccount] = ['', ''];

beforeAll(async () => {
  harness = await startSalesHarness();
  const { port } = new URL(harness.fakeProvider.endpoint);
  stripe = new Stripe('sk_test_shop', { host: '127.0.0.1', port, protocol: 'http', telemetry: false });
  const accountOf = async () => {
    const { slug } = await harness.offer({ priceAmount: 1200 });
    const { json } = await harness.checkoutCall('POST', `/v1/public/products/${slug}/checkout`);
    return (await getOrder(harness.table, json.order_id)).destinationAccountId;
  };
  ownAccount = await accountOf();
  otherAccount = await accountOf();
});
afterAll(() => harness.fakeProvider.stop());

/** An order whose checkout ended before its session was recorded. */
const addOrder = () => harness.addOrder({ checkoutSessionId: undefined, destinationAccountId: ownAccount });

/** A session at the provider that somebody paid, as it was asked for. */
async function paidSession(order: Order, change: Partial<SessionParams> = {}): Promise<Record<string, unknown>> {
  const price = { currency: 'jpy', unit_amount: order.amount, product_data: { name: 'Sample App' } };
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    client_reference_id: order.id,
    line_items: [{ quantity: 1, price_data: price }],
    payment_intent_data: { transfer_data: { destination: ownAccount }, metadata: { order_id: order.id } },
    success_url: 'https://shop.test/complete',
    ...change,
  });
  const reply = await fetch(`${harness.fakeProvider.endpoint}/test/checkout/${session.id}/pay`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'buyer@example.com' }),
  });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return { ...(await stripe.checkout.sessions.retrieve(session.id)) };
}

const eventOf = (object: Record<string, unknown>) => ({
  id: `evt_${object['id']}`,
  object: 'event',
  type: 'checkout.session.completed',
  livemode: false,
  data: { object },
});

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
])('no order takes a session that by the provider’s word %s, whatever the event says', async (_, change, reason) => {
  const order = await addOrder();
  const session = await paidSession(order, change());
  const event = eventOf({ ...session, client_reference_id: order.id, amount_total: order.amount, currency: 'jpy' });
  await harness.deliver(event);
  expect(await outcomeOf(order, event)).toEqual({ reason, status: 'pending', session: undefined, isLicensed: false });
});

test('no order takes a session that the provider does not know', async () => {
  const order = await addOrder();
  const event = eventOf({ ...sessionEvent(order, 'completed').data.object, id: 'cs_test_invented' });
  await harness.deliver(event);
  expect(await outcomeOf(order, event)).toEqual({ reason: 'session_unknown', status: 'pending', session: undefined, isLicensed: false });
});

test('an order takes one session that the provider confirms, and no second', async () => {
  const order = await addOrder();
  const [first, second] = [await paidSession(order), await paidSession(order)];
  const taken = { status: 'paid', session: first['id'], isLicensed: true };
  await harness.deliver(eventOf(first));
  expect(await outcomeOf(order, eventOf(first))).toEqual({ reason: undefined, ...taken });
  await harness.deliver(eventOf(second));
  expect(await outcomeOf(order, eventOf(second))).toEqual({ reason: 'session_differs', ...taken });
});

test('a session that the order does not know waits while the provider cannot be asked', async () => {
  const away = await createProjectionHarness();
  const order = await away.addOrder({ checkoutSessionId: undefined });
  const event = sessionEvent({ ...order, checkoutSessionId: 'cs_test_1' }, 'completed');
  await away.deliver(event);
  expect(await takeDueJobs(away, { evenIfLeased: true })).toMatchObject([{ task: { eventId: event.id }, state: 'waiting' }]);
  expect((await away.show(order.id)).license).toBeUndefined();
});

test('a session that by the provider’s word is one of another mode is not taken, though the event leaves the mode out', async () => {
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
