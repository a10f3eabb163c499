import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { listDeadJobs } from '../../../shared/jobs/dead-job-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { findJob } from '../../../shared/jobs/late-job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { initialUpdatesUntil } from '../../../shared/licenses/coverage.ts';
import { revokeLicense } from '../../../shared/licenses/license-service.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { findPaymentEvent } from '../../../shared/payments/payment-repository.ts';
import { ProviderRefusedError } from '../../../shared/payments/provider/stripe-client.ts';
import { tries } from '../../support/depth.ts';
import {
  declineEvent,
  disputed,
  disputeEvent,
  type EventOf,
  expired,
  lost,
  paid,
  paymentIdOf,
  refundEvent,
  refunded,
  sessionEvent,
  unpaid,
  won,
} from '../../support/samples/provider-events.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder, toSqsEvent } from '../../support/scenes/projection-harness.ts';

let harness: ProjectionHarness;

beforeAll(async () => {
  harness = await createProjectionHarness();
});

describe('a completed checkout', () => {
  test('pays the order, issues one license of the terms that were sold, puts one mail into the outbox and audits both', async () => {
    const sold = { activationLimit: 7, features: ['a', 'b'], deactivationAllowed: false, offlineDays: 3, offlineFileDays: 30 };
    const order = await harness.addOrder({ terms: { ...sampleOrder().terms, ...sold, updatesDays: 365 } });
    expect(await harness.deliver(sessionEvent(order, 'completed'))).toEqual({ received: true, processed: false });
    const { order: sale, license, mail } = await harness.show(order.id);
    expect(sale).toMatchObject({ status: 'paid', paymentStatus: 'succeeded', licenseId: license?.id });
    expect(sale.ttl).toBeUndefined();
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
});

test.each([{}, { id: 'evt_1' }, { type: 'x' }, { id: '../evt', type: 'x' }, []])('%j is refused as an event', async (body) => {
  await expect(harness.receiveEvent('platform', body)).rejects.toMatchObject({ code: 'invalid_request' });
});

const failed = { status: 'payment_failed', paymentStatus: 'failed' };
test.each<[string, EventOf, object]>([
  ['a failed attempt', declineEvent, failed],
  ['a delayed payment that failed', (o) => sessionEvent(o, 'async_payment_failed'), failed],
  ['an expiry', expired, { status: 'expired', paymentStatus: 'failed' }],
  ['a payment on its way', unpaid, { status: 'pending', paymentStatus: 'processing' }],
])('%s shows until the order is paid, and not from then on', async (_, eventOf, whileUnpaid) => {
  const order = await harness.addOrder();
  harness.queue.take();
  await harness.deliver(eventOf(order));
  expect(await harness.show(order.id)).toMatchObject({ order: whileUnpaid, license: undefined, mail: undefined });
  expect(harness.queue.take().Records).toEqual([]);
  await harness.deliver(paid(order));
  const { license, mail } = await harness.show(order.id);
  await harness.deliver(eventOf(order));
  const { order: shown, ...rest } = await harness.show(order.id);
  expect([shown.status, shown.paymentStatus, rest]).toEqual(['paid', 'succeeded', { license, mail }]);
});

describe('the seller of an order', () => {
  /** What its seller is told of an order, but for the ids of order and product. */
  async function toldOf({ id: orderId, productId, sellerId }: Order) {
    const recorded = await createEventLog({ table: harness.table }).recordedOf(sellerId);
    return recorded.map((event) => {
      expect(event.data).toMatchObject({ orderId, productId });
      const { orderId: _, productId: __, licenseId: ___, ...rest } = told(event) as Record<string, unknown>;
      return rest;
    });
  }

  const sale = (status: string) => ({ status, amount: 1200, currency: 'JPY', kind: 'license', quantity: 1 });
  const isPaid = (status = 'paid') => ({ type: 'order.paid', ...sale(status) });
  const issued = (status = 'active') => {
    return { type: 'license.issued', status, licenseIssuanceMode: 'generated_server_validated', activationLimit: 2 };
  };
  const turns = (previousStatus: string, status: string) => ({ type: 'license.status_changed', previousStatus, status });
  const isRefunded = (amountRefunded: number, status: string) => ({ type: 'order.refunded', ...sale(status), amountRefunded });
  const isDisputed = (status = 'disputed') => ({ type: 'order.disputed', ...sale(status) });
  const isClosed = (outcome: 'won' | 'lost', status: string) => ({ type: 'order.dispute_closed', ...sale(status), outcome });
  const partly = isRefunded(400, 'partially_refunded');
  const toRefunded = [isRefunded(1200, 'refunded'), turns('active', 'refunded')];
  const opened = [isPaid(), issued(), isDisputed(), turns('active', 'disputed')];

  test.each<[string, EventOf[], object[]]>([
    ['nothing while it is not paid', [declineEvent, expired, unpaid, disputed, refunded(400)], []],
    ['each further amount that is refunded', [paid, paid, refunded(400), refunded(400)], [isPaid(), issued(), partly]],
    ['that all of it is refunded', [paid, refunded(1200), refunded(400)], [isPaid(), issued(), ...toRefunded]],
    ['what was refunded before', [refunded(1200), paid], [isPaid('refunded'), isRefunded(1200, 'refunded'), issued('refunded')]],
    ['what was refunded in part before', [refunded(400), paid], [isPaid('partially_refunded'), partly, issued()]],
    ['what was disputed before', [disputed, paid], [isPaid('disputed'), isDisputed(), issued('disputed')]],
    ['what was lost before', [lost, paid], [isPaid('disputed'), isDisputed(), isClosed('lost', 'disputed'), issued('disputed')]],
    ['nothing of what was won before', [won, paid], [isPaid(), issued()]],
    ['that a dispute was lost', [paid, disputed, lost, lost], [...opened, isClosed('lost', 'disputed')]],
    ['that one was won', [paid, disputed, won, won, disputed], [...opened, isClosed('won', 'paid'), turns('disputed', 'active')]],
    [
      'of a dispute of what is refunded whole, without a change of the license',
      [paid, refunded(1200), disputed, won],
      [isPaid(), issued(), ...toRefunded, isDisputed('refunded'), isClosed('won', 'refunded')],
    ],
  ])('is told %s', async (_, happened, expected) => {
    const order = await harness.addOrder();
    for (const eventOf of happened) await harness.deliver(eventOf(order));
    expect(await toldOf(order)).toEqual(expected);
    expect((await harness.show(order.id)).license === undefined).toBe(expected.length === 0);
  });

  test('is told of a dispute of what is revoked, without a change of the license', async () => {
    const order = await harness.sell();
    const { license } = await harness.show(order.id);
    if (!license) throw new Error('There is no license.');
    await revokeLicense(harness, 'admin', license.id);
    await harness.deliver(disputed(order));
    await harness.deliver(won(order));
    expect((await toldOf(order)).slice(2)).toEqual([turns('active', 'revoked'), isDisputed(), isClosed('won', 'paid')]);
  });

  test('is told each transition once, in any order, repeated and at once, and statuses follow from each other', async () => {
    const known = [paid, refunded(400), refunded(1200), disputed, lost];
    const twice = known.flatMap((_, at) => [at, at]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(twice, { minLength: 10 }), fc.boolean(), async (order, atOnce) => {
        const sold = await harness.addOrder();
        const sent = known.map((eventOf) => eventOf(sold));
        if (atOnce) await Promise.all(order.map((at) => harness.deliver(sent[at])));
        for (const at of order) await harness.deliver(sent[at]);
        const all = await toldOf(sold);
        const of = (type: string) => all.filter((event) => event['type'] === type);
        const once = ['order.paid', 'license.issued', 'order.disputed', 'order.dispute_closed'];
        expect(once.map((type) => of(type).length)).toEqual([1, 1, 1, 1]);
        const amounts = of('order.refunded').map((event) => Number(event['amountRefunded']));
        expect([[400, 1200], [1200]]).toContainEqual(amounts);
        const statuses = [of('license.issued')[0]?.['status'], ...of('license.status_changed').map(({ status }) => status)];
        expect(of('license.status_changed').map((event) => event['previousStatus'])).toEqual(statuses.slice(0, -1));
        expect(statuses.at(-1)).toBe('refunded');
        expect(new Set(statuses).size).toBe(statuses.length);
      }),
      { numRuns: tries(20) },
    );
  }, 120_000);
});

test('a charge without its payment intent is known from an earlier event about it, or from the order that its metadata names', async () => {
  const order = await harness.sell();
  const bare = { payment_intent: null };
  await harness.deliver(refundEvent(order, 500, bare));
  await harness.deliver(disputeEvent(order, 'created', 'needs_response', bare));
  expect((await harness.show(order.id)).order).toMatchObject({ status: 'disputed', paymentStatus: 'disputed' });
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

test('the job of an event that was projected ends without effect', async () => {
  const order = await harness.addOrder();
  const event = sessionEvent(order, 'completed');
  await harness.deliver(event);
  const before = await harness.show(order.id);
  const task = { kind: 'project-event', eventId: event.id } as const;
  await harness.table.transact([addJob(harness, task)]);
  await harness.project(toSqsEvent([jobId(task)]));
  expect(await findJob(harness.table, jobId(task))).toBeUndefined();
  expect(await harness.show(order.id)).toEqual(before);
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
