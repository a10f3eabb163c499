import { describe, expect, test } from '@jest/globals';
import { onboardingStatuses } from '../../../shared/payments/onboarding/onboarding-status.ts';
import {
  allowsCharges,
  checkReview,
  ineligibleStatuses,
  isApproved,
  isEligible,
  reapplicableStatuses,
  requireApproved,
  requireEligible,
  reviewDecisions,
  reviewStatuses,
  reviewTable,
  statusAfterReview,
} from '../../../shared/sellers/seller.ts';
import { CreateSellerRequest } from '../../../shared/sellers/seller-requests.ts';
import { tableOf } from '../../architecture/readme-page.ts';

test('a seller takes exactly the decisions of the table in the README', () => {
  expect(reviewTable).toEqual(tableOf('shared/sellers/README.md', 'from \\ decision'));
});

test('every state and decision of a review is in the table', () => {
  expect(Object.keys(reviewTable).toSorted()).toEqual([...reviewStatuses].toSorted());
  expect([...reviewDecisions].toSorted()).toEqual(Object.keys(statusAfterReview).toSorted());
  expect(statusAfterReview).toEqual({
    approve: 'approved',
    approve_limited: 'approved_limited',
    needs_more_info: 'draft',
    reject: 'rejected',
    suspend: 'suspended',
  });
});

test.each([
  ['draft', true, false, true],
  ['pending_review', true, false, true],
  ['approved_limited', true, true, false],
  ['approved', true, true, false],
  ['rejected', false, false, true],
  ['suspended', false, false, false],
] as const)('a seller that is %s: may change things %s, is approved %s, may apply %s', (status, eligible, approved, open) => {
  expect(isEligible({ internalReviewStatus: status })).toBe(eligible);
  expect(ineligibleStatuses.includes(status)).toBe(!eligible);
  for (const [require, holds] of [
    [requireEligible, eligible],
    [requireApproved, approved],
  ] as const) {
    const refused = () => require({ internalReviewStatus: status });
    if (holds) expect(refused).not.toThrow();
    else expect(refused).toThrow(expect.objectContaining({ code: 'seller_not_eligible' }));
  }
  expect(isApproved({ internalReviewStatus: status })).toBe(approved);
  expect(reapplicableStatuses.includes(status)).toBe(open);
});

test.each(onboardingStatuses.flatMap((status) => [true, false, undefined].map((enabled) => [status, enabled] as const)))(
  'a seller whose onboarding is %s and whose transfers are active %s may charge only when both say so',
  (status, enabled) => {
    const expected = enabled === true && ['charges_enabled', 'payouts_enabled'].includes(status);
    expect(allowsCharges({ paymentOnboardingStatus: status, paymentChargesEnabled: enabled })).toBe(expected);
  },
);

describe('a review', () => {
  const root = { userId: 'root' };
  const alice = { ownerUserId: 'alice' };
  const withEmails = { ...alice, ownerEmails: new Set(['a@example.com', 'b@example.com']) };
  const rootAs = (email: string | undefined) => ({ ...root, email });

  test.each<[string, Parameters<typeof checkReview>, string | undefined]>([
    ['of one’s own', [{ userId: 'alice' }, alice, { revision: 1 }, {}], 'self_review_forbidden'],
    ['of one’s own that changed', [{ userId: 'alice' }, alice, { revision: 2 }, { expectedRevision: 1 }], 'self_review_forbidden'],
    ['of one’s own by an address', [rootAs('a@example.com'), withEmails, { revision: 1 }, {}], 'self_review_forbidden'],
    ['of one’s own by an address in capitals', [rootAs('B@example.com'), withEmails, { revision: 1 }, {}], 'self_review_forbidden'],
    ['by another address', [rootAs('c@example.com'), withEmails, { revision: 1 }, {}], undefined],
    ['of a seller without addresses', [rootAs('a@example.com'), alice, { revision: 1 }, {}], undefined],
    ['of no seller', [rootAs('a@example.com'), undefined, { revision: 1 }, {}], undefined],
    ['without an address', [rootAs(undefined), withEmails, { revision: 1 }, {}], undefined],
    ['of what changed since', [root, alice, { revision: 2 }, { expectedRevision: 1 }], 'stale_review'],
    ['of what is still to come', [root, alice, { revision: 1 }, { expectedRevision: 2 }], 'stale_review'],
    ['of nothing', [root, alice, { revision: 1 }, { expectedRevision: 0 }], 'stale_review'],
    ['of what was looked at', [root, alice, { revision: 2 }, { expectedRevision: 2 }], undefined],
    ['without a word on that', [root, alice, { revision: 2 }, {}], undefined],
  ])('%s', (_, args, code) => {
    const check = () => checkReview(...args);
    if (code === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code }));
  });
});

test('a name is shown on one line, in the order in which it is read', () => {
  const { displayName } = CreateSellerRequest.shape;
  expect(['אבג', 'אבג\u200e', ' '].map((name) => displayName.safeParse(name).success)).toEqual([true, false, false]);
});
