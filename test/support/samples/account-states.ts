import type Stripe from 'stripe';

type Account = Stripe.V2.Core.Account;
type Status = 'active' | 'pending' | 'restricted' | 'rejected' | 'unsupported';
type Detail = [code: string, resolution: 'contact_stripe' | 'no_resolution' | 'provide_info'];
type Entry = { from?: 'user' | 'stripe'; field: string; deadline: string };

const pastDue: Detail = ['requirements_past_due', 'provide_info'];
const verifying: Detail = ['requirements_pending_verification', 'no_resolution'];

const capability = (status: Status, detail?: Detail) => ({
  status,
  status_details: detail ? [{ code: detail[0], resolution: detail[1] }] : [],
});

/** An account as the provider shows it, made of the few facts that differ between its states. */
export function accountOf(
  facts: {
    transfers?: [Status, Detail?];
    payouts?: [Status, Detail?];
    cards?: [Status, Detail?];
    entries?: Entry[];
    closed?: boolean;
  } = {},
): Account {
  const { transfers = ['active'], payouts = transfers, cards = transfers, entries = [], closed = false } = facts;
  return {
    id: 'acct_1TSell0000000001',
    object: 'v2.core.account',
    applied_configurations: ['merchant', 'recipient'],
    closed,
    configuration: {
      merchant: {
        applied: true,
        capabilities: { card_payments: capability(...cards), stripe_balance: { payouts: capability(...payouts) } },
      },
      recipient: {
        applied: true,
        capabilities: { stripe_balance: { payouts: capability(...payouts), stripe_transfers: capability(...transfers) } },
      },
    },
    created: '2026-10-31T03:00:00.000Z',
    livemode: false,
    requirements: {
      entries: entries.map(({ from = 'user', field, deadline }) => ({
        awaiting_action_from: from,
        description: field,
        errors: [],
        impact: {},
        minimum_deadline: { status: deadline },
        requested_reasons: [{ code: 'routine_onboarding' }],
      })),
    },
  } as Account;
}

/** The account with further capabilities of one configuration, in forms that the types do not foresee too. */
function withCapabilities(name: 'merchant' | 'recipient', account: Account, capabilities: object): Account {
  const configuration = account.configuration?.[name];
  const more = { ...configuration, capabilities: { ...configuration?.capabilities, ...capabilities } };
  return { ...account, configuration: { ...account.configuration, [name]: more } } as Account;
}
const withMerchant = (account: Account, capabilities: object) => withCapabilities('merchant', account, capabilities);
const withRecipient = (account: Account, capabilities: object) => withCapabilities('recipient', account, capabilities);

/** Every state in the provider's own samples, and some more that its types allow. */
export const accountStates: Record<string, Account> = {
  new: accountOf({
    transfers: ['restricted', pastDue],
    entries: [{ field: 'identity.business_details.registered_name', deadline: 'past_due' }],
  }),
  pending: accountOf({
    transfers: ['pending', verifying],
    entries: [{ from: 'stripe', field: 'identity.individual.verification.document', deadline: 'currently_due' }],
  }),
  transfersOnly: accountOf({ payouts: ['restricted', pastDue], cards: ['pending', verifying] }),
  enabled: accountOf(),
  enabledButDue: accountOf({
    entries: [{ field: 'identity.business_details.documents.proof_of_registration', deadline: 'currently_due' }],
  }),
  eventuallyDue: accountOf({
    transfers: ['restricted', pastDue],
    entries: [{ field: 'identity.business_details.url', deadline: 'eventually_due' }],
  }),
  restricted: accountOf({ transfers: ['restricted', ['restricted_other', 'contact_stripe']] }),
  restrictedOtherwise: accountOf({ transfers: ['restricted', ['restricted_other', 'no_resolution']] }),
  contactProvider: accountOf({ transfers: ['pending', ['determining_status', 'contact_stripe']] }),
  unsupported: accountOf({ transfers: ['unsupported', ['unsupported_country', 'no_resolution']] }),
  rejected: accountOf({ transfers: ['rejected', ['rejected_other', 'contact_stripe']] }),
  cardsRejected: accountOf({ cards: ['rejected', ['rejected_fraud', 'contact_stripe']] }),
  cardBrandRejected: withMerchant(
    accountOf({
      transfers: ['restricted', pastDue],
      entries: [{ field: 'identity.business_details.registered_name', deadline: 'past_due' }],
    }),
    { jcb_payments: capability('rejected', ['rejected_other', 'contact_stripe']), konbini_payments: null },
  ),
  payoutsOnly: accountOf({ transfers: ['restricted', verifying], payouts: ['active'] }),
  merchantPayoutsOnly: withMerchant(accountOf({ payouts: ['restricted', pastDue] }), {
    stripe_balance: { payouts: capability('active') },
  }),
  payoutsRejected: accountOf({ payouts: ['rejected', ['rejected_other', 'contact_stripe']] }),
  otherRecipientRejected: withRecipient(accountOf(), { cards: capability('rejected', ['rejected_other', 'contact_stripe']) }),
  closedAndRejectedElsewhere: accountOf({ closed: true, cards: ['rejected', ['rejected_fraud', 'contact_stripe']] }),
  closed: accountOf({ closed: true }),
};
