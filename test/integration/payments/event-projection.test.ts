import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { isMailable } from '../../../shared/orders/order.ts';
import { ProviderRefusal } from '../../../shared/payments/stripe-client.ts';
import { declineEvent, disputeEvent, paymentIdOf, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, type ProjectionHarness } from '../../support/scenes/projection-harness.ts';

let harness: ProjectionHarness;

beforeAll(async () => {
  harness = await createProjectionHarness();
});

describe('a completed checkout', () => {
  test('pays the order, issues one license, puts one mail into the outbox and audits both', async () => {
    const order = await harness.addOrder();
    const receipt = await harness.deliver(sessionEvent(order, 'completed'));
    expect(receipt).toEqual({ received: true, processed: false });
    const { order: paid, license, mail } = await harness.show(order.id);
    expect(paid).toMatchObject({ status: 'paid', paymentStatus: 'succeeded', licenseId: license?.id });
    expect(paid.ttl).toBeUndefined();
    expect(license).toMatchObject({ orderId: order.id, productId: order.productId, activationLimit: 2, features: ['pro'] });
    expect(mail).toMatchObject({ state: 'pending' });
    const { items } = await harness.audit.listAudit({ targetId: order.id, limit: 10 });
    expect(items).toMatchObject([{ action: 'order.update_status', before: { status: 'pending' }, after: { status: 'paid' } }]);
  });

  test('is projected once, and the reply to a repeat is `processed`', async () => {
    const order = await harness.addOrder();
    const event = sessionEvent(order, 'completed');
    await harness.deliver(event);
    const first = await harness.show(order.id);
    expect(await harness.deliver(event)).toMatchObject({ processed: true });
    expect(await harness.show(order.id)).toEqual(first);
  });

  test('issues one license however many copies and events come at once', async () => {
    const order = await harness.addOrder();
    const events = [...Array.from({ length: 5 }, () => sessionEvent(order, 'completed')), sessionEvent(order, 'async_payment_succeeded')];
    await Promise.all(events.flatMap((event) => Array.from({ length: 10 }, () => harness.receiveEvent('platform', event))));
    const messages = harness.queue.take();
    await Promise.all(messages.Records.map((record) => harness.project({ Records: [record] })));
    await harness.project(messages);
    const { order: paid } = await harness.show(order.id);
    expect(paid.status).toBe('paid');
    const { items } = await harness.audit.listAudit({ targetId: paid.licenseId ?? '', limit: 10 });
    expect(items.map((record) => record.action)).toEqual(['license.issue']);
    expect(harness.queue.sent.filter((id) => id.includes(order.id))).toEqual([`send-mail:${order.id}/issuance`]);
  });

  test('without payment waits for the money, and issues when it arrives', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed', { payment_status: 'unpaid' }));
    expect((await harness.show(order.id)).order).toMatchObject({ status: 'pending', paymentStatus: 'processing' });
    await harness.deliver(sessionEvent(order, 'async_payment_succeeded'));
    expect((await harness.show(order.id)).license).toBeDefined();
  });

  test('with a payment status that we do not know waits too', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed', { payment_status: 'on_its_way' }));
    expect(await harness.show(order.id)).toMatchObject({ order: { status: 'pending' }, license: undefined });
  });

  test('of a free product needs no payment', async () => {
    const order = await harness.addOrder({ amount: 0, applicationFeeAmount: 0 });
    await harness.deliver(sessionEvent(order, 'completed', { payment_status: 'no_payment_required', payment_intent: null }));
    expect(await harness.show(order.id)).toMatchObject({
      order: { status: 'paid', paymentStatus: 'succeeded' },
      license: { orderId: order.id },
    });
  });

  test.each([
    ['amount', { amount_total: 1 }, 'amount_differs'],
    ['missing amount', { amount_total: null }, 'amount_differs'],
    ['currency', { currency: 'usd' }, 'currency_differs'],
    ['mode', { mode: 'subscription' }, 'mode_differs'],
    ['session', { id: 'cs_test_other' }, 'session_differs'],
  ])('with another %s issues nothing and goes to the dead letters', async (_, change, failure) => {
    const order = await harness.addOrder();
    const event = sessionEvent(order, 'completed', change);
    await harness.deliver(event);
    expect(await harness.show(order.id)).toMatchObject({ order: { status: 'pending' }, license: undefined, mail: undefined });
    const { items } = await harness.jobs.listDeadJobs({ limit: 100 });
    expect(items).toContainEqual(
      expect.objectContaining({ task: { kind: 'project-event', eventId: event.id }, state: 'dead', lastFailure: failure }),
    );
  });

  test('that leaves the mode out counts: its session is the one of the order', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed', { mode: undefined }));
    expect((await harness.show(order.id)).order.status).toBe('paid');
  });

  test('of a session of no order is recorded and ignored', async () => {
    const order = await harness.addOrder();
    const foreign = sessionEvent(order, 'completed', { client_reference_id: null, metadata: {} });
    await harness.deliver(foreign);
    expect(await harness.deliver(foreign)).toMatchObject({ processed: true });
    expect((await harness.show(order.id)).order.status).toBe('pending');
  });
});

