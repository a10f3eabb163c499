import { beforeEach, describe, expect, test } from '@jest/globals';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import { openText } from '../../../shared/crypto/sealed-text.ts';
import type { Item } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { listDeadJobs } from '../../../shared/jobs/dead-job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { findOrdersOfBuyer } from '../../../shared/orders/order-repository.ts';
import { findPaymentEvent } from '../../../shared/payments/payment-repository.ts';
import { hasStock } from '../../../shared/products/code-stock.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { declineEvent, disputeEvent, paymentIdOf, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import {
  createMailer,
  createProjectionHarness,
  type ProjectionHarness,
  sampleOrder,
  toSqsEvent,
} from '../../support/scenes/projection-harness.ts';

type Change = Record<string, unknown>;

let harness: ProjectionHarness;
let readAll: TestTable['readAll'];
let clock: Date;

beforeEach(async () => {
  clock = new Date('2026-01-31T09:00:00.000Z');
  const made = await createTestTable();
  readAll = made.readAll;
  harness = await createProjectionHarness({ table: made.table, now: () => clock });
});
const pass = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000);
};

/** Why the event's job is dead; undefined when it is not. */
async function deathOf(event: { id: string }): Promise<string | undefined> {
  const { items } = await listDeadJobs(harness.table, { limit: 100 });
  return items.find(({ id }) => id === jobId({ kind: 'project-event', eventId: event.id }))?.lastFailure;
}

/** The table without the records of events, which tell what was received, and of their jobs. */
async function effects(): Promise<Record<string, Item>> {
  const all = Object.entries(await readAll());
  return Object.fromEntries(all.filter(([key]) => !key.startsWith('EVENT#') && !key.startsWith('JOB#project-event:')));
}

async function paidOrder(change: Partial<Order> = {}): Promise<Order> {
  const order = await harness.addOrder(change);
  await harness.deliver(sessionEvent(order, 'completed'));
  return order;
}

const failedRefundEvent = (order: Order, change: Change = {}) => ({
  id: `evt_failed_${order.id}`,
  object: 'event',
  type: 'refund.failed',
  livemode: false,
  created: Math.floor(clock.getTime() / 1000),
  data: { object: { id: 're_1', charge: `ch_${order.id}`, payment_intent: paymentIdOf(order), ...change } },
});

/** One event of each type that counts. */
const everyType: [string, (order: Order, envelope?: Change) => { id: string }][] = [
  ['checkout.session.completed', (order, envelope) => sessionEvent(order, 'completed', {}, envelope)],
  ['an unpaid checkout.session.completed', (order, envelope) => sessionEvent(order, 'completed', { payment_status: 'unpaid' }, envelope)],
  ['checkout.session.async_payment_succeeded', (order, envelope) => sessionEvent(order, 'async_payment_succeeded', {}, envelope)],
  ['checkout.session.async_payment_failed', (order, envelope) => sessionEvent(order, 'async_payment_failed', {}, envelope)],
  ['checkout.session.expired', (order, envelope) => sessionEvent(order, 'expired', {}, envelope)],
  ['payment_intent.payment_failed', (order, envelope) => ({ ...declineEvent(order), ...envelope })],
  ['charge.refunded', (order, envelope) => ({ ...refundEvent(order, 1200), ...envelope })],
  ['charge.dispute.created', (order, envelope) => disputeEvent(order, 'created', 'needs_response', {}, envelope)],
  ['charge.dispute.updated', (order, envelope) => disputeEvent(order, 'updated', 'under_review', {}, envelope)],
  ['charge.dispute.closed', (order, envelope) => disputeEvent(order, 'closed', 'lost', {}, envelope)],
  ['refund.failed', (order, envelope) => ({ ...failedRefundEvent(order), ...envelope })],
];

describe('an event that is not ours', () => {
  const envelopes: [string, Change][] = [
    ['of live mode', { livemode: true }],
    ['of a mode that we do not know', { livemode: 'false' }],
    ['of a connected account', { account: 'acct_other' }],
    ['of our own account as a connected one', { account: 'acct_test' }],
    ['of a type that we do not handle', { type: 'customer.created' }],
  ];
  test.each(envelopes)('%s changes nothing, whatever its type', async (_, envelope) => {
    for (const order of [await harness.addOrder(), await paidOrder()]) {
      const before = await effects();
      for (const [, eventOf] of everyType) {
        const event = eventOf(order, { ...envelope, id: `evt_${Math.random().toString(36).slice(2)}` });
        expect(await harness.deliver(event)).toEqual({ received: true, processed: false, ignored: true });
      }
      expect(await effects()).toEqual(before);
      expect(harness.queue.sent.filter((id) => id.startsWith('project-event'))).toEqual([]);
    }
  });

  test('of the connect endpoint changes nothing, whatever its type, unless it is about an account', async () => {
    const order = await harness.addOrder();
    const before = await effects();
    for (const [, eventOf] of everyType)
      expect(await harness.deliver(eventOf(order), 'connect')).toEqual({ received: true, processed: false });
    expect(await effects()).toEqual(before);
    // The same event then comes to the endpoint at which it counts.
    const paid = sessionEvent(order, 'completed');
    await harness.deliver(paid, 'connect');
    await harness.deliver(paid, 'platform');
    expect((await harness.show(order.id)).order.status).toBe('paid');
  });
});

