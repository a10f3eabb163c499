import * as z from 'zod/mini';

/** How far a seller has come with the payment provider. Source: interface.md §2. */
export const onboardingStatuses = [
  'not_started',
  'account_created',
  'onboarding_started',
  'requirements_due',
  'charges_enabled',
  'payouts_enabled',
  'restricted',
  'rejected',
] as const;
export type OnboardingStatus = (typeof onboardingStatuses)[number];

/** What we keep of a retrieved connected account: plain facts, no payload. */
export const AccountFacts = z.object({
  /** The account is closed, or the provider rejected one of its capabilities. */
  rejected: z.boolean(),
  /** The account can receive the seller's share of a charge: the capability that destination charges need. */
  transfersActive: z.boolean(),
  payoutsActive: z.boolean(),
  /** Only the provider can lift what stops the account: unsupported, restricted for another reason, or "contact us". */
  blocked: z.boolean(),
  /** Something is currently or past due from the user. */
  dueFromUser: z.boolean(),
});
export type AccountFacts = z.infer<typeof AccountFacts>;

export interface OnboardingFacts {
  /** Undefined while there is no connected account. */
  account: AccountFacts | undefined;
  linkIssued: boolean;
  linkReturned: boolean;
  /** A retrieval once showed transfers active. */
  enabledBefore: boolean;
}

const rules: readonly { status: OnboardingStatus; holds: (account: AccountFacts, facts: OnboardingFacts) => boolean }[] = [
  { status: 'rejected', holds: (account) => account.rejected },
  { status: 'payouts_enabled', holds: (account) => account.transfersActive && account.payoutsActive },
  { status: 'charges_enabled', holds: (account) => account.transfersActive },
  { status: 'restricted', holds: (account, { enabledBefore }) => account.blocked || enabledBefore },
  { status: 'requirements_due', holds: (account, { linkReturned }) => linkReturned && account.dueFromUser },
  { status: 'onboarding_started', holds: (_, { linkIssued }) => linkIssued },
];

/** The first rule that holds. Source: decisions.md §3. */
export function onboardingStatusOf(facts: OnboardingFacts): OnboardingStatus {
  const { account } = facts;
  if (account === undefined) return 'not_started';
  return rules.find(({ holds }) => holds(account, facts))?.status ?? 'account_created';
}
