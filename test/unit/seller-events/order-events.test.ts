import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { orderEvents } from '../../../shared/orders/order-events.ts';
import { type ChargeFacts, noChargeFacts } from '../../../shared/payments/payment-facts.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

const at = '2026-01-31T09:00:00.000Z';
const order: Order = { ...sampleOrder({ status: 'paid', checkout: { paidAt: at } }) };
const refund = (amount: number, retrieved?: number): ChargeFacts => ({
  ...noChargeFacts,
  refundedAmount: amount,
  ...(retrieved !== undefined && { refundRetrieval: { at, amount: retrieved } }),
});
const dispute = (state: 'inquiry' | 'open' | 'won' | 'lost' | undefined): ChargeFacts =>
  state === undefined ? noChargeFacts : { ...noChargeFacts, disputes: { du_1: { state, at } } };
const between = (before: ChargeFacts, after: ChargeFacts) =>
  orderEvents({ order, charge: before }, { order, charge: after }).map(({ type, data }) => {
    if (type === 'order.refunded') return `${type} ${data.amountRefunded}`;
    return type === 'order.dispute_closed' ? `${type} ${data.outcome}` : type;
  });

describe('between two looks at a paid order', () => {
  test.each<[string, ChargeFacts, ChargeFacts, string[]]>([
    ['a refund that failed tells nothing', refund(1200), refund(1200, 0), []],
    ['a refund that failed in part tells nothing', refund(1200), refund(1200, 400), []],
    ['a refund after one that failed is told', refund(1200, 0), refund(1200, 1200), ['order.refunded 1200']],
    ['what is known already is not told', refund(400), refund(400), []],
  ])('%s', (_, before, after, told) => {
    expect(between(before, after)).toEqual(told);
  });

  const [opens, wins, loses] = ['order.disputed', 'order.dispute_closed won', 'order.dispute_closed lost'];
  test.each<[Parameters<typeof dispute>[0], Parameters<typeof dispute>[0], string[]]>([
    [undefined, 'inquiry', []],
    [undefined, 'open', [opens]],
    [undefined, 'won', []],
    [undefined, 'lost', [opens, loses]],
    ['inquiry', 'open', [opens]],
    ['inquiry', 'won', []],
    ['inquiry', 'lost', [opens, loses]],
    ['open', 'inquiry', []],
    ['open', 'won', [wins]],
    ['open', 'lost', [loses]],
    ['won', 'lost', [opens, loses]],
    ['lost', 'won', [wins]],
    ...(['open', 'won', 'lost'] as const).map((state): ['open' | 'won' | 'lost', 'open' | 'won' | 'lost', string[]] => [state, state, []]),
  ])('a dispute that was %s and is %s tells %j', (before, after, told) => {
    expect(between(dispute(before), dispute(after))).toEqual(told);
  });
});

test('a sale is told of once it is paid, with all that is known of its charge by then', () => {
  const pending: Order = { ...order, status: 'pending', checkout: {} };
  const [before, charge] = [{ order: pending, charge: noChargeFacts }, refund(400)];
  expect(orderEvents(before, { order: pending, charge })).toEqual([]);
  const { id: orderId, productId, amount, currency } = order;
  const data = { orderId, productId, status: 'paid', amount, currency, kind: 'license', quantity: 1 };
  const refunded = { type: 'order.refunded', data: { ...data, amountRefunded: 400 } };
  expect(orderEvents({ order: pending, charge }, { order, charge })).toEqual([{ type: 'order.paid', data }, refunded]);
});

test('a sale is told with what it was for: kind, quantity, discount, and of an addition its order and whether that can be used', () => {
  const [discountId, parentOrderId] = [newId('discount'), newId('order')];
  const discount = { id: discountId, code: 'SPRING', amount: 300 };
  const several: Order = {
    ...order,
    kind: 'seats',
    quantity: 3,
    discount,
    addedTo: { orderId: parentOrderId, licenseId: newId('license') },
  };
  const pending: Order = { ...several, status: 'pending', checkout: {} };
  const told = { kind: 'seats', quantity: 3, discountId, parentOrderId };
  expect(orderEvents({ order: pending, charge: noChargeFacts }, { order: several, charge: refund(400) }, 'suspended')).toMatchObject([
    { type: 'order.paid', data: { ...told, licenseStatus: 'suspended' } },
    { type: 'order.refunded', data: told },
  ]);
});

test('each dispute of a charge is told of by itself', () => {
  const both: ChargeFacts = { ...noChargeFacts, disputes: { du_1: { state: 'won', at }, du_2: { state: 'lost', at } } };
  expect(between(dispute('open'), both)).toEqual(['order.dispute_closed won', 'order.disputed', 'order.dispute_closed lost']);
});