test('an event that counts still counts when its copy comes to the endpoint at which it does not', async () => {
  const order = await harness.addOrder();
  const event = sessionEvent(order, 'completed');
  await harness.receiveEvent('platform', event);
  await harness.receiveEvent('connect', event);
  await harness.receiveEvent('platform', { ...event, livemode: true });
  await harness.project(harness.queue.take());
  expect((await harness.show(order.id)).order.status).toBe('paid');
});

describe('a session that names an order that is not there', () => {
  const stranger = () => sampleOrder();

  test.each([
    ['by its reference', (order: Order) => ({ metadata: { order_id: order.id, stage: 'local' } })],
    ['by its metadata alone', (order: Order) => ({ client_reference_id: null, metadata: { order_id: order.id, stage: 'local' } })],
    ['not at all', () => ({ client_reference_id: null, metadata: { stage: 'local' } })],
  ])('of our stage, %s, is left dead for an operator and changes nothing', async (_, changeOf) => {
    const order = stranger();
    const event = sessionEvent(order, 'completed', changeOf(order));
    await harness.deliver(event);
    expect(await deathOf(event)).toBe('order_unknown');
    expect(await effects()).toEqual({});
    expect((await findPaymentEvent(harness.table, event.id))?.projectedAt).toBeUndefined();
  });

  test.each([['staging'], [undefined], ['']])('of stage %j, which is not ours, is done without any effect', async (stage) => {
    const order = stranger();
    const event = sessionEvent(order, 'completed', { metadata: { order_id: order.id, stage } });
    await harness.deliver(event);
    expect(await deathOf(event)).toBeUndefined();
    expect(await effects()).toEqual({});
    expect(await harness.deliver(event)).toMatchObject({ processed: true });
  });
});

describe('a payment', () => {
  test.each([
    ['completed', { amount_total: 1199 }, 'amount_differs'],
    ['completed', { amount_total: 1201 }, 'amount_differs'],
    ['completed', { amount_total: null }, 'amount_differs'],
    ['completed', { id: 'cs_test_other' }, 'session_differs'],
    ['completed', { currency: 'krw' }, 'currency_differs'],
    ['completed', { currency: null }, 'currency_differs'],
    ['completed', { mode: 'setup' }, 'mode_differs'],
    ['async_payment_succeeded', { amount_total: 120_000 }, 'amount_differs'],
    ['async_payment_succeeded', { currency: 'usd' }, 'currency_differs'],
    ['async_payment_failed', { amount_total: 1 }, 'amount_differs'],
  ] as const)('by %s with %j is dead as %s and changes nothing', async (type, change, reason) => {
    const order = await harness.addOrder();
    const before = await effects();
    const event = sessionEvent(order, type, change);
    await harness.deliver(event);
    expect(await deathOf(event)).toBe(reason);
    expect(await effects()).toEqual(before);
  });

  test.each([
    ['a decline', (order: Order) => declineEvent(order, { amount: 1 })],
    ['a decline in another currency', (order: Order) => declineEvent(order, { currency: 'usd' })],
  ])('%s of another amount or currency changes nothing', async (_, eventOf) => {
    const order = await harness.addOrder();
    const before = await effects();
    const event = eventOf(order);
    await harness.deliver(event);
    expect(await deathOf(event)).toMatch(/^(amount|currency)_differs$/);
    expect(await effects()).toEqual(before);
  });

  test.each([
    ['amount', { amount: 5000 }, 'amount_differs'],
    ['currency', { currency: 'usd' }, 'currency_differs'],
  ])('whose refund has another %s is not refunded by it', async (_, change, reason) => {
    const order = await paidOrder();
    const before = await effects();
    const event = refundEvent(order, 1200, change);
    await harness.deliver(event);
    expect(await deathOf(event)).toBe(reason);
    expect(await effects()).toEqual(before);
  });

  test('of another order pays no second one', async () => {
    const first = await paidOrder();
    const second = await harness.addOrder();
    const before = await effects();
    const event = sessionEvent(second, 'completed', { payment_intent: paymentIdOf(first) });
    await harness.deliver(event);
    expect(await deathOf(event)).toBe('payment_of_another_order');
    expect(await effects()).toEqual(before);
  });

  test('besides the one that the order has is not the order’s', async () => {
    const order = await paidOrder();
    const before = await effects();
    const event = sessionEvent(order, 'completed', { payment_intent: 'pi_other' });
    await harness.deliver(event);
    expect(await deathOf(event)).toBe('payment_differs');
    expect(await effects()).toEqual(before);
  });

  test('of one order is not refunded because a refund’s metadata name another', async () => {
    const [first, second] = [await paidOrder(), await paidOrder()];
    await harness.deliver(refundEvent(first, 1200, { metadata: { order_id: second.id } }));
    expect((await harness.show(first.id)).order.status).toBe('refunded');
    expect((await harness.show(second.id)).order.status).toBe('paid');
  });

  test('that was declined for an order that has another one changes nothing', async () => {
    const order = await paidOrder();
    const before = await effects();
    await harness.deliver(declineEvent(order, { id: 'pi_other' }));
    expect(await effects()).toEqual(before);
  });

  test('that is refunded or disputed before it is known issues nothing', async () => {
    const order = await harness.addOrder();
    await harness.deliver(refundEvent(order, 400));
    await harness.deliver(disputeEvent(order, 'created', 'needs_response'));
    expect(await harness.show(order.id)).toMatchObject({ order: { status: 'pending' }, license: undefined, mail: undefined });
  });
});

