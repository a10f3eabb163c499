import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Order } from '../../../shared/orders/order.ts';
import { declineEvent, disputeEvent, paymentIdOf, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, type ProjectionHarness } from '../../support/scenes/projection-harness.ts';

let harness: ProjectionHarness;
beforeEach(async () => {
  harness = await createProjectionHarness();
});

async function paidOrder(): Promise<Order> {
  const order = await harness.addOrder();
  await harness.deliver(sessionEvent(order, 'completed'));
  return order;
}

describe('refunds', () => {
  test.each([
    [[300, 700], 'partially_refunded', 700],
    [[700, 300], 'partially_refunded', 700],
    [[300, 1200], 'refunded', 1200],
    [[1199], 'partially_refunded', 1199],
    [[1200, 1199], 'refunded', 1200],
  ])('of which the events say %j leave the order %s', async (amounts, status, refundedAmount) => {
    const order = await paidOrder();
    for (const amount of amounts) await harness.deliver(refundEvent(order, amount));
    const { order: shown, license } = await harness.show(order.id);
    expect(shown.status).toBe(status);
    expect(license?.paymentHold).toBe(status === 'refunded' ? 'refunded' : undefined);
    expect((await harness.payments.readPayment(paymentIdOf(order))).charge.refundedAmount).toBe(refundedAmount);
  });
});

describe('a dispute', () => {
  const afterwards: [string, string, 'disputed' | undefined][] = [
    ['needs_response', 'disputed', 'disputed'],
    ['under_review', 'disputed', 'disputed'],
    ['a_status_of_later', 'disputed', 'disputed'],
    ['lost', 'disputed', 'disputed'],
    ['won', 'paid', undefined],
    ['prevented', 'paid', undefined],
    ['warning_closed', 'paid', undefined],
    ['warning_needs_response', 'paid', undefined],
    ['warning_under_review', 'paid', undefined],
  ];

  test.each(afterwards)('that is %s leaves the order of a paid one %s', async (status, shown, hold) => {
    const order = await paidOrder();
    await harness.deliver(disputeEvent(order, status.includes('closed') || hold === undefined ? 'closed' : 'updated', status));
    expect((await harness.show(order.id)).order.status).toBe(shown);
    expect((await harness.show(order.id)).license?.paymentHold).toBe(hold);
  });

  test.each(['won', 'prevented', 'warning_closed'])(
    'that was open holds no longer once it is %s, whichever comes first',
    async (status) => {
      for (const closedFirst of [false, true]) {
        const order = await paidOrder();
        const events = [disputeEvent(order, 'created', 'needs_response'), disputeEvent(order, 'closed', status)];
        for (const event of closedFirst ? events.toReversed() : events) await harness.deliver(event);
        expect((await harness.show(order.id)).order).toMatchObject({ status: 'paid', paymentStatus: 'succeeded' });
        expect((await harness.show(order.id)).license?.paymentHold).toBeUndefined();
      }
    },
  );

  test.each([
    ['open', 'created', 'needs_response', 'disputed'],
    ['lost', 'closed', 'lost', 'lost'],
  ] as const)('that is %s still holds while another is won', async (_, type, status, paymentStatus) => {
    const order = await paidOrder();
    await harness.deliver(disputeEvent(order, type, status));
    await harness.deliver(disputeEvent(order, 'created', 'needs_response', { id: 'du_second' }));
    await harness.deliver(disputeEvent(order, 'closed', 'won', { id: 'du_second' }));
    expect((await harness.show(order.id)).order).toMatchObject({ status: 'disputed', paymentStatus });
    expect((await harness.show(order.id)).license?.paymentHold).toBe('disputed');
  });

  test('that is won undoes neither a full refund nor the hold of one', async () => {
    const order = await paidOrder();
    await harness.deliver(disputeEvent(order, 'created', 'needs_response'));
    await harness.deliver(refundEvent(order, 1200));
    await harness.deliver(disputeEvent(order, 'closed', 'won'));
    expect(await harness.show(order.id)).toMatchObject({
      order: { status: 'refunded', paymentStatus: 'refunded' },
      license: { paymentHold: 'refunded' },
    });
  });

  test('that is lost after an earlier one is open shows as lost', async () => {
    const order = await paidOrder();
    await harness.deliver(disputeEvent(order, 'created', 'needs_response'));
    await harness.deliver(disputeEvent(order, 'closed', 'lost', { id: 'du_second' }));
    expect((await harness.show(order.id)).order).toMatchObject({ status: 'disputed', paymentStatus: 'lost' });
  });
});

describe('while an order is not paid', () => {
  test.each([
    ['a failed attempt', (order: Order) => declineEvent(order), 'payment_failed', 'failed'],
    ['an expired session', (order: Order) => sessionEvent(order, 'expired'), 'expired', 'failed'],
    ['a delayed payment that failed', (order: Order) => sessionEvent(order, 'async_payment_failed'), 'payment_failed', 'failed'],
    ['a payment on its way', (order: Order) => sessionEvent(order, 'completed', { payment_status: 'unpaid' }), 'pending', 'processing'],
  ])('%s issues nothing and mails nothing', async (_, eventOf, status, paymentStatus) => {
    const order = await harness.addOrder();
    await harness.deliver(eventOf(order));
    expect(await harness.show(order.id)).toMatchObject({ order: { status, paymentStatus }, license: undefined, mail: undefined });
    expect((await harness.show(order.id)).order.licenseId).toBeUndefined();
    expect(harness.queue.take().Records).toEqual([]);
  });
});

describe('once an order is paid', () => {
  test.each([
    ['a failed attempt', (order: Order) => declineEvent(order)],
    ['an expired session', (order: Order) => sessionEvent(order, 'expired')],
    ['a delayed payment that failed', (order: Order) => sessionEvent(order, 'async_payment_failed')],
    ['a payment on its way', (order: Order) => sessionEvent(order, 'completed', { payment_status: 'unpaid' })],
  ])('%s takes nothing from it', async (_, eventOf) => {
    const order = await paidOrder();
    const before = await harness.show(order.id);
    await harness.deliver(eventOf(order));
    const after = await harness.show(order.id);
    expect(after.order).toMatchObject({ status: 'paid', paymentStatus: 'succeeded', licenseId: before.license?.id });
    expect(after.license).toEqual(before.license);
    expect(after.mail).toEqual(before.mail);
  });
});
