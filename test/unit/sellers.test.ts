import { describe, expect, test } from '@jest/globals';
import {
  type AccountFacts,
  type OnboardingFacts,
  type OnboardingStatus,
  onboardingStatuses,
  onboardingStatusOf,
  readAccount,
} from '../../shared/payments/onboarding/onboarding-status.ts';
import {
  allowsCharges,
  checkReview,
  ineligibleStatuses,
  isApproved,
  isEligible,
  reapplicableStatuses,
  requireApproved,
  requireEligible,
  reviewTable,
  statusAfterReview,
} from '../../shared/sellers/seller.ts';
import { CreateSellerRequest } from '../../shared/sellers/seller-requests.ts';
import { readPage, tableOf } from '../architecture/readme-page.ts';
import { accountOf, accountStates } from '../support/samples/account-states.ts';

test('a seller takes exactly the decisions of the table in the README', () => {
  expect(reviewTable).toEqual(tableOf('shared/sellers/README.md', 'from \\ decision'));
});

test('a decision makes of a seller what its name says', () => {
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

const fresh = { linkIssued: false, linkReturned: false, enabledBefore: false };
const linkIssued = { ...fresh, linkIssued: true };
const linkReturned = { ...linkIssued, linkReturned: true };
const enabledBefore = { ...linkReturned, enabledBefore: true };

const always = (status: OnboardingStatus) => [status, status, status, status];
const waits: OnboardingStatus[] = ['account_created', 'onboarding_started', 'onboarding_started', 'restricted'];
const isDue: OnboardingStatus[] = ['account_created', 'onboarding_started', 'requirements_due', 'restricted'];

/** By account state: the status when nothing was recorded yet, a link was issued, it was returned, and after charges were enabled once. */
const expected: Record<keyof typeof accountStates, OnboardingStatus[]> = {
  new: isDue,
  pending: waits,
  eventuallyDue: waits,
  transfersOnly: always('charges_enabled'),
  enabled: always('payouts_enabled'),
  enabledButDue: always('payouts_enabled'),
  restricted: always('restricted'),
  restrictedOtherwise: always('restricted'),
  contactProvider: always('restricted'),
  unsupported: always('restricted'),
  rejected: always('rejected'),
  cardsRejected: always('payouts_enabled'),
  cardBrandRejected: isDue,
  payoutsOnly: waits,
  merchantPayoutsOnly: always('charges_enabled'),
  payoutsRejected: always('rejected'),
  otherRecipientRejected: always('rejected'),
  closedAndRejectedElsewhere: always('rejected'),
  closed: always('rejected'),
};

type Fact = 'none' | keyof AccountFacts | keyof Omit<OnboardingFacts, 'account'>;
const precedence: [OnboardingStatus, (has: (fact: Fact) => boolean) => boolean][] = [
  ['not_started', (has) => has('none')],
  ['rejected', (has) => has('rejected')],
  ['payouts_enabled', (has) => has('transfersActive') && has('payoutsActive')],
  ['charges_enabled', (has) => has('transfersActive')],
  ['restricted', (has) => has('blocked') || has('enabledBefore')],
  ['requirements_due', (has) => has('linkReturned') && has('dueFromUser')],
  ['onboarding_started', (has) => has('linkIssued')],
  ['account_created', () => true],
];

describe('payment onboarding status', () => {
  test('is the first that holds, as its page lists them, for every combination of facts', () => {
    const list = readPage('shared/payments/stripe.md').split('## Onboarding status')[1] ?? '';
    const stated = [...list.matchAll(/^\d\. .*→ `(\w+)`$/gm)].map(([, status]) => status);
    expect(stated).toEqual(precedence.map(([status]) => status));
    const ofAccount = ['rejected', 'transfersActive', 'payoutsActive', 'blocked', 'dueFromUser'] as const;
    const names: Fact[] = [...ofAccount, 'none', 'linkIssued', 'linkReturned', 'enabledBefore'];
    for (let bits = 0; bits < 2 ** names.length; bits += 1) {
      const has = (fact: Fact) => (bits & (1 << names.indexOf(fact))) !== 0;
      const account = Object.fromEntries(ofAccount.map((name) => [name, has(name)])) as AccountFacts;
      const recorded = { linkIssued: has('linkIssued'), linkReturned: has('linkReturned'), enabledBefore: has('enabledBefore') };
      const shown = onboardingStatusOf({ account: has('none') ? undefined : account, ...recorded });
      expect([bits, shown]).toEqual([bits, precedence.find(([, holds]) => holds(has))?.[0]]);
    }
  });

  test.each(Object.entries(accountStates))('of an account in state %s', (name, account) => {
    const { facts } = readAccount(account);
    const shown = [fresh, linkIssued, linkReturned, enabledBefore].map((recorded) => onboardingStatusOf({ account: facts, ...recorded }));
    expect(shown).toEqual(expected[name]);
  });

  test.each([
    ['new', ['identity.business_details.registered_name'], 'requirements_past_due'],
    ['pending', [], 'requirements_pending_verification'],
    ['transfersOnly', [], 'requirements_past_due'],
    ['enabled', [], undefined],
    ['enabledButDue', ['identity.business_details.documents.proof_of_registration'], undefined],
    ['restricted', [], 'restricted_other'],
    ['rejected', [], 'rejected_other'],
  ])('an account in state %s waits for the user with %j and gives the reason %s', (name, due, reason) => {
    const { requirementsDue, disabledReason } = readAccount(accountStates[name]!);
    expect([requirementsDue, disabledReason]).toEqual([due, reason]);
  });

  test('charges and payouts are the recipient capabilities', () => {
    expect(readAccount(accountStates['transfersOnly']!).facts).toMatchObject({ transfersActive: true, payoutsActive: false });
    expect(readAccount(accountStates['enabled']!).facts).toMatchObject({ transfersActive: true, payoutsActive: true });
  });

  const recipientWith = (capabilities: unknown) => ({ configuration: { recipient: { capabilities } } });
  const transfersWith = (transfers: object) => recipientWith({ stripe_balance: { stripe_transfers: { status: 'active', ...transfers } } });

  const active = { status: 'active' };
  const balance = (more: object) => recipientWith({ stripe_balance: { stripe_transfers: active, ...more } });
  const entry = { awaiting_action_from: 'user', description: 'identity', minimum_deadline: null };
  test.each<[string, object]>([
    ['neither details nor payouts', transfersWith({})],
    ['details of another form, with a status', transfersWith({ status_details: [{ status: 'rejected' }] })],
    ['details that are null', { ...transfersWith({ status_details: null }), requirements: {} }],
    ['requirements that are null', { ...transfersWith({}), requirements: null }],
    ['entries that are null', { ...transfersWith({}), requirements: { entries: null } }],
    ['an entry without a deadline', { ...transfersWith({}), requirements: { entries: [entry] } }],
    ['payouts that are null', balance({ payouts: null })],
    ['payouts of a status we do not know', balance({ payouts: { status: 'paused' } })],
    ['payouts without a status', balance({ payouts: {} })],
    ['other capabilities that are null', recipientWith({ cards: null, stripe_balance: { stripe_transfers: active } })],
    ['a merchant configuration that is null', { configuration: { ...balance({}).configuration, merchant: null, customer: null } }],
  ])('an active account shown with %s takes charges', (_, account) => {
    const { facts, disabledReason } = readAccount(account as unknown as Parameters<typeof readAccount>[0]);
    const known = { rejected: false, transfersActive: true, payoutsActive: false, blocked: false, dueFromUser: false };
    expect([facts, disabledReason]).toEqual([known, undefined]);
  });

  test.each<[string, unknown]>([
    ['no configuration', { configuration: null }],
    ['no recipient', { configuration: { recipient: null } }],
    ['no capabilities', recipientWith(null)],
    ['no balance', recipientWith({ stripe_balance: null })],
    ['no transfers', recipientWith({ stripe_balance: { stripe_transfers: null } })],
    ['transfers of a status we do not know', recipientWith({ stripe_balance: { stripe_transfers: { status: 'paused' } } })],
    ['only the merchant able to be charged', { configuration: { merchant: accountStates['enabled']!.configuration!.merchant } }],
  ])('an account shown with %s takes none, and is not rejected', (_, account) => {
    const { facts } = readAccount(account as Parameters<typeof readAccount>[0]);
    expect(facts).toMatchObject({ rejected: false, transfersActive: false });
    expect(onboardingStatusOf({ account: facts, ...fresh })).toBe('account_created');
  });

  test.each([
    ['currently_due', true],
    ['past_due', true],
    ['eventually_due', false],
  ])('what is %s is due from the user: %s', (deadline, isDue) => {
    const entries = Array.from({ length: 101 }, (_, index) => ({ field: `${index}`, deadline }));
    const { facts, requirementsDue } = readAccount(accountOf({ entries }));
    expect([facts.dueFromUser, requirementsDue.length]).toEqual([isDue, 100]);
  });

  test('a reply that leaves parts out enables nothing', () => {
    const { configuration: _, requirements: __, ...bare } = accountStates['enabled']!;
    expect(readAccount(bare)).toEqual({
      facts: { rejected: false, transfersActive: false, payoutsActive: false, blocked: false, dueFromUser: false },
      requirementsDue: [],
      disabledReason: undefined,
    });
  });
});
