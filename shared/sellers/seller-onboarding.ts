/** Brings sellers to a connected payment account that takes charges. See "Payment onboarding" in changes.md */

import { randomUUID } from 'node:crypto';
import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { type Write, writeIfHolds } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { SellerId } from '../ids.ts';
import {
  accountRefusalOf,
  createOnboardingLink,
  findAccountOfEvent,
  openAccount,
  retrieveAccount,
} from '../payments/onboarding/connected-accounts.ts';
import { onboardingStatusOf, type RetrievedAccount } from '../payments/onboarding/onboarding-status.ts';
import { asUnavailable, ProviderRefusedError } from '../payments/provider/stripe-client.ts';
import { isEligible, paymentWaitingSince, SellerRecord } from './seller.ts';
import {
  beginRetrieval,
  endOnboardingLease,
  findSellerOfAccount,
  getSeller,
  getSellerOfUser,
  leaseOnboardingLink,
  linkAccount,
  type PaymentFields,
  StaleRetrievalError,
  updatePayment,
} from './seller-repository.ts';

/** How long one caller has the right to make a link. */
const leaseMs = 30_000;

type AccountNeeds = Needs<'table' | 'now' | 'provider'>;
type LinkNeeds = AccountNeeds & Needs<'CONSOLE_CLIENT_ID' | 'PUBLIC_BASE_URL' | 'STAGE'>;

/** What an event about an account says. */
interface AccountEvent {
  id: string;
  payload: { accountId?: string | undefined; returned: boolean; context?: string | undefined };
}

/**
 * A fresh link to the provider's hosted onboarding, for the seller of this user.
 * The account behind it is opened once.
 *
 * @throws AppError seller_not_found, onboarding_link_conflict, dependency_unavailable; invalid_request when the provider
 * never takes the contact address or the country
 */
export async function createAccountLink(c: LinkNeeds & Needs<'PAYMENT_ACCOUNT_COUNTRY'>, userId: string): Promise<string> {
  const { id, displayName, contactEmail = '' } = requireOnboardable(await getSellerOfUser(c.table, userId));
  const lease = { until: new Date(c.now().getTime() + leaseMs).toISOString(), by: randomUUID() };
  const leased = await writeIfHolds(
    c.table,
    leaseOnboardingLink(c, id, lease, { displayName, contactEmail, country: c.settings.PAYMENT_ACCOUNT_COUNTRY }),
    (old) => old['onboardingLinkLeasedBy'] === lease.by,
  );
  if (!leased) throw new AppError('onboarding_link_conflict', 'Another onboarding link is being made; try again in a moment.');
  let refused = false;
  try {
    return await createLink(c, requireOnboardable(SellerRecord.parse(leased)));
  } catch (error) {
    refused = error instanceof ProviderRefusedError;
    throw accountRefusalOf(error) ?? asUnavailable(error);
  } finally {
    // A lease that ran out may be another caller's by now.
    await writeIfHolds(c.table, endOnboardingLease(id, lease, { forgetRequest: refused }));
  }
}

/**
 * Retrieves the account of this user's seller.
 *
 * @throws AppError seller_not_found, payment_account_missing, dependency_unavailable
 */
export async function refreshOwnSeller(c: AccountNeeds, userId: string): Promise<SellerRecord> {
  const seller = await getSellerOfUser(c.table, userId);
  const { paymentConnectedAccountId: accountId } = seller;
  if (accountId === undefined) throw new AppError('payment_account_missing');
  return retrieve(c, userId, seller.id, accountId).catch((error: unknown) => {
    throw asUnavailable(error);
  });
}

/**
 * Retrieves an account, in the context of the event about it; `returned` when the event is that
 * its user came back from onboarding. An account of no seller here → undefined.
 */
export async function refreshConnectedAccount(
  c: AccountNeeds,
  accountId: string,
  { returned = false, context }: { returned?: boolean; context?: string | undefined } = {},
): Promise<SellerRecord | undefined> {
  const seller = await findSellerOfAccount(c.table, accountId);
  if (!seller) return undefined;
  if (returned) await changePayment(c, 'provider', seller.id, { onboardingReturnedAt: c.now().toISOString() });
  return retrieve(c, 'provider', seller.id, accountId, context);
}

/** Refreshes the account that an event is about, which is named in the event or else retrieved from the provider. */
export async function refreshByEvent(c: AccountNeeds, { id, payload }: AccountEvent): Promise<void> {
  const { returned, context } = payload;
  const accountId = payload.accountId ?? (returned ? await findAccountOfEvent(c, id, context) : undefined);
  if (accountId !== undefined) await refreshConnectedAccount(c, accountId, { returned, context });
}