describe('events that never count', () => {
  test.each([
    ['of live mode', { livemode: true }],
    ['of a connected account', { account: 'acct_other' }],
    ['of a type we do not handle', { type: 'customer.created' }],
  ])('%s are stored and ignored', async (_, envelope) => {
    const order = await harness.addOrder();
    const event = sessionEvent(order, 'completed', {}, envelope);
    expect(await harness.deliver(event)).toEqual({ received: true, processed: false, ignored: true });
    expect(await harness.payments.findEvent(event.id)).toBeDefined();
    expect((await harness.show(order.id)).order.status).toBe('pending');
  });

  test('a snapshot event on the connect endpoint has no effect', async () => {
    const order = await harness.addOrder();
    const event = sessionEvent(order, 'completed');
    await harness.deliver(event, 'connect');
    expect(await harness.payments.findEvent(event.id)).toMatchObject({ payload: { kind: 'ignored' } });
    expect((await harness.show(order.id)).order.status).toBe('pending');
  });

  test.each([{}, { id: 'evt_1' }, { type: 'x' }, { id: '../evt', type: 'x' }, []])('%j is refused', async (body) => {
    await expect(harness.receiveEvent('platform', body)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('what happens to a payment', () => {
  const cases: [string, (order: Awaited<ReturnType<ProjectionHarness['addOrder']>>) => unknown[], string, string | undefined][] = [
    ['a partial refund leaves the license alone', (o) => [refundEvent(o, 500)], 'partially_refunded', undefined],
    ['a full refund takes it', (o) => [refundEvent(o, 500), refundEvent(o, 1200)], 'refunded', 'refunded'],
    ['a late partial refund does not undo a full one', (o) => [refundEvent(o, 1200), refundEvent(o, 500)], 'refunded', 'refunded'],
    ['an open dispute holds it', (o) => [disputeEvent(o, 'created', 'needs_response')], 'disputed', 'disputed'],
    ['an inquiry is only noted', (o) => [disputeEvent(o, 'created', 'warning_needs_response')], 'paid', undefined],
    [
      'a won dispute gives it back',
      (o) => [disputeEvent(o, 'created', 'needs_response'), disputeEvent(o, 'closed', 'won')],
      'paid',
      undefined,
    ],
    [
      'a late opening does not reopen a won dispute',
      (o) => [disputeEvent(o, 'closed', 'won'), disputeEvent(o, 'created', 'needs_response')],
      'paid',
      undefined,
    ],
    ['a lost dispute keeps it', (o) => [disputeEvent(o, 'closed', 'lost')], 'disputed', 'disputed'],
    ['a won dispute never undoes a full refund', (o) => [refundEvent(o, 1200), disputeEvent(o, 'closed', 'won')], 'refunded', 'refunded'],
    ['a failed attempt changes nothing once paid', (o) => [declineEvent(o)], 'paid', undefined],
    ['an expiry changes nothing once paid', (o) => [sessionEvent(o, 'expired')], 'paid', undefined],
  ];

  test.each(cases)('%s, before and after the payment is known', async (_, eventsOf, status, hold) => {
    for (const paidFirst of [true, false]) {
      const order = await harness.addOrder();
      const paid = sessionEvent(order, 'completed');
      const events = paidFirst ? [paid, ...eventsOf(order)] : [...eventsOf(order), paid];
      for (const event of events) await harness.deliver(event);
      const shown = await harness.show(order.id);
      expect(shown.order.status).toBe(status);
      expect(shown.license?.paymentHold).toBe(hold);
      expect(isMailable(shown.order)).toBe(hold === undefined);
    }
  });

  test('an attempt that failed shows until a later one succeeds', async () => {
    const order = await harness.addOrder();
    await harness.deliver(declineEvent(order));
    expect((await harness.show(order.id)).order).toMatchObject({ status: 'payment_failed', paymentStatus: 'failed' });
    await harness.deliver(sessionEvent(order, 'completed'));
    expect((await harness.show(order.id)).order.status).toBe('paid');
  });

  test('an expired session shows as expired', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'expired'));
    expect((await harness.show(order.id)).order.status).toBe('expired');
  });

  test('a refund of one of two purchases by the same buyer touches only that one', async () => {
    const [first, second] = [await harness.addOrder(), await harness.addOrder()];
    for (const order of [first, second]) await harness.deliver(sessionEvent(order, 'completed'));
    await harness.deliver(refundEvent(second, 1200));
    expect((await harness.show(first.id)).order.status).toBe('paid');
    expect((await harness.show(second.id)).order.status).toBe('refunded');
  });
});

describe('a charge without its payment intent', () => {
  const bare = { payment_intent: null };

  test('is known from an earlier event about it', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed'));
    await harness.deliver(refundEvent(order, 500));
    await harness.deliver(disputeEvent(order, 'created', 'needs_response', bare));
    expect((await harness.show(order.id)).order.status).toBe('disputed');
  });

  test('is known from the order that its metadata names', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed'));
    await harness.deliver(refundEvent(order, 1200, bare));
    expect((await harness.show(order.id)).order.status).toBe('refunded');
  });

  test('waits until the provider answers', async () => {
    const { addOrder, deliver, jobs } = await createProjectionHarness();
    const event = refundEvent(await addOrder(), 1200, { ...bare, metadata: {} });
    await deliver(event);
    const waiting = await jobs.takeDueJobs({ evenIfLeased: true });
    expect(waiting).toMatchObject([{ task: { eventId: event.id }, state: 'waiting', lastFailure: 'dependency_unavailable' }]);
  });
});

