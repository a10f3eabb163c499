import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { listDeadJobs } from '../../../shared/jobs/dead-job-repository.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { initialUpdatesUntil } from '../../../shared/licenses/coverage.ts';
import { mayMailLink, type Order } from '../../../shared/orders/order.ts';
import { findPaymentEvent } from '../../../shared/payments/payment-repository.ts';
import { ProviderRefusedError } from '../../../shared/payments/provider/stripe-client.ts';
import { declineEvent, disputeEvent, paymentIdOf, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';

let harness: ProjectionHarness;

beforeAll(async () => {
  harness = await createProjectionHarness();
});

async function paidOrder(): Promise<Order> {
  const order = await harness.addOrder();
  await harness.deliver(sessionEvent(order, 'completed'));
  return order;
}

describe('a completed checkout', () => {
  test('pays the order, issues one license of the terms that were sold, puts one mail into the outbox and audits both', async () => {
    const sold = { activationLimit: 7, features: ['a', 'b'], deactivationAllowed: false, offlineDays: 3, offlineFileDays: 30 };
    const order = await harness.addOrder({ terms: { ...sampleOrder().terms, ...sold, updatesDays: 365 } });
    expect(await harness.deliver(sessionEvent(order, 'completed'))).toEqual({ received: true, processed: false });
    const { order: paid, license, mail } = await harness.show(order.id);
    expect(paid).toMatchObject({ status: 'paid', paymentStatus: 'succeeded', licenseId: license?.id });
    expect(paid.ttl).toBeUndefined();
    expect(license).toMatchObject({ ...sold, orderId: order.id, productId: order.productId, sellerId: order.sellerId });
    expect(license?.updatesUntil).toBe(initialUpdatesUntil(license?.issuedAt ?? '', 365));
    expect(mail).toMatchObject({ state: 'pending' });
    const { items } = await listAudit(harness.table, { targetId: order.id, limit: 10 });
    expect(items).toMatchObject([{ action: 'order.update_status', before: { status: 'pending' }, after: { status: 'paid' } }]);
  });

  test.each<[string, Partial<Order>, Record<string, unknown>]>([
    ['of a free product', { amount: 0, applicationFeeAmount: 0 }, { payment_status: 'no_payment_required', payment_intent: null }],
    ['that leaves the mode out: its session is the one of the order', {}, { mode: undefined }],
    ['with metadata that are text', {}, { metadata: 'text' }],
    ['with metadata of other forms', {}, { metadata: { order_id: 7, stage: [] } }],
  ])('%s counts', async (_, terms, change) => {
    const order = await harness.addOrder(terms);
    await harness.deliver(sessionEvent(order, 'completed', change));
    expect(await harness.show(order.id)).toMatchObject({ order: { status: 'paid', paymentStatus: 'succeeded' }, license: {} });
  });

  test('of a session of no order is recorded and ignored', async () => {
    const foreign = sessionEvent(await harness.addOrder(), 'completed', { client_reference_id: null, metadata: {} });
    await harness.deliver(foreign);
    expect(await harness.deliver(foreign)).toMatchObject({ processed: true });
  });
});

test.each([{}, { id: 'evt_1' }, { type: 'x' }, { id: '../evt', type: 'x' }, []])('%j is refused as an event', async (body) => {
  await expect(harness.receiveEvent('platform', body)).rejects.toMatchObject({ code: 'invalid_request' });
});

/** What each event does to an order that is not paid, and to one that is, whichever of the two comes first. */
describe('an event about a payment', () => {
  const none = undefined;
  const unpaid = { status: 'pending', paymentStatus: 'pending' };
  const failed = { status: 'payment_failed', paymentStatus: 'failed' };
  test.each<[string, (order: Order) => unknown, whileUnpaid: object, oncePaid: string, hold: 'refunded' | 'disputed' | undefined]>([
    ['a partial refund', (o) => refundEvent(o, 1199), unpaid, 'partially_refunded', none],
    ['a full refund', (o) => refundEvent(o, 1200), unpaid, 'refunded', 'refunded'],
    ['an open dispute', (o) => disputeEvent(o, 'created', 'needs_response'), unpaid, 'disputed', 'disputed'],
    ['a lost dispute', (o) => disputeEvent(o, 'closed', 'lost'), unpaid, 'disputed', 'disputed'],
    ['a won dispute', (o) => disputeEvent(o, 'closed', 'won'), unpaid, 'paid', none],
    ['a failed attempt', (o) => declineEvent(o), failed, 'paid', none],
    ['a delayed payment that failed', (o) => sessionEvent(o, 'async_payment_failed'), failed, 'paid', none],
    ['an expiry', (o) => sessionEvent(o, 'expired'), { status: 'expired', paymentStatus: 'failed' }, 'paid', none],
    [
      'a payment on its way',
      (o) => sessionEvent(o, 'completed', { payment_status: 'unpaid' }),
      { status: 'pending', paymentStatus: 'processing' },
      'paid',
      none,
    ],
  ])('%s', async (_, eventOf, whileUnpaid, oncePaid, hold) => {
    for (const paidFirst of [true, false]) {
      const order = await (paidFirst ? paidOrder() : harness.addOrder());
      const { license: issued, mail } = await harness.show(order.id);
      harness.queue.take();
      await harness.deliver(eventOf(order));
      if (!paidFirst) {
        expect(await harness.show(order.id)).toMatchObject({ order: whileUnpaid, license: undefined, mail: undefined });
        expect(harness.queue.take().Records).toEqual([]);
        await harness.deliver(sessionEvent(order, 'completed'));
      }
      const shown = await harness.show(order.id);
      expect([shown.order.status, shown.license?.paymentHold]).toEqual([oncePaid, hold]);
      expect(mayMailLink(shown.order)).toBe(hold === undefined);
      if (paidFirst && hold === undefined) expect(shown).toMatchObject({ license: issued, mail });
    }
  });
});

describe('a charge without its payment intent', () => {
  const bare = { payment_intent: null };

  test('is known from an earlier event about it, or from the order that its metadata names', async () => {
    const order = await paidOrder();
    await harness.deliver(refundEvent(order, 500, bare));
    await harness.deliver(disputeEvent(order, 'created', 'needs_response', bare));
    expect((await harness.show(order.id)).order).toMatchObject({ status: 'disputed', paymentStatus: 'disputed' });
  });

  test('waits until the provider answers', async () => {
    const unanswered = await createProjectionHarness();
    const event = refundEvent(await unanswered.addOrder(), 1200, { ...bare, metadata: {} });
    await unanswered.deliver(event);
    const waiting = await takeDueJobs(unanswered, { evenIfLeased: true });
    expect(waiting).toMatchObject([{ task: { eventId: event.id }, state: 'waiting', lastFailure: 'dependency_unavailable' }]);
  });
});

test('an event of a kind we handle in a form we do not know goes to the dead letters, and counts once it comes in one we know', async () => {
  const order = await harness.addOrder();
  const event = sessionEvent(order, 'completed');
  const unreadable = { ...event, data: { object: { ...event.data.object, amount_total: '1200' } } };
  const id = jobId({ kind: 'project-event', eventId: event.id });
  const isDead = async () => (await listDeadJobs(harness.table, { limit: 100 })).items.some((job) => job.id === id);
  for (let time = 0; time < 2; time += 1) {
    expect(await harness.deliver(unreadable)).toEqual({ received: true, processed: false });
    expect(await isDead()).toBe(true);
  }
  await harness.deliver(event);
  expect((await harness.show(order.id)).order.status).toBe('paid');
  expect(await isDead()).toBe(false);
  expect(await harness.deliver(unreadable)).toMatchObject({ processed: true });
});

describe('the sample events of the provider', () => {
  beforeAll(async () => {
    // The provider has none of the objects that the samples name.
    const provider = { call: () => Promise.reject(new ProviderRefusedError({ code: 'resource_missing', status: 404 })) };
    harness = await createProjectionHarness({ provider });
  });
  const folder = new URL('../../fixtures/provider-events/', import.meta.url);
  const shown: Record<string, string> = {
    charge_dispute_closed_lost_usd: 'disputed',
    charge_dispute_created_usd: 'disputed',
    charge_refunded_full_jpy: 'refunded',
    charge_refunded_full_usd: 'refunded',
    charge_refunded_partial_jpy: 'partially_refunded',
    checkout_session_async_payment_failed_jpy: 'payment_failed',
    checkout_session_completed_unpaid_konbini: 'pending',
    checkout_session_expired_jpy: 'expired',
  };

  test.each(readdirSync(folder))('%s is accepted and has the effect of its kind', async (file) => {
    const price = file.includes('usd') ? { amount: 1900, currency: 'USD' } : file.includes('free') ? { amount: 0 } : {};
    const order = await harness.addOrder(price);
    const event = JSON.parse(
      readFileSync(new URL(file, folder), 'utf8')
        .replaceAll(/ord_01[A-Z0-9]+/g, order.id)
        .replaceAll(/cs_test_[a-zA-Z0-9]+/g, order.checkoutSessionId ?? '')
        .replaceAll(/(pi|ch|du|evt)_(test_|)[0-9A-Za-z]{12,}/g, (id, kind) => (kind === 'pi' ? paymentIdOf(order) : `${id}_${order.id}`)),
    );
    if (!file.startsWith('checkout')) await harness.deliver(sessionEvent(order, 'completed'));
    await harness.deliver(event, file.includes('capability') ? 'connect' : 'platform');
    expect((await findPaymentEvent(harness.table, event.id))?.payload.kind).not.toBe('ignored');
    // Which account returned is only known to the provider.
    const isDone = !file.includes('link_returned');
    expect(await harness.deliver(event)).toMatchObject({ processed: isDone });
    expect((await harness.show(order.id)).order.status).toBe(shown[file.replace('.json', '')] ?? 'paid');
  });
});
