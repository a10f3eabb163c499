import type Stripe from 'stripe';
import * as z from 'zod/mini';

/** How far a seller has come with the payment provider. */
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
  /** The account is closed, or the provider rejected a capability of its recipient configuration. */
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

/** The first rule that holds. See "Onboarding status" in shared/payments/stripe.md */
export function onboardingStatusOf(facts: OnboardingFacts): OnboardingStatus {
  const { account } = facts;
  if (account === undefined) return 'not_started';
  return rules.find(({ holds }) => holds(account, facts))?.status ?? 'account_created';
}

/** A connected account as it was retrieved, reduced to what we keep and show. */
export interface RetrievedAccount {
  facts: AccountFacts;
  /** What the provider waits for from the user, each once. */
  requirementsDue: string[];
  /** Why it cannot do everything: the first status code of transfers, then of payouts. */
  disabledReason: string | undefined;
}

type Account = Stripe.V2.Core.Account;
/** As far as it is read. The provider's types promise more than other versions of its API, and fakes of it, keep. */
const Capability = z.object({
  status: z.string(),
  status_details: z.catch(z.nullish(z.array(z.object({ code: z.string(), resolution: z.catch(z.string(), '') }))), []),
});
type Capability = z.infer<typeof Capability>;
type Requirement = { minimum_deadline?: { status?: string | null } | null };

/**
 * Reads a retrieved account. It must have been retrieved with its recipient
 * configuration and its requirements; what is absent is not active.
 *
 * Only the recipient configuration counts: charges are made on the platform, so nothing depends on the
 * account's own card payments, of which the provider requests and rejects some by itself.
 */
export function readAccount(account: Account): RetrievedAccount {
  const recipient = account.configuration?.recipient?.capabilities;
  const transfers = Capability.safeParse(recipient?.stripe_balance?.stripe_transfers).data;
  const payouts = Capability.safeParse(recipient?.stripe_balance?.payouts).data;
  const own = [transfers, payouts].filter((capability) => capability !== undefined);
  const waiting = (account.requirements?.entries ?? []).filter((entry) => entry.awaiting_action_from === 'user');
  return {
    facts: {
      rejected: account.closed === true || statusesIn(recipient).includes('rejected'),
      transfersActive: transfers?.status === 'active',
      payoutsActive: payouts?.status === 'active',
      blocked: own.some(isBlocked),
      dueFromUser: waiting.some(isDue),
    },
    requirementsDue: [...new Set(waiting.flatMap(({ description }) => description ?? []))].slice(0, maxRequirements),
    disabledReason: own.flatMap(detailsOf)[0]?.code,
  };
}

const maxRequirements = 100;

const detailsOf = ({ status_details }: Capability) => status_details ?? [];
const isDue = ({ minimum_deadline }: Requirement) => ['currently_due', 'past_due'].includes(minimum_deadline?.status ?? '');

function isBlocked(capability: Capability): boolean {
  return (
    capability.status === 'unsupported' ||
    detailsOf(capability).some(({ code, resolution }) => code === 'restricted_other' || resolution === 'contact_stripe')
  );
}

/** The status of every capability, however deep it is. */
function statusesIn(value: unknown): unknown[] {
  if (value === null || typeof value !== 'object') return [];
  const nested = Object.entries(value).flatMap(([name, field]) => (name === 'status_details' ? [] : statusesIn(field)));
  return 'status' in value ? [value.status, ...nested] : nested;
}
