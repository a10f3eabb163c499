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

/** State, then what approve, approve_limited, needs_more_info, reject and suspend do. */
const table = `
  draft            no   no   same yes  yes
  pending_review   yes  yes  yes  yes  yes
  approved_limited yes  same yes  yes  yes
  approved         same yes  yes  yes  yes
  rejected         yes  yes  yes  same yes
  suspended        yes  yes  no   yes  same`;
const rows = table
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/ +/));

test.each(rows)('a seller in state %s takes exactly the decisions of the table of reviews', (state = '', ...moves) => {
  expect(reviewTable[state as keyof typeof reviewTable]).toEqual(
    Object.fromEntries(
      ['approve', 'approve_limited', 'needs_more_info', 'reject', 'suspend'].map((decision, index) => [decision, moves[index]]),
    ),
  );
});

test('every state and decision of a review is in the table', () => {
  expect(rows.map(([state]) => state).toSorted()).toEqual([...reviewStatuses].toSorted());
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
  const codeOf = (...args: Parameters<typeof checkReview>): unknown => {
    try {
      checkReview(...args);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code ?? error;
    }
  };

  test('of one’s own is refused before anything else', () => {
    expect(codeOf({ userId: 'alice' }, { ownerUserId: 'alice' }, { revision: 2 }, { expectedRevision: 1 })).toBe('self_review_forbidden');
    expect(codeOf({ userId: 'alice' }, { ownerUserId: 'alice' }, { revision: 1 }, {})).toBe('self_review_forbidden');
    const owner = { ownerUserId: 'alice', ownerEmails: new Set(['a@example.com', 'b@example.com']) };
    for (const email of ['a@example.com', 'B@example.com']) {
      expect(codeOf({ userId: 'root', email }, owner, { revision: 1 }, {})).toBe('self_review_forbidden');
    }
    for (const [email, seller] of [
      ['c@example.com', owner],
      ['a@example.com', { ownerUserId: 'alice' }],
      ['a@example.com', undefined],
      [undefined, owner],
    ] as const) {
      expect(codeOf({ userId: 'root', email }, seller, { revision: 1 }, {})).toBeUndefined();
    }
  });

  test('of what changed since it was looked at is refused', () => {
    for (const [revision, expectedRevision] of [
      [2, 1],
      [1, 2],
      [1, 0],
    ] as const) {
      expect(codeOf({ userId: 'root' }, { ownerUserId: 'alice' }, { revision }, { expectedRevision })).toBe('stale_review');
    }
  });

  test('of what was looked at, or without a word on that, is let through', () => {
    expect(codeOf({ userId: 'root' }, { ownerUserId: 'alice' }, { revision: 2 }, { expectedRevision: 2 })).toBeUndefined();
    expect(codeOf({ userId: 'root' }, { ownerUserId: 'alice' }, { revision: 2 }, {})).toBeUndefined();
    expect(codeOf({ userId: 'root' }, undefined, { revision: 2 }, {})).toBeUndefined();
  });
});
