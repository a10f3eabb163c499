import { describe, expect, test } from '@jest/globals';
import { statusOf } from '../../shared/licenses/license.ts';
import { type AccountFacts, onboardingStatusOf } from '../../shared/payments/onboarding/onboarding-status.ts';
import {
  type ChargeFacts,
  type CheckoutFacts,
  licenseHoldOf,
  mergeChargeFacts,
  noChargeFacts,
  orderStatusOf,
  paymentStatusOf,
} from '../../shared/payments/payment-facts.ts';
import { firstCells, readPage } from './readme-page.ts';

const now = new Date('2026-01-31T10:00:00.000Z');
const at = '2026-01-31T09:00:00.000Z';
const amount = 1200;

/** Facts under which a status holds when nothing else does, in the order of the README. Where a status has several reasons, each. */
type Precedence<Facts> = [status: string, ...reasons: Facts[]][];

/** Of any two statuses whose facts are all there, the earlier is shown. */
function firstWins<Facts>(
  stated: string[],
  precedence: Precedence<Facts>,
  merge: (one: Facts, other: Facts) => Facts,
  show: (facts: Facts) => string,
) {
  expect(stated).toEqual(precedence.map(([status]) => status));
  for (const [index, [status, ...reasons]] of precedence.entries()) {
    for (const reason of reasons) {
      expect([reason, show(reason)]).toEqual([reason, status]);
      for (const [, ...laterReasons] of precedence.slice(index)) {
        for (const later of laterReasons) expect([reason, later, show(merge(reason, later))]).toEqual([reason, later, status]);
      }
    }
  }
}

interface PaymentFacts {
  checkout: CheckoutFacts;
  charge: ChargeFacts;
}
const unpaid = (checkout: CheckoutFacts): PaymentFacts => ({ checkout, charge: noChargeFacts });
const paid = (charge: Partial<ChargeFacts> = {}): PaymentFacts => ({ checkout: { paidAt: at }, charge: { ...noChargeFacts, ...charge } });
const refund = (refundedAmount: number) => ({ refundedAmount });
/** Disputes of different states have different ids, so that merging keeps both. */
const dispute = (state: 'open' | 'lost') => ({ disputes: { [`du_${state}`]: { state, at } } });
const mergePayment = (one: PaymentFacts, other: PaymentFacts): PaymentFacts => ({
  checkout: { ...one.checkout, ...other.checkout },
  charge: mergeChargeFacts(one.charge, other.charge),
});

describe('of the statuses in a README the first that holds is shown', () => {
  test('of an order', () => {
    firstWins(
      firstCells('shared/orders/README.md', 'status'),
      [
        ['refunded', paid(refund(amount))],
        ['disputed', paid(dispute('open')), paid(dispute('lost'))],
        ['partially_refunded', paid(refund(400))],
        ['paid', paid()],
        ['expired', unpaid({ expiredAt: at })],
        ['payment_failed', unpaid({ declinedAt: at }), unpaid({ asyncFailedAt: at })],
        ['pending', unpaid({}), unpaid({ processingAt: at })],
      ],
      mergePayment,
      ({ checkout, charge }) => orderStatusOf(amount, checkout, charge),
    );
  });

  test('of a payment', () => {
    firstWins(
      firstCells('shared/payments/facts.md', 'payment status'),
      [
        ['refunded', paid(refund(amount))],
        ['lost', paid(dispute('lost'))],
        ['disputed', paid(dispute('open'))],
        ['partially_refunded', paid(refund(400))],
        ['succeeded', paid()],
        ['failed', unpaid({ expiredAt: at }), unpaid({ asyncFailedAt: at })],
        ['processing', unpaid({ processingAt: at })],
        ['failed', unpaid({ declinedAt: at })],
        ['pending', unpaid({})],
      ],
      mergePayment,
      ({ checkout, charge }) => paymentStatusOf(amount, checkout, charge),
    );
  });

  test('of a license', () => {
    type Facts = Omit<Parameters<typeof statusOf>[0], 'paymentHold'> & { charge?: Partial<ChargeFacts> };
    firstWins<Facts>(
      firstCells('shared/licenses/README.md', 'status'),
      [
        ['revoked', { revokedAt: at }],
        ['refunded', { charge: refund(amount) }],
        ['disputed', { charge: dispute('open') }, { charge: dispute('lost') }],
        ['suspended', { suspendedAt: at }],
        ['expired', { expiresAt: at }],
        ['active', {}, { charge: refund(400) }],
      ],
      (one, other) => ({
        ...one,
        ...other,
        charge: mergeChargeFacts({ ...noChargeFacts, ...one.charge }, { ...noChargeFacts, ...other.charge }),
      }),
      ({ charge, ...facts }) => statusOf({ ...facts, paymentHold: licenseHoldOf(amount, { ...noChargeFacts, ...charge }) }, now),
    );
  });

  test("of a seller's payment onboarding", () => {
    type Name = keyof AccountFacts | 'none' | 'linkIssued' | 'linkReturned' | 'enabledBefore';
    const show = (facts: Name[]) => {
      const has = (name: Name) => facts.includes(name);
      const account = {
        rejected: has('rejected'),
        transfersActive: has('transfersActive'),
        payoutsActive: has('payoutsActive'),
        blocked: has('blocked'),
        dueFromUser: has('dueFromUser'),
      };
      const recorded = { linkIssued: has('linkIssued'), linkReturned: has('linkReturned'), enabledBefore: has('enabledBefore') };
      return onboardingStatusOf({ account: has('none') ? undefined : account, ...recorded });
    };
    const list = readPage('shared/payments/stripe.md').split('## Onboarding status')[1] ?? '';
    firstWins<Name[]>(
      [...list.matchAll(/^\d\. .* → `(\w+)`$|^\d\. else → `(\w+)`$/gm)].map(([, status, otherwise]) => status ?? otherwise ?? ''),
      [
        ['not_started', ['none']],
        ['rejected', ['rejected']],
        ['payouts_enabled', ['transfersActive', 'payoutsActive']],
        ['charges_enabled', ['transfersActive']],
        ['restricted', ['blocked'], ['enabledBefore']],
        ['requirements_due', ['linkReturned', 'dueFromUser']],
        ['onboarding_started', ['linkIssued']],
        ['account_created', []],
      ],
      (one, other) => [...one, ...other],
      show,
    );
    // Half of what a status needs is nothing.
    expect((['payoutsActive', 'dueFromUser', 'linkReturned'] as const).map((half) => show([half]))).toEqual(
      Array(3).fill('account_created'),
    );
  });
});