test.each([['text'], [{ order_id: 7, stage: [] }], [null]])(
  'metadata of another form, %j, takes nothing from an event',
  async (metadata) => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed', { metadata }));
    await harness.deliver(refundEvent(order, 1200, { metadata }));
    expect((await harness.show(order.id)).order.status).toBe('refunded');
  },
);

describe('an event of a kind we handle in a form we do not know', () => {
  test('goes to the dead letters, and counts once it comes in a form we know', async () => {
    const order = await harness.addOrder();
    const event = sessionEvent(order, 'completed');
    const unreadable = { ...event, data: { object: { ...event.data.object, amount_total: '1200' } } };
    const isDead = async () =>
      (await harness.jobs.listDeadJobs({ limit: 100 })).items.some(({ id }) => id === jobId({ kind: 'project-event', eventId: event.id }));
    for (let time = 0; time < 2; time += 1) {
      expect(await harness.deliver(unreadable)).toEqual({ received: true, processed: false });
      expect(await isDead()).toBe(true);
    }
    await harness.deliver(event);
    expect((await harness.show(order.id)).order.status).toBe('paid');
    expect(await isDead()).toBe(false);
    expect(await harness.deliver(unreadable)).toMatchObject({ processed: true });
  });
});

describe('the sample events of the provider', () => {
  beforeAll(async () => {
    // The provider has none of the objects that the samples name.
    const provider = { call: () => Promise.reject(new ProviderRefusal({ code: 'resource_missing', status: 404 })) };
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
    expect((await harness.payments.findEvent(event.id))?.payload.kind).not.toBe('ignored');
    // Which account returned is only known to the provider.
    const isDone = !file.includes('link_returned');
    expect(await harness.deliver(event)).toMatchObject({ processed: isDone });
    expect((await harness.show(order.id)).order.status).toBe(shown[file.replace('.json', '')] ?? 'paid');
  });
});