describe('imported codes', () => {
  const terms: Order['terms'] = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' };
  const productId = newId('product');

  const stockOne = () =>
    harness.table.write(stockCode(harness, { productId, batchId: newId('batch'), code: 'CODE-0001', codeHash: 'hash' }));

  test('are not spent on an order that was fully refunded before its payment was known', async () => {
    await stockOne();
    const order = await harness.addOrder({ productId, terms });
    await harness.deliver(refundEvent(order, 1200));
    await harness.deliver(sessionEvent(order, 'completed'));
    expect(await harness.show(order.id)).toMatchObject({ order: { status: 'refunded' }, license: undefined, mail: undefined });
    expect((await harness.show(order.id)).order.waitingSince).toBeUndefined();
    expect(await hasStock(harness.table, productId)).toBe(true);
  });

  test.each([
    ['partly refunded', (order: Order) => refundEvent(order, 1199), 'partially_refunded', undefined],
    ['disputed', (order: Order) => disputeEvent(order, 'created', 'needs_response'), 'disputed', 'disputed'],
  ] as const)('are spent on an order that was %s', async (_, eventOf, status, hold) => {
    await stockOne();
    const order = await harness.addOrder({ productId, terms });
    await harness.deliver(eventOf(order));
    await harness.deliver(sessionEvent(order, 'completed'));
    const { order: paid, license } = await harness.show(order.id);
    expect(paid.status).toBe(status);
    expect(license?.licenseIssuanceMode).toBe('imported_csv');
    expect(license?.paymentHold).toBe(hold);
    expect(await hasStock(harness.table, productId)).toBe(false);
  });
});

describe('the buyer’s address', () => {
  const from = (email: string) => ({ customer_details: { email } });
  const addressOf = async (order: Order) => {
    const { sealedBuyerEmail } = (await harness.show(order.id)).order;
    return sealedBuyerEmail && openText(sealedBuyerEmail, order.id, harness.encryptionKeys);
  };
  const ordersOf = async (email: string) => {
    const [hash = ''] = buyerEmailHashes(email, harness.encryptionKeys);
    return (await findOrdersOfBuyer(harness.table, hash)).map(({ id }) => id);
  };

  test('stays the first one that was reported, whatever later events say', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed', from('first@example.com')));
    const before = await effects();
    await harness.deliver(sessionEvent(order, 'completed', from('second@example.com')));
    await harness.deliver(sessionEvent(order, 'async_payment_succeeded', from('third@example.com')));
    expect(await addressOf(order)).toBe('first@example.com');
    expect(await ordersOf('first@example.com')).toEqual([order.id]);
    expect(await ordersOf('second@example.com')).toEqual([]);
    const { [`ORDER#${order.id} ORDER`]: changed, ...rest } = await effects();
    const { [`ORDER#${order.id} ORDER`]: unchanged, ...others } = before;
    expect(rest).toMatchObject(Object.fromEntries(Object.entries(others).filter(([key]) => !key.startsWith('PAYMENT#'))));
    expect({ ...changed, revision: 0 }).toEqual({ ...unchanged, revision: 0 });
  });

  test.each([
    ['with another address', from('second@example.com')],
    ['without one', { customer_details: null }],
  ])('that came before the money finds the order when the money arrives %s', async (_, later) => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed', { ...from('First@Example.com'), payment_status: 'unpaid' }));
    expect(await ordersOf('first@example.com')).toEqual([]);
    await harness.deliver(sessionEvent(order, 'async_payment_succeeded', later));
    expect(await addressOf(order)).toBe('First@Example.com');
    expect(await ordersOf('first@example.com')).toEqual([order.id]);
    expect(await ordersOf('second@example.com')).toEqual([]);
  });
});

