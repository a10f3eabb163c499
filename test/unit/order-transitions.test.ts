import { expect, test } from '@jest/globals';
import {
  type ChargeFacts,
  type CheckoutFacts,
  mergeChargeFacts,
  mergeCheckoutFacts,
  noChargeFacts,
  orderStatusOf,
} from '../../shared/payments/payment-facts.ts';
import { tableOf } from '../architecture/readme-page.ts';

interface Facts {
  checkout?: CheckoutFacts;
  charge?: ChargeFacts;
}

const amount = 1200;
const [before, now] = ['2026-01-31T09:00:00.000Z', '2026-01-31T10:00:00.000Z'];
const refund = (refundedAmount: number): ChargeFacts => ({ ...noChargeFacts, refundedAmount });
const dispute = (state: 'open' | 'won' | 'lost', at: string): ChargeFacts => ({ ...noChargeFacts, disputes: { du_1: { state, at } } });

/** The fewest facts that lead to each status. */
const states: Record<string, Facts> = {
  pending: {},
  payment_failed: { checkout: { declinedAt: before } },
  expired: { checkout: { expiredAt: before } },
  paid: { checkout: { paidAt: before } },
  partially_refunded: { checkout: { paidAt: before }, charge: refund(400) },
  disputed: { checkout: { paidAt: before }, charge: dispute('open', before) },
  refunded: { checkout: { paidAt: before }, charge: refund(amount) },
};

/** What each event adds; several where the table has one column for them. */
const events: Record<string, Facts[]> = {
  paid: [{ checkout: { paidAt: now } }],
  processing: [{ checkout: { processingAt: now } }],
  'payment failed': [{ checkout: { declinedAt: now } }, { checkout: { asyncFailedAt: now } }],
  expired: [{ checkout: { expiredAt: now } }],
  'partly refunded': [{ charge: refund(400) }],
  'fully refunded': [{ charge: refund(amount) }],
  'dispute open or lost': [{ charge: dispute('open', now) }, { charge: dispute('lost', now) }],
  'dispute won': [{ charge: dispute('won', now) }],
};

const statusOf = ({ checkout = {}, charge = noChargeFacts }: Facts) => orderStatusOf(amount, checkout, charge);
const merge = (one: Facts, other: Facts): Facts => ({
  checkout: mergeCheckoutFacts(one.checkout ?? {}, other.checkout ?? {}),
  charge: mergeChargeFacts(one.charge ?? noChargeFacts, other.charge ?? noChargeFacts),
});

const table = tableOf('shared/payments/facts.md', 'from \\ event');

test('the page of payment facts shows every state and event', () => {
  expect(Object.keys(table)).toEqual(Object.keys(states));
  for (const cells of Object.values(table)) expect(Object.keys(cells)).toEqual(Object.keys(events));
});

test.each(Object.entries(table))('an order that is %s goes where the table in the page of payment facts has it', (state, cells) => {
  const facts = states[state] ?? {};
  expect(statusOf(facts)).toBe(state);
  for (const [event, possible] of Object.entries(events)) {
    const shown = cells[event] === 'same' ? state : cells[event];
    for (const added of possible) expect([event, statusOf(merge(facts, added))]).toEqual([event, shown]);
  }
});