async function createLink(c: LinkNeeds, seller: SellerRecord): Promise<string> {
  const { id, ownerUserId } = seller;
  const accountId = await ensureAccount(c, seller);
  try {
    const url = await createOnboardingLink(c, accountId);
    await changePayment(c, ownerUserId, id, { onboardingLinkIssuedAt: c.now().toISOString() });
    return url;
  } catch (error) {
    // The provider makes no link for an account that it rejected, which may not be recorded here yet.
    if (error instanceof ProviderRefusedError) requireOnboardable(await retrieve(c, ownerUserId, id, accountId));
    throw error;
  }
}

/** The seller's account, opened when there is none. Opening it again gives the same one. */
async function ensureAccount(c: LinkNeeds, seller: SellerRecord): Promise<string> {
  const { id, ownerUserId, accountRequest, paymentConnectedAccountId: existing } = seller;
  if (existing !== undefined) return existing;
  if (!accountRequest) throw new Error('The lease stores the request that opens the account.');
  const opened = await openAccount(c, { sellerId: id, ...accountRequest });
  const fields = { paymentConnectedAccountId: opened.id, ...fieldsOf(opened.account) };
  await changePayment(c, ownerUserId, id, fields, { writes: [linkAccount(id, opened.id)] });
  return opened.id;
}

/** Retrieves the account and stores its state, unless a retrieval that began later is stored already. */
async function retrieve(c: AccountNeeds, actor: string, sellerId: SellerId, accountId: string, context?: string): Promise<SellerRecord> {
  const { paymentRetrievalsBegun: retrieval } = SellerRecord.parse(await c.table.write(beginRetrieval(sellerId)));
  const account = await retrieveAccount(c, accountId, context);
  try {
    return await changePayment(c, actor, sellerId, fieldsOf(account), { retrieval });
  } catch (error) {
    if (error instanceof StaleRetrievalError) return getSeller(c.table, sellerId);
    throw error;
  }
}

/** Changes what is known of the payment account and derives its status anew, in one transaction with `writes`. */
async function changePayment(
  c: Needs<'table' | 'now'>,
  actor: string,
  sellerId: SellerId,
  change: Partial<PaymentFields>,
  { retrieval, writes = [] }: { retrieval?: number | undefined; writes?: readonly Write[] } = {},
): Promise<SellerRecord> {
  await retryOptimisticLock(async () => {
    const seller = await getSeller(c.table, sellerId);
    const fields = paymentFieldsAfter(seller, change, c.now().toISOString());
    const [before, after] = [seller.paymentOnboardingStatus, fields.paymentOnboardingStatus];
    const moved = recordAudit(c, {
      actor,
      action: 'seller.update_payment',
      targetId: sellerId,
      before: { paymentOnboardingStatus: before },
      after: { paymentOnboardingStatus: after },
    });
    await c.table.transactOnce([updatePayment(seller, fields, retrieval), ...writes, ...(before === after ? [] : [moved])]);
  });
  return getSeller(c.table, sellerId);
}

/** @throws AppError onboarding_link_conflict */
function requireOnboardable(seller: SellerRecord): SellerRecord {
  if (!isEligible(seller)) {
    throw new AppError('onboarding_link_conflict', 'A seller that is rejected or suspended cannot be onboarded.');
  }
  if (seller.paymentOnboardingStatus === 'rejected') {
    throw new AppError('onboarding_link_conflict', 'The payment provider rejected the account of this seller.');
  }
  return seller;
}

const fieldsOf = ({ facts, requirementsDue, disabledReason }: RetrievedAccount) => ({
  paymentAccount: facts,
  paymentChargesEnabled: facts.transfersActive,
  paymentPayoutsEnabled: facts.payoutsActive,
  paymentRequirementsDue: requirementsDue,
  paymentDisabledReason: disabledReason,
});

function paymentFieldsAfter(seller: SellerRecord, change: Partial<PaymentFields>, at: string): PaymentFields {
  const changed: PaymentFields = { ...seller, ...change };
  const enabledBefore = changed.chargesEnabledBefore === true || changed.paymentAccount?.transfersActive === true;
  const after = {
    ...changed,
    chargesEnabledBefore: enabledBefore || undefined,
    paymentOnboardingStatus: onboardingStatusOf({
      account: changed.paymentAccount,
      linkIssued: changed.onboardingLinkIssuedAt !== undefined,
      linkReturned: changed.onboardingReturnedAt !== undefined,
      enabledBefore,
    }),
  };
  return { ...after, paymentDueSince: paymentWaitingSince({ ...seller, ...after, paymentDueSince: paymentWaitingSince(seller) ?? at }) };
}
