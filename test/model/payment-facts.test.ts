import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ChargeFacts,
  type CheckoutFacts,
  licenseHoldOf,
  mergeChargeFacts,
  mergeCheckoutFacts,
  noChargeFacts,
  orderStatusOf,
  paymentStatusOf,
  refundedAtOf,
} from '../../shared/payments/payment-facts.ts';
import { tries } from '../support/depth.ts';

/** One event of the provider, and when it happened. */
type News =
  | { kind: 'paid' | 'processing' | 'async-failed' | 'declined' | 'expired'; at: number }
  | { kind: 'refunded'; amount: number; at: number }
  | { kind: 'dispute'; id: string; state: 'inquiry' | 'open' | 'won' | 'lost'; at: number; amount?: number };

const price = 1000;
const iso = (at: number) => new Date(1_700_000_000_000 + at * 1000).toISOString();

const time = fc.integer({ min: 0, max: 50 });
const news: fc.Arbitrary<News> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('paid' as const, 'processing' as const, 'async-failed' as const, 'declined' as const, 'expired' as const),
    at: time,
  }),
  fc.record({ kind: fc.constant('refunded' as const), amount: fc.constantFrom(0, 1, 400, 999, 1000, 1200), at: time }),
  fc.record(
    {
      kind: fc.constant('dispute' as const),
      id: fc.constantFrom('du_a', 'du_b'),
      state: fc.constantFrom('inquiry' as const, 'open' as const, 'won' as const, 'lost' as const),
      at: time,
      amount: fc.constantFrom(0, 300, 1000),
    },
    { requiredKeys: ['kind', 'id', 'state', 'at'] },
  ),
);

interface Known {
  checkout: CheckoutFacts;
  charge: ChargeFacts;
}

function learn({ checkout, charge }: Known, said: News): Known {
  switch (said.kind) {
    case 'refunded': {
      const refundTimes = { [said.amount]: iso(said.at) };
      return { checkout, charge: mergeChargeFacts(charge, { ...noChargeFacts, refundedAmount: said.amount, refundTimes }) };
    }
    case 'dispute': {
      const { kind: _, id, at, ...fact } = said;
      return { checkout, charge: mergeChargeFacts(charge, { ...noChargeFacts, disputes: { [id]: { ...fact, at: iso(at) } } }) };
    }
    default: {
      const name = {
        paid: 'paidAt',
        processing: 'processingAt',
        'async-failed': 'asyncFailedAt',
        declined: 'declinedAt',
        expired: 'expiredAt',
      } as const;
      return { checkout: mergeCheckoutFacts(checkout, { [name[said.kind]]: iso(said.at) }), charge };
    }
  }
}

/** The reference of when what is refunded was: by the largest amount, the last time that it was reported. */
function referenceRefundedAt(all: readonly News[]): string | undefined {
  const refunds = all.filter((said) => said.kind === 'refunded');
  const largest = Math.max(...refunds.map(({ amount }) => amount));
  const times = refunds.filter(({ amount }) => amount === largest).map(({ at }) => at);
  return times.length === 0 ? undefined : iso(Math.max(...times));
}

const learnAll = (all: readonly News[]) => all.reduce(learn, { checkout: {}, charge: noChargeFacts });

/** The reference: derives the status from the set of all events, without their order. */
function referenceStatus(all: readonly News[]): string {
  const has = (kind: string) => all.some((said) => said.kind === kind);
  const refunded = Math.max(0, ...all.map((said) => (said.kind === 'refunded' ? said.amount : 0)));
  const verdict = (id: string) => {
    const said = all.filter((each) => each.kind === 'dispute').filter((each) => each.id === id);
    const closings = said.filter((each) => each.state === 'won' || each.state === 'lost').sort((a, b) => b.at - a.at);
    const last = closings.filter((each) => each.at === closings[0]?.at);
    if (last.length > 0) return last.some((each) => each.state === 'lost') ? 'lost' : 'won';
    return said.some((each) => each.state === 'open') ? 'open' : 'none';
  };
  const verdicts = ['du_a', 'du_b'].map(verdict);
  if (!has('paid')) return has('expired') ? 'expired' : has('declined') || has('async-failed') ? 'payment_failed' : 'pending';
  if (refunded >= price) return 'refunded';
  if (verdicts.includes('lost') || verdicts.includes('open')) return 'disputed';
  return refunded > 0 ? 'partially_refunded' : 'paid';
}

const shown = ({ checkout, charge }: Known) => ({
  order: orderStatusOf(price, checkout, charge),
  payment: paymentStatusOf(price, checkout, charge),
  hold: licenseHoldOf(price, charge),
});

describe('what an order shows', () => {
  test('is a function of the reported facts, not of their order or repeats', () => {
    fc.assert(
      fc.property(fc.array(news, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (said, dice) => {
        const repeated = said.flatMap((each) => Array.from({ length: 1 + ((dice.next().value ?? 0) % 3) }, () => each));
        const shuffled = repeated.map((each) => ({ each, rank: dice.next().value ?? 0 })).sort((a, b) => a.rank - b.rank);
        const known = learnAll(shuffled.map(({ each }) => each));
        expect(known).toEqual(learnAll(said));
        expect(shown(known).order).toBe(referenceStatus(said));
        expect(refundedAtOf(known.charge)).toBe(referenceRefundedAt(said));
      }),
      { numRuns: tries(4000) },
    );
  });

  test('never lets a license be valid that a refund or dispute forbids', () => {
    fc.assert(
      fc.property(fc.array(news, { maxLength: 12 }), (said) => {
        const { order, payment, hold } = shown(learnAll([...said, { kind: 'paid', at: 0 }]));
        expect(hold === undefined).toBe(order === 'paid' || order === 'partially_refunded');
        expect(order === 'refunded').toBe(hold === 'refunded');
        expect(['succeeded', 'partially_refunded'].includes(payment)).toBe(hold === undefined);
      }),
      { numRuns: tries(2000) },
    );
  });
});
