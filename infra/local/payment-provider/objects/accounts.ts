import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { refuse } from '../provider-error.ts';
import { type AccountStateName, accountStates, type Capability, type Requirement } from '../store/account-states.ts';
import { newProviderId } from '../store/provider-ids.ts';
import type { Transaction } from '../store/provider-store.ts';
import type { Configuration, TestAccount } from '../store/records.ts';
import { emitThin } from '../webhooks/events.ts';

type Account = Stripe.V2.Core.Account;
type Entry = NonNullable<NonNullable<Account['requirements']>['entries']>[number];
/** The SDK's types leave out what the interface answers with null. */
type WithNulls<T> = T extends object ? { [K in keyof T]: undefined extends T[K] ? WithNulls<T[K]> | null : WithNulls<T[K]> } : T;

const configurations: readonly Configuration[] = ['merchant', 'recipient'];
const entityTypes = ['company', 'government_entity', 'individual', 'non_profit'] as const;
const feesCollectors = ['application', 'application_custom', 'application_express', 'stripe'] as const;

/** Where an account can be opened: of the provider's countries, those in regions of the default one and of our tests. */
const connectCountries = new Set(['JP', 'US', 'GB', 'DE', 'FR', 'IE', 'CA', 'AU', 'NZ', 'SG', 'HK', 'CH', 'SE', 'NO', 'DK']);

const requested = z.strictObject({ requested: z.literal(true) });
const includes = [
  'configuration.customer',
  'configuration.merchant',
  'configuration.recipient',
  'defaults',
  'future_requirements',
  'identity',
  'requirements',
] as const;
const Include = z.array(z.enum(includes));
export type Include = z.infer<typeof Include>;

export const AccountParams = z.strictObject({
  contact_email: z.string().check(z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)),
  display_name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  dashboard: z._default(z.enum(['express', 'full', 'none']), 'none'),
  identity: z.strictObject({
    country: z.string().check(z.regex(/^[A-Za-z]{2}$/)),
    entity_type: z.optional(z.enum(entityTypes)),
  }),
  defaults: z.strictObject({
    currency: z.optional(z.string().check(z.regex(/^[a-z]{3}$/))),
    locales: z._default(z.array(z.string()), []),
    responsibilities: z.strictObject({
      fees_collector: z.enum(feesCollectors),
      losses_collector: z.enum(['application', 'stripe']),
    }),
  }),
  configuration: z.strictObject({
    merchant: z.optional(z.strictObject({ capabilities: z.strictObject({ card_payments: requested }) })),
    recipient: z.optional(
      z.strictObject({ capabilities: z.strictObject({ stripe_balance: z.strictObject({ stripe_transfers: requested }) }) }),
    ),
  }),
  include: z._default(Include, []),
  metadata: z._default(z.record(z.string(), z.string()), {}),
});

export const RetrieveParams = z.strictObject({ include: z._default(Include, []) });

export function createAccount(tx: Transaction, params: z.infer<typeof AccountParams>): WithNulls<Account> {
  const { identity, defaults, configuration } = params;
  if (/\.invalid$/.test(params.contact_email)) throw refuse('Invalid email address.', { code: 'email_invalid', param: 'contact_email' });
  if (!connectCountries.has(identity.country.toUpperCase()))
    throw refuse('Accounts cannot be opened there.', { code: 'country_unsupported', param: 'identity[country]' });
  const account: TestAccount = {
    id: newProviderId('acct'),
    created: new Date().toISOString(),
    contactEmail: params.contact_email,
    displayName: params.display_name ?? params.contact_email,
    dashboard: params.dashboard,
    country: identity.country.toUpperCase(),
    entityType: identity.entity_type,
    currency: defaults.currency,
    locales: defaults.locales,
    responsibilities: defaults.responsibilities,
    configurations: configurations.filter((name) => configuration[name] !== undefined),
    metadata: params.metadata,
    state: 'new',
    closed: false,
  };
  tx.put('account', account.id, account);
  emitThin(tx, 'v2.core.account.created', account.id);
  return accountObject(account, params.include);
}

/** The account as the provider shows it. What is not included is null, and so is a capability that nobody asked for. */
export function accountObject(account: TestAccount, include: Include): WithNulls<Account> {
  const has = (part: Include[number]) => include.includes(part);
  const { cards, jcb = cards, transfers, payouts, requirements } = accountStates[account.state];
  const shows = (name: Configuration) => has(`configuration.${name}`) && account.configurations.includes(name);
  return {
    id: account.id,
    object: 'v2.core.account',
    applied_configurations: account.configurations,
    closed: account.closed,
    configuration: configurations.some((name) => has(`configuration.${name}`))
      ? {
          customer: null,
          merchant: shows('merchant')
            ? {
                applied: true,
                capabilities: {
                  card_payments: capabilityObject(cards),
                  jcb_payments: account.country === 'JP' ? capabilityObject(jcb) : null,
                  konbini_payments: null,
                  link_payments: null,
                  stripe_balance: { payouts: capabilityObject(payouts) },
                },
                branding: null,
                mcc: null,
                statement_descriptor: null,
                support: null,
              }
            : null,
          recipient: shows('recipient')
            ? {
                applied: true,
                capabilities: {
                  bank_accounts: null,
                  cards: null,
                  stripe_balance: { payouts: capabilityObject(payouts), stripe_transfers: capabilityObject(transfers) },
                },
              }
            : null,
        }
      : null,
    contact_email: account.contactEmail,
    created: account.created,
    dashboard: account.dashboard,
    display_name: account.displayName,
    defaults: has('defaults')
      ? {
          currency: account.currency ?? null,
          locales: account.locales,
          profile: null,
          responsibilities: { ...account.responsibilities, requirements_collector: 'stripe' },
        }
      : null,
    future_requirements: has('future_requirements') ? { entries: [], minimum_transition_date: null, summary: null } : null,
    identity: has('identity') ? identityOf(account) : null,
    livemode: false,
    metadata: account.metadata,
    requirements: has('requirements') ? requirementsObject(requirements) : null,
  };
}

