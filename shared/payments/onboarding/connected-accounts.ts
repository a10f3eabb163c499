import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { consoleUrlOf, consoleUrls } from '../../console-links.ts';
import type { Needs } from '../../context.ts';
import { toAsciiAddress } from '../../email-address.ts';
import type { AppError } from '../../errors.ts';
import { faultOf } from '../../faults/fault.ts';
import { invalidRequest } from '../../faults/invalid-request.ts';
import * as rules from '../../faults/rules.ts';
import type { SellerId } from '../../ids.ts';
import { isProviderId } from '../provider/provider-ids.ts';
import { ProviderRefusedError } from '../provider/stripe-client.ts';
import { type RetrievedAccount, readAccount } from './onboarding-status.ts';

/** What is retrieved of an account, of which the provider leaves out what is not requested. `readAccount` reads the recipient and the requirements. */
const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = ['configuration.recipient', 'configuration.merchant', 'requirements'];

/** What a seller's account is opened with. The same request gives the same account. */
export interface OpenAccountRequest {
  sellerId: SellerId;
  displayName: string;
  contactEmail: string;
  /** ISO 3166-1 alpha-2 */
  country: string;
}

/** Where the provider sends a seller who is done, and one whose link had ended: to where there is a fresh one. */
function backTo({ settings }: Needs<'CONSOLE_CLIENT_ID' | 'PUBLIC_BASE_URL'>) {
  const consoleUrl = consoleUrlOf(settings);
  if (consoleUrl !== undefined) {
    const sellerPage = consoleUrls.seller(consoleUrl);
    return { return_url: `${sellerPage}?returned`, refresh_url: sellerPage };
  }
  const ownPage = `${settings.PUBLIC_BASE_URL}/onboarding/return`;
  return { return_url: ownPage, refresh_url: `${ownPage}?link=used` };
}

/** @throws AppError dependency_unavailable @throws ProviderRefusal when the provider does not take the request */
export async function openAccount(c: Needs<'provider' | 'STAGE'>, request: OpenAccountRequest) {
  const params = accountParams(request, c.settings.STAGE);
  const digest = createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 16);
  const idempotencyKey = `account:${request.sellerId}:${digest}`;
  const account = await c.provider.call((stripe) => stripe.v2.core.accounts.create(params, { idempotencyKey }));
  return { id: account.id, account: readAccount(account) };
}

/**
 * `context` is that of the event which tells of the account: whose objects it is about.
 *
 * @throws AppError dependency_unavailable @throws ProviderRefusal when there is no such account
 */
export async function retrieveAccount(c: Needs<'provider'>, accountId: string, context?: string): Promise<RetrievedAccount> {
  return readAccount(await c.provider.call((stripe) => stripe.v2.core.accounts.retrieve(accountId, { include }, inContext(context))));
}

/** A fresh link to the hosted onboarding, good for one visit within minutes. */
export async function createOnboardingLink(
  c: Needs<'provider' | 'CONSOLE_CLIENT_ID' | 'PUBLIC_BASE_URL'>,
  accountId: string,
): Promise<string> {
  const link = await c.provider.call((stripe) =>
    stripe.v2.core.accountLinks.create({
      account: accountId,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: {
          collection_options: { fields: 'eventually_due' },
          ...backTo(c),
        },
      },
    }),
  );
  return link.url;
}

/**
 * The account whose onboarding link was returned. The webhook does not carry it, so the event is retrieved.
 *
 * @throws AppError dependency_unavailable @throws ProviderRefusal when there is no such event
 */
export async function findAccountOfEvent(c: Needs<'provider'>, eventId: string, context?: string): Promise<string | undefined> {
  if (!isProviderId(eventId)) return undefined;
  const event = await c.provider.call((stripe) => stripe.v2.core.events.retrieve(eventId, {}, inContext(context)));
  return event.type === 'v2.core.account_link.returned' && isProviderId(event.data.account_id) ? event.data.account_id : undefined;
}

/** The error to reply when the provider never takes what an account would be opened with; undefined when a repeat may help. */
export function accountRefusalOf(error: unknown): AppError | undefined {
  if (!(error instanceof ProviderRefusedError)) return undefined;
  const description = `${error.param ?? ''} ${error.code}`;
  const field = /email/.test(description) ? 'contact_email' : /country/.test(description) ? 'country' : undefined;
  return field && invalidRequest([faultOf(field, rules.refusedByProvider)], { cause: error });
}

const inContext = (context: string | undefined) => (context === undefined ? {} : { stripeContext: context });

/** No entity type: the seller chooses it during onboarding, where what was set here could not be changed. */
function accountParams(
  { sellerId, displayName, contactEmail, country }: OpenAccountRequest,
  stage: string,
): Stripe.V2.Core.AccountCreateParams {
  return {
    contact_email: toAsciiAddress(contactEmail),
    display_name: displayName,
    dashboard: 'express',
    identity: { country },
    defaults: {
      ...(country === 'JP' && { locales: ['ja-JP' as const] }),
      responsibilities: { fees_collector: 'application', losses_collector: 'application' },
    },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
      merchant: { capabilities: { card_payments: { requested: true } } },
    },
    metadata: { seller_id: sellerId, stage },
    include,
  };
}