test('the buyer’s address that comes after the payment finds the order too', async () => {
  const order = await harness.addOrder();
  await harness.deliver(sessionEvent(order, 'completed', { customer_details: null }));
  await harness.deliver(sessionEvent(order, 'async_payment_succeeded'));
  const [hash = ''] = buyerEmailHashes('buyer@example.com', harness.encryptionKeys);
  expect((await findOrdersOfBuyer(harness.table, hash)).map(({ id }) => id)).toEqual([order.id]);
});

describe('a repeated event', () => {
  test.each(everyType)('%s changes nothing, however late', async (name, eventOf) => {
    for (const isPaid of [true, false]) {
      const order = await (isPaid ? paidOrder() : harness.addOrder());
      const event = eventOf(order);
      if (name === 'refund.failed') continue;
      await harness.deliver(event);
      const before = await readAll();
      pass(3600);
      expect(await harness.deliver(event)).toEqual({ received: true, processed: true });
      // The queue, too, delivers a message more than once.
      await harness.project(toSqsEvent([jobId({ kind: 'project-event', eventId: event.id })]));
      expect(await readAll()).toEqual(before);
    }
  });

  test('dates the payment by the provider, and its receipt by the first, though it is projected after the repeat', async () => {
    const order = await harness.addOrder();
    const event = sessionEvent(order, 'completed', {}, { created: Date.parse('2026-01-30T23:59:59.000Z') / 1000 });
    const received = clock.toISOString();
    await harness.receiveEvent('platform', event);
    pass(900);
    expect(await harness.receiveEvent('platform', event)).toEqual({ received: true, processed: false });
    await harness.project(harness.queue.take());
    expect((await harness.show(order.id)).order.checkout).toEqual({ paidAt: '2026-01-30T23:59:59.000Z', paidHeardAt: received });
  });

  test('under another id does not date the payment anew, issues nothing and mails nothing', async () => {
    const order = await paidOrder();
    const { order: paid, license } = await harness.show(order.id);
    const mailbox: string[] = [];
    const mailer = createMailer(harness, { send: async ({ to }) => void mailbox.push(to) });
    await mailer(harness.queue.take());
    const mailed = (await harness.show(order.id)).mail;
    pass(3600);
    await harness.deliver(sessionEvent(order, 'async_payment_succeeded'));
    await harness.deliver(sessionEvent(order, 'completed'));
    expect(harness.queue.take().Records).toEqual([]);
    await mailer(toSqsEvent([`send-mail:${order.id}/issuance`]));
    expect(mailbox).toEqual(['Buyer@Example.com']);
    const shown = await harness.show(order.id);
    expect({ ...shown.order, revision: 0 }).toEqual({ ...paid, revision: 0 });
    expect(shown.license).toEqual(license);
    expect(shown.mail).toEqual(mailed);
  });

  test.each(['earlier', 'later'])(
    'received %s than the one that is projected first leaves the first receipt’s time, and the provider’s earliest',
    async (which) => {
      const order = await harness.addOrder();
      const created = Date.parse('2026-01-30T12:00:00.000Z') / 1000;
      const first = sessionEvent(order, 'completed', {}, { created: created + 60 });
      const second = sessionEvent(order, 'async_payment_succeeded', {}, { created });
      const received = clock.toISOString();
      await harness.receiveEvent('platform', first);
      pass(600);
      await harness.receiveEvent('platform', second);
      const messages = harness.queue.take().Records;
      for (const record of which === 'earlier' ? messages.toReversed() : messages) await harness.project({ Records: [record] });
      const { paidAt, paidHeardAt } = (await harness.show(order.id)).order.checkout;
      expect({ paidAt, paidHeardAt }).toEqual({ paidAt: '2026-01-30T12:00:00.000Z', paidHeardAt: received });
    },
  );
});