const identityOf = ({ country, entityType }: TestAccount) => ({
  attestations: null,
  business_details: null,
  country,
  entity_type: entityTypes.find((type) => type === entityType) ?? null,
  individual: null,
});

const capabilityObject = (capability: Capability | null) =>
  capability && { status: capability.status, status_details: capability.reason ? [capability.reason] : [] };

function requirementsObject(requirements: readonly Requirement[]): WithNulls<NonNullable<Account['requirements']>> {
  const [first] = requirements;
  return {
    entries: requirements.map(
      ({ field, awaits, deadline, restricts }): Entry => ({
        awaiting_action_from: awaits,
        description: field,
        errors: [],
        impact: {
          restricts_capabilities: [
            { capability: `stripe_balance.${restricts}`, configuration: 'recipient', deadline: { status: deadline } },
          ],
        },
        minimum_deadline: { status: deadline },
        requested_reasons: [{ code: 'routine_onboarding' }],
      }),
    ),
    summary: first ? { minimum_deadline: { status: first.deadline, time: null } } : null,
  };
}

/** Puts the account into a state, and sends an event for every part that changed. */
export function changeState(tx: Transaction, id: string, state: AccountStateName): void {
  const account = tx.get('account', id);
  const [before, after] = [accountStates[account.state], accountStates[state]];
  tx.put('account', id, { ...account, state });
  if (before.requirements !== after.requirements) {
    emitThin(tx, 'v2.core.account[requirements].updated', id, { include: 'requirements' });
  }
  const tellCapability = (name: Configuration, capability: string) =>
    emitThin(tx, `v2.core.account[configuration.${name}].capability_status_updated`, id, {
      include: `configuration.${name}`,
      data: { updated_capability: capability },
    });
  if (before.transfers !== after.transfers) tellCapability('recipient', 'stripe_balance.stripe_transfers');
  if (before.payouts !== after.payouts) tellCapability('recipient', 'stripe_balance.payouts');
  if (before.cards !== after.cards) tellCapability('merchant', 'card_payments');
  if ((before.jcb ?? before.cards) !== (after.jcb ?? after.cards) && account.country === 'JP') tellCapability('merchant', 'jcb_payments');
  emitThin(tx, 'v2.core.account.updated', id);
}

export function closeAccount(tx: Transaction, id: string): void {
  tx.put('account', id, { ...tx.get('account', id), closed: true });
  emitThin(tx, 'v2.core.account.closed', id);
}

/** @throws ProviderError as the provider refuses a destination that cannot receive money. */
export function checkDestination(tx: Transaction, id: string): void {
  const account = tx.find('account', id);
  const param = 'payment_intent_data[transfer_data][destination]';
  if (!account) throw refuse(`No such destination: '${id}'`, { code: 'resource_missing', param });
  if (account.closed || accountStates[account.state].transfers.status !== 'active') {
    throw refuse('The destination account needs the transfers capability to be active.', { code: 'capability_not_active', param });
  }
}

const linkLifetimeMs = 5 * 60_000;
const httpUrl = z.string().check(z.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')));

export const AccountLinkParams = z.strictObject({
  account: z.string(),
  use_case: z.strictObject({
    type: z.literal('account_onboarding'),
    account_onboarding: z.strictObject({
      collection_options: z.exactOptional(
        z.strictObject({
          fields: z.exactOptional(z.enum(['currently_due', 'eventually_due'])),
          future_requirements: z.exactOptional(z.string()),
        }),
      ),
      refresh_url: httpUrl,
      return_url: httpUrl,
    }),
  }),
});

export function createAccountLink(tx: Transaction, params: z.infer<typeof AccountLinkParams>, baseUrl: string): Stripe.V2.Core.AccountLink {
  const account = tx.get('account', params.account);
  if (account.closed || account.state === 'rejected') {
    throw refuse('The account cannot be onboarded.');
  }
  const { refresh_url: refreshUrl, return_url: returnUrl } = params.use_case.account_onboarding;
  const token = newProviderId('acctlink');
  const now = Date.now();
  tx.put('accountLink', token, { account: account.id, refreshUrl, returnUrl, expiresAt: now + linkLifetimeMs, used: false });
  return {
    object: 'v2.core.account_link',
    account: account.id,
    created: new Date(now).toISOString(),
    expires_at: new Date(now + linkLifetimeMs).toISOString(),
    livemode: false,
    url: `${baseUrl}/onboarding/${token}`,
    use_case: params.use_case,
  };
}

export const onboardingOutcomes = ['complete', 'jcb_rejected', 'needs_information', 'pending', 'reject', 'leave'] as const;
export type OnboardingOutcome = (typeof onboardingOutcomes)[number];
const stateAfter = {
  complete: 'enabled',
  jcb_rejected: 'jcb_rejected',
  needs_information: 'needs_information',
  pending: 'pending',
  reject: 'rejected',
} as const;

/** What comes of a visit to the onboarding page; `leave` changes nothing at the provider but that the user came back. */
export function finishOnboarding(tx: Transaction, accountId: string, outcome: OnboardingOutcome): void {
  const account = tx.get('account', accountId);
  if (outcome !== 'leave') changeState(tx, accountId, stateAfter[outcome]);
  emitThin(tx, 'v2.core.account_link.returned', accountId, {
    data: { account_id: accountId, configurations: account.configurations, use_case: 'account_onboarding' },
  });
}
