/** A capability of a connected account: its status, and why it is not active. */
export interface Capability {
  status: 'active' | 'pending' | 'restricted' | 'rejected' | 'unsupported';
  reason?: { code: CapabilityReason; resolution: 'contact_stripe' | 'no_resolution' | 'provide_info' };
}
type CapabilityReason =
  | 'rejected_other'
  | 'requirements_past_due'
  | 'requirements_pending_verification'
  | 'restricted_other'
  | 'unsupported_country';

/** Something the provider wants to know before it lets the account do more. */
export interface Requirement {
  field: string;
  awaits: 'user' | 'stripe';
  deadline: 'currently_due' | 'eventually_due' | 'past_due';
  restricts: 'stripe_transfers' | 'payouts';
}

interface AccountState {
  /** Its description on the page. */
  meaning: string;
  cards: Capability;
  /** JCB cards, where they are decided apart from the others. */
  jcb?: Capability;
  transfers: Capability;
  /** Null: nobody asked for it. */
  payouts: Capability | null;
  requirements: readonly Requirement[];
}

const active: Capability = { status: 'active' };
const pastDue: Capability = { status: 'restricted', reason: { code: 'requirements_past_due', resolution: 'provide_info' } };
const inReview: Capability = { status: 'pending', reason: { code: 'requirements_pending_verification', resolution: 'no_resolution' } };
const blocked: Capability = { status: 'restricted', reason: { code: 'restricted_other', resolution: 'contact_stripe' } };
const refused: Capability = { status: 'rejected', reason: { code: 'rejected_other', resolution: 'contact_stripe' } };
const unsupported: Capability = { status: 'unsupported', reason: { code: 'unsupported_country', resolution: 'no_resolution' } };

const everywhere = (capability: Capability, requirements: readonly Requirement[] = []) => ({
  cards: capability,
  transfers: capability,
  payouts: capability,
  requirements,
});
const wants = (field: string, rest: Omit<Requirement, 'field'>): Requirement => ({ field, ...rest });

/** The states that a test account can be put into. */
const states = {
  new: {
    meaning: 'just opened; everything is still asked for',
    ...everywhere(pastDue, [
      wants('identity.business_details.registered_name', { awaits: 'user', deadline: 'past_due', restricts: 'stripe_transfers' }),
    ]),
  },
  needs_information: {
    meaning: 'onboarding was begun; a document is missing',
    ...everywhere(pastDue, [
      wants('identity.individual.verification.document', { awaits: 'user', deadline: 'currently_due', restricts: 'stripe_transfers' }),
    ]),
  },
  pending: {
    meaning: 'everything was given; the provider checks it',
    ...everywhere(inReview, [
      wants('identity.individual.verification.document', { awaits: 'stripe', deadline: 'currently_due', restricts: 'stripe_transfers' }),
    ]),
  },
  transfers_only: {
    meaning: 'takes charges, but cannot be paid out yet',
    cards: inReview,
    transfers: active,
    payouts: pastDue,
    requirements: [
      wants('configuration.recipient.default_outbound_destination', { awaits: 'user', deadline: 'past_due', restricts: 'payouts' }),
    ],
  },
  enabled: { meaning: 'takes charges and is paid out', ...everywhere(active) },
  jcb_rejected: { meaning: 'works like enabled; only JCB cards were rejected', ...everywhere(active), jcb: refused },
  payouts_not_requested: { meaning: 'takes charges; nobody asked for payouts', ...everywhere(active), payouts: null },
  enabled_but_due: {
    meaning: 'works, but something is due before long',
    ...everywhere(active, [
      wants('identity.business_details.documents.proof_of_registration', {
        awaits: 'user',
        deadline: 'currently_due',
        restricts: 'payouts',
      }),
    ]),
  },
  restricted: { meaning: 'stopped; only the provider can lift it', ...everywhere(blocked) },
  unsupported: { meaning: 'the country or business is not served', ...everywhere(unsupported) },
  rejected: { meaning: 'the provider does not want this account', ...everywhere(refused) },
} as const satisfies Record<string, AccountState>;

export type AccountStateName = keyof typeof states;
export const accountStates: Record<AccountStateName, AccountState> = states;
export const isAccountState = (text: unknown): text is AccountStateName => typeof text === 'string' && Object.hasOwn(accountStates, text);
export const accountStateNames = Object.keys(accountStates).filter(isAccountState);
