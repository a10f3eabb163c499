import { beforeAll, describe, expect, test } from '@jest/globals';
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

let harness: ProjectionHarness;
let readAll: TestTable['readAll'];
let clock = new Date('2026-01-31T09:00:00.000Z');

beforeAll(async () => {
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

describe('an event at the endpoint at which it does not count', () => {
  test('has no effect, and has it when it comes to the other', async () => {
    const order = await harness.addOrder();
    const before = await effects();
    const event = sessionEvent(order, 'completed');
    expect(await harness.deliver(event, 'connect')).toEqual({ received: true, processed: false });
    expect(await effects()).toEqual(before);
    await harness.deliver(event, 'platform');
    expect((await harness.show(order.id)).order.status).toBe('paid');
  });

  test('takes nothing from the one that came to the right one', async () => {
    const order = await harness.addOrder();
    const event = sessionEvent(order, 'completed');
    await harness.receiveEvent('platform', event);
    await harness.receiveEvent('connect', event);
    await harness.receiveEvent('platform', { ...event, livemode: true });
    await harness.project(harness.queue.take());
    expect((await harness.show(order.id)).order.status).toBe('paid');
  });
});

test.each<[string, (order: Order) => Record<string, unknown>, string | undefined]>([
  ['by its reference', ({ id }) => ({ metadata: { order_id: id, stage: 'local' } }), 'order_unknown'],
  ['by its metadata', ({ id }) => ({ client_reference_id: null, metadata: { order_id: id, stage: 'local' } }), 'order_unknown'],
  ['not at all', () => ({ client_reference_id: null, metadata: { stage: 'local' } }), 'order_unknown'],
  ['of another stage', ({ id }) => ({ metadata: { order_id: id, stage: 'staging' } }), undefined],
  ['of no stage', ({ id }) => ({ metadata: { order_id: id } }), undefined],
  ['of none, without metadata', () => ({ client_reference_id: null, metadata: {} }), undefined],
  ['of an empty stage', ({ id }) => ({ metadata: { order_id: id, stage: '' } }), undefined],
])(
  'a session that names an order that is not there, %s, changes nothing; where it is ours it is left for an operator',
  async (_, changeOf, death) => {
    const order = sampleOrder();
    const before = await effects();
    const event = sessionEvent(order, 'completed', changeOf(order));
    await harness.deliver(event);
    expect([await deathOf(event), await effects()]).toEqual([death, before]);
    expect((await findPaymentEvent(harness.table, event.id))?.projectedAt === undefined).toBe(death !== undefined);
  },
);

describe('an event that does not fit its order', () => {
  test.each<[string, string, (order: Order) => { id: string }]>([
    ['pays less', 'amount_differs', (o) => sessionEvent(o, 'completed', { amount_total: 1199 })],
    ['pays more', 'amount_differs', (o) => sessionEvent(o, 'completed', { amount_total: 1201 })],
    ['tells no amount', 'amount_differs', (o) => sessionEvent(o, 'completed', { amount_total: null })],
    ['is of another session', 'session_differs', (o) => sessionEvent(o, 'completed', { id: 'cs_test_other' })],
    ['pays in another currency', 'currency_differs', (o) => sessionEvent(o, 'completed', { currency: 'krw' })],
    ['tells no currency', 'currency_differs', (o) => sessionEvent(o, 'completed', { currency: null })],
    ['pays nothing now', 'mode_differs', (o) => sessionEvent(o, 'completed', { mode: 'setup' })],
    ['pays another amount later', 'amount_differs', (o) => sessionEvent(o, 'async_payment_succeeded', { amount_total: 120_000 })],
    ['pays no other amount later', 'amount_differs', (o) => sessionEvent(o, 'async_payment_failed', { amount_total: 1 })],
    ['declines another amount', 'amount_differs', (o) => declineEvent(o, { amount: 1 })],
    ['declines another currency', 'currency_differs', (o) => declineEvent(o, { currency: 'usd' })],
  ])('%s, is dead as %s and changes nothing', async (_, reason, eventOf) => {
    const order = await harness.addOrder();
    const before = await effects();
    const event = eventOf(order);
    await harness.deliver(event);
    expect([await deathOf(event), await effects()]).toEqual([reason, before]);
  });

  test.each<[string, string | undefined, (order: Order, unpaid: Order) => { id: string }]>([
    ['refunds another amount', 'amount_differs', (o) => refundEvent(o, 1200, { amount: 5000 })],
    ['refunds another currency', 'currency_differs', (o) => refundEvent(o, 1200, { currency: 'usd' })],
    ['pays it once more', 'payment_differs', (o) => sessionEvent(o, 'completed', { payment_intent: 'pi_other' })],
    [
      'pays another order with the same payment',
      'payment_of_another_order',
      (o, unpaid) => sessionEvent(unpaid, 'completed', { payment_intent: paymentIdOf(o) }),
    ],
    ['declines another payment of it', undefined, (o) => declineEvent(o, { id: 'pi_other' })],
  ])('that is paid: %s, is dead as %s and changes nothing', async (_, reason, eventOf) => {
    const [order, unpaid] = [await harness.sell(), await harness.addOrder()];
    const before = await effects();
    const event = eventOf(order, unpaid);
    await harness.deliver(event);
    expect([await deathOf(event), await effects()]).toEqual([reason, before]);
  });

  test('goes by its payment, whatever its metadata name', async () => {
    const [first, second] = [await harness.sell(), await harness.sell()];
    await harness.deliver(refundEvent(first, 1200, { metadata: { order_id: second.id } }));
    const statuses = [first, second].map(async ({ id }) => (await harness.show(id)).order.status);
    expect(await Promise.all(statuses)).toEqual(['refunded', 'paid']);
  });
});

test.each([
  ['not spent', 'refunded', (order: Order) => refundEvent(order, 1200), undefined],
  ['spent', 'partially_refunded', (order: Order) => refundEvent(order, 1199), undefined],
  ['spent', 'disputed', (order: Order) => disputeEvent(order, 'created', 'needs_response'), 'disputed'],
])('an imported code is %s on an order that was %s before its payment was known', async (outcome, status, eventOf, paymentHold) => {
  const productId = newId('product');
  await harness.table.write(stockCode(harness, { productId, batchId: newId('batch'), code: 'CODE-0001', codeHash: newId('batch') }));
  const order = await harness.addOrder({ productId, terms: { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' } });
  await harness.deliver(eventOf(order));
  await harness.deliver(sessionEvent(order, 'completed'));
  const { order: paid, license, mail } = await harness.show(order.id);
  expect([paid.status, paid.waitingSince, await hasStock(harness.table, productId)]).toEqual([status, undefined, outcome === 'not spent']);
  if (outcome === 'spent') expect([license?.licenseIssuanceMode, license?.paymentHold]).toEqual(['imported_csv', paymentHold]);
  else expect([license, mail]).toEqual([undefined, undefined]);
});

describe('the buyer’s address', () => {
  const from = (email: string) => ({ customer_details: { email } });
  const addressOf = async (order: Order) => {
    const { sealedBuyerEmail } = (await harness.show(order.id)).order;
    return sealedBuyerEmail && openText(sealedBuyerEmail, order.id, harness.encryptionKeys);
  };
  const isFoundBy = async (email: string, order: Order) => {
    const [hash = ''] = buyerEmailHashes(email, harness.encryptionKeys);
    return (await findOrdersOfBuyer(harness.table, hash)).some(({ id }) => id === order.id);
  };

  type Report = [Parameters<typeof sessionEvent>[1], Record<string, unknown>];
  const [first, another] = [from('First@a.example'), from('b@a.example')];
  const none = { customer_details: null };
  const beforeTheMoney: Report = ['completed', { ...first, payment_status: 'unpaid' }];
  test.each<[string, Report, Report]>([
    ['whatever later events say', ['completed', first], ['completed', another]],
    ['though it came before the money', beforeTheMoney, ['async_payment_succeeded', another]],
    ['though the money came without one', beforeTheMoney, ['async_payment_succeeded', none]],
    ['though it came after the money', ['completed', none], ['completed', first]],
  ])('is the first that was reported, and finds the order once it is paid, %s', async (_, ...reports) => {
    const order = await harness.addOrder();
    for (const [type, change] of reports) {
      await harness.deliver(sessionEvent(order, type, change));
      const { status } = (await harness.show(order.id)).order;
      const isKnown = (await addressOf(order)) !== undefined;
      expect(await isFoundBy('first@a.example', order)).toBe(status === 'paid' && isKnown);
    }
    expect([await addressOf(order), await isFoundBy('b@a.example', order)]).toEqual(['First@a.example', false]);
  });
});

describe('a repeated event', () => {
  test.each([true, false])('of any type changes nothing, however late (of a paid order: %s)', async (isPaid) => {
    const order = await (isPaid ? harness.sell() : harness.addOrder());
    const all = [
      ...(['async_payment_succeeded', 'async_payment_failed', 'expired', 'completed'] as const).map((type) => sessionEvent(order, type)),
      ...[declineEvent(order), refundEvent(order, 1200)],
      ...[disputeEvent(order, 'created', 'needs_response'), disputeEvent(order, 'closed', 'lost')],
    ];
    for (const event of all) await harness.deliver(event);
    const before = await readAll();
    pass(3600);
    for (const event of all) expect(await harness.deliver(event)).toEqual({ received: true, processed: true });
    // The queue, too, delivers a message more than once.
    await harness.project(toSqsEvent(all.map(({ id }) => jobId({ kind: 'project-event', eventId: id }))));
    expect(await readAll()).toEqual(before);
  });

  test('under another id does not date the payment anew, issues nothing and mails nothing', async () => {
    const order = await harness.sell();
    const { order: paid, license } = await harness.show(order.id);
    const mailbox: string[] = [];
    const mailer = createMailer(harness, { send: async ({ to }) => void mailbox.push(to) });
    const mail = toSqsEvent([`send-mail:${order.id}/issuance`]);
    await mailer(mail);
    const mailed = (await harness.show(order.id)).mail;
    harness.queue.take();
    pass(3600);
    await harness.deliver(sessionEvent(order, 'async_payment_succeeded'));
    await harness.deliver(sessionEvent(order, 'completed'));
    expect(harness.queue.take().Records).toEqual([]);
    await mailer(mail);
    expect(mailbox).toEqual(['Buyer@Example.com']);
    const shown = await harness.show(order.id);
    expect({ ...shown.order, revision: 0 }).toEqual({ ...paid, revision: 0 });
    expect([shown.license, shown.mail]).toEqual([license, mailed]);
  });

  test.each(['earlier', 'later', 'as a repeat'])(
    'received %s than the one that is projected first leaves the first receipt’s time, and the provider’s earliest',
    async (which) => {
      const order = await harness.addOrder();
      const created = Date.parse('2026-01-30T12:00:00.000Z') / 1000;
      const second = sessionEvent(order, 'async_payment_succeeded', {}, { created });
      const first = which === 'as a repeat' ? second : sessionEvent(order, 'completed', {}, { created: created + 60 });
      const received = clock.toISOString();
      harness.queue.take();
      await harness.receiveEvent('platform', first);
      pass(600);
      expect(await harness.receiveEvent('platform', second)).toEqual({ received: true, processed: false });
      const messages = harness.queue.take().Records;
      for (const record of which === 'earlier' ? messages.toReversed() : messages) await harness.project({ Records: [record] });
      const { checkout } = (await harness.show(order.id)).order;
      expect(checkout).toEqual({ paidAt: '2026-01-30T12:00:00.000Z', paidHeardAt: received });
    },
  );
});
