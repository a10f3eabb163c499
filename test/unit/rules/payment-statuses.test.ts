import { describe, expect, test } from '@jest/globals';
import {
  type ChargeFacts,
  type CheckoutFacts,
  contradicts,
  licenseHoldOf,
  mergeChargeFacts,
  mergeCheckoutFacts,
  noChargeFacts,
  orderStatusOf,
  paymentStatusOf,
  refundedAmountOf,
} from '../../../shared/payments/payment-facts.ts';
import { firstCells } from '../../architecture/readme-page.ts';

const [early, late] = ['2026-01-31T09:00:00.000Z', '2026-01-31T10:00:00.000Z'];
const price = 1000;
const checkoutNames = ['paidAt', 'processingAt', 'asyncFailedAt', 'declinedAt', 'expiredAt'] as const;
const disputeStates = [undefined, 'inquiry', 'open', 'won', 'lost'] as const;

/** The first that holds, by the tables of the READMEs: the names of facts that must be there, and what they show. */
const orderStatuses: [string, (is: Known) => boolean][] = [
  ['refunded', (is) => is.paid && is.whole],
  ['disputed', (is) => is.paid && (is.open || is.lost)],
  ['partially_refunded', (is) => is.paid && is.part],
  ['paid', (is) => is.paid],
  ['expired', (is) => is.expired],
  ['payment_failed', (is) => is.declined || is.asyncFailed],
  ['pending', () => true],
];
const paymentStatuses: typeof orderStatuses = [
  ['refunded', (is) => is.paid && is.whole],
  ['lost', (is) => is.paid && is.lost],
  ['disputed', (is) => is.paid && is.open],
  ['partially_refunded', (is) => is.paid && is.part],
  ['succeeded', (is) => is.paid],
  ['failed', (is) => is.expired || is.asyncFailed],
  ['processing', (is) => is.processing],
  ['failed', (is) => is.declined],
  ['pending', () => true],
];
const holds: typeof orderStatuses = [
  ['refunded', (is) => is.whole],
  ['disputed', (is) => is.open || is.lost],
  ['none', () => true],
];
type Known = Record<'paid' | 'processing' | 'asyncFailed' | 'declined' | 'expired' | 'whole' | 'part' | 'open' | 'lost', boolean>;

const first = (table: typeof orderStatuses, known: Known) => table.find(([, holdsFor]) => holdsFor(known))?.[0];

/** Every combination of facts. */
const combinations = Array.from({ length: 32 }, (_, bits) =>
  Object.fromEntries(checkoutNames.filter((_name, index) => bits & (1 << index)).map((name) => [name, early])),
).flatMap((checkout: CheckoutFacts) =>
  [0, 1, price - 1, price, price + 1].flatMap((refundedAmount) =>
    disputeStates.flatMap((one) =>
      disputeStates.map((other) => {
        const disputes = { ...(one && { du_1: { state: one, at: early } }), ...(other && { du_2: { state: other, at: late } }) };
        return { checkout, charge: { refundedAmount, disputes } satisfies ChargeFacts };
      }),
    ),
  ),
);

test('what order, payment and license show is the first that holds, for every combination of facts', () => {
  for (const { checkout, charge } of combinations) {
    const states = Object.values(charge.disputes).map(({ state }) => state);
    const known: Known = {
      paid: checkout.paidAt !== undefined,
      processing: checkout.processingAt !== undefined,
      asyncFailed: checkout.asyncFailedAt !== undefined,
      declined: checkout.declinedAt !== undefined,
      expired: checkout.expiredAt !== undefined,
      whole: charge.refundedAmount >= price,
      part: charge.refundedAmount > 0,
      open: states.includes('open'),
      lost: states.includes('lost'),
    };
    const shown = {
      order: orderStatusOf(price, checkout, charge),
      payment: paymentStatusOf(price, checkout, charge),
      hold: licenseHoldOf(price, charge) ?? 'none',
    };
    const expected = { order: first(orderStatuses, known), payment: first(paymentStatuses, known), hold: first(holds, known) };
    expect({ ...known, ...shown }).toEqual({ ...known, ...expected });
  }
});

test('the READMEs list them in this order', () => {
  const statusesOf = (table: typeof orderStatuses) => table.map(([status]) => status);
  expect(firstCells('shared/orders/README.md', 'status')).toEqual(statusesOf(orderStatuses));
  expect(firstCells('shared/payments/facts.md', 'payment status')).toEqual(statusesOf(paymentStatuses));
});

test('a free order is never refunded', () => {
  expect(orderStatusOf(0, { paidAt: early }, noChargeFacts)).toBe('paid');
  expect(paymentStatusOf(0, { paidAt: early }, noChargeFacts)).toBe('succeeded');
  expect(licenseHoldOf(0, noChargeFacts)).toBeUndefined();
});

describe('merging', () => {
  test.each(checkoutNames)('keeps the earliest %s', (name) => {
    for (const [a, b] of [
      [early, late],
      [late, early],
    ]) {
      expect(mergeCheckoutFacts({ [name]: a }, { [name]: b })[name]).toBe(early);
      expect(mergeCheckoutFacts({ [name]: a }, {})[name]).toBe(a);
      expect(mergeCheckoutFacts({}, { [name]: b })[name]).toBe(b);
    }
    expect(Object.values(mergeCheckoutFacts({ [name]: early }, {})).filter(Boolean)).toHaveLength(1);
  });

  test('keeps the largest refunded amount, and of retrievals the latest, which decides from then on', () => {
    const events = (refundedAmount: number): ChargeFacts => ({ ...noChargeFacts, refundedAmount });
    const retrieval = (at: string, amount: number): ChargeFacts => ({ ...noChargeFacts, refundRetrieval: { at, amount } });
    const merged = (...all: ChargeFacts[]) => refundedAmountOf(all.reduce(mergeChargeFacts));
    expect(merged(events(300), events(700))).toBe(700);
    expect(merged(events(700), events(300))).toBe(700);
    expect(merged(events(1000), retrieval(early, 0))).toBe(0);
    expect(merged(retrieval(early, 0), events(1000))).toBe(0);
    expect(merged(retrieval(early, 0), retrieval(late, 400))).toBe(400);
    expect(merged(retrieval(late, 400), retrieval(early, 0))).toBe(400);
    expect(merged(retrieval(late, 400), retrieval(early, 0), events(700))).toBe(400);
  });
});

test('only two closings with different outcomes of one dispute contradict each other', () => {
  const states = ['inquiry', 'open', 'won', 'lost'] as const;
  const pairs = states.flatMap((known) => states.map((next) => [known, next] as const));
  const contradicting = pairs.filter(([known, next]) =>
    contradicts({ ...noChargeFacts, disputes: { du_1: { state: known, at: early } } }, 'du_1', { state: next, at: late }),
  );
  expect(contradicting).toEqual([
    ['won', 'lost'],
    ['lost', 'won'],
  ]);
  expect(contradicts({ ...noChargeFacts, disputes: { du_1: { state: 'won', at: early } } }, 'du_2', { state: 'lost', at: late })).toBe(
    false,
  );
});
