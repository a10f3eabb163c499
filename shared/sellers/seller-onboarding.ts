import type { AuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { ConditionFailedError, type Table, type Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { ConnectedAccounts } from '../payments/connected-accounts.ts';
import { onboardingStatusOf, type RetrievedAccount } from '../payments/onboarding-status.ts';
import { hideRefusal, ProviderRefusal } from '../payments/stripe-client.ts';
import { notEligible, SellerRecord } from './seller.ts';
import { LaterRetrievalError, type PaymentFields, type SellerRepository } from './seller-repository.ts';

/** How long one caller has the making of a link for itself. Source: decisions.md §3. */
const leaseMs = 30_000;

export type SellerOnboarding = ReturnType<typeof createSellerOnboarding>;

/**
 * The way of a seller to a connected payment account that takes charges.
 *
 * What is shown of it is derived from the account as it was retrieved and from what
 * was recorded here, never from what an event says. Source: decisions.md §3.
 */
export function createSellerOnboarding(options: {
  table: Table;
  sellers: SellerRepository;
  accounts: ConnectedAccounts;
  audit: AuditRepository;
  /** ISO 3166-1 alpha-2 */
  country: string;
  now?: () => Date;
}) {
  const { table, sellers, accounts, audit, country, now = () => new Date() } = options;

  /** Changes what is known of the payment account, and derives its status anew; `writes` go with it. */
  async function changePayment(
    sellerId: string,
    actor: string,
    change: Partial<PaymentFields>,
    { retrieval, writes = [] }: { retrieval?: number; writes?: readonly Write[] } = {},
  ): Promise<SellerRecord> {
    await retryOptimisticLock(async () => {
      const seller = await sellers.getSeller(sellerId);
      const fields = paymentFieldsAfter(seller, change);
      const [before, after] = [seller.paymentOnboardingStatus, fields.paymentOnboardingStatus];
      const moved = audit.recordAudit({
        actor,
        action: 'seller.payment',
        targetId: sellerId,
        before: { paymentOnboardingStatus: before },
        after: { paymentOnboardingStatus: after },
      });
      await table.transact([sellers.updatePayment(seller, fields, retrieval), ...writes, ...(before === after ? [] : [moved])]);
    });
    return sellers.getSeller(sellerId);
  }

  /** Retrieves the account and keeps what it tells, unless a retrieval that began later was faster. */
  async function retrieve(seller: SellerRecord, accountId: string, actor: string, returned = false): Promise<SellerRecord> {
    if (returned) await changePayment(seller.id, actor, { onboardingReturnedAt: now().toISOString() });
    const { paymentRetrievalsBegun: retrieval } = SellerRecord.parse(await table.write(sellers.beginRetrieval(seller.id)));
    const account = await accounts.retrieveAccount(accountId);
    try {
      return await changePayment(seller.id, actor, fieldsOf(account), { retrieval });
    } catch (error) {
      if (error instanceof LaterRetrievalError) return sellers.getSeller(seller.id);
      throw error;
    }
  }

  /** The seller's account, opened when there is none. Opening it again gives the same one. */
  async function ensureAccount(seller: SellerRecord): Promise<string> {
    const { id, ownerUserId, accountRequest, paymentConnectedAccountId: existing } = seller;
    if (existing !== undefined) return existing;
    if (!accountRequest) throw new Error('The lease remembers with what the account is opened.');
    const opened = await accounts.openAccount({ sellerId: id, ...accountRequest });
    await changePayment(
      id,
      ownerUserId,
      { paymentConnectedAccountId: opened.id, ...fieldsOf(opened.account) },
      { writes: [sellers.linkAccount(opened.id, id)] },
    );
    return opened.id;
  }

  async function createLink(seller: SellerRecord): Promise<string> {
    const accountId = await ensureAccount(seller);
    try {
      const url = await accounts.createOnboardingLink(accountId);
      await changePayment(seller.id, seller.ownerUserId, { onboardingLinkIssuedAt: now().toISOString() });
      return url;
    } catch (error) {
      // The provider makes no link for an account it rejected: then we are the ones who do not know yet.
      if (error instanceof ProviderRefusal) mayOnboard(await retrieve(seller, accountId, seller.ownerUserId));
      throw error;
    }
  }

  async function getOwnSeller(userId: string): Promise<SellerRecord> {
    const seller = await sellers.findSellerOfUser(userId);
    if (!seller) throw new AppError('seller_not_found');
    return seller;
  }

  async function release(sellerId: string, until: string, forgetRequest: boolean): Promise<void> {
    try {
      await table.write(sellers.releaseOnboardingLink(sellerId, until, { forgetRequest }));
    } catch (error) {
      // It ran out, and another may hold it by now.
      if (!(error instanceof ConditionFailedError)) throw error;
    }
  }

  return {
    /**
     * A fresh link to the provider's hosted onboarding, for the seller of this user.
     * The account behind it is opened once.
     *
     * @throws AppError seller_not_found, onboarding_link_conflict, dependency_unavailable
     */
    async createAccountLink(userId: string): Promise<string> {
      const { id, displayName, contactEmail = '' } = mayOnboard(await getOwnSeller(userId));
      const until = new Date(now().getTime() + leaseMs).toISOString();
      const leased = await table.write(sellers.leaseOnboardingLink(id, until, { displayName, contactEmail, country }));
      let refused = false;
      try {
        return await createLink(mayOnboard(SellerRecord.parse(leased)));
      } catch (error) {
        refused = error instanceof ProviderRefusal;
        throw hideRefusal(error);
      } finally {
        await release(id, until, refused);
      }
    },

    /**
     * Retrieves the account of this user's seller.
     *
     * @throws AppError seller_not_found, payment_account_missing, dependency_unavailable
     */
    async refreshOwnSeller(userId: string): Promise<SellerRecord> {
      const seller = await getOwnSeller(userId);
      const { paymentConnectedAccountId: accountId } = seller;
      if (accountId === undefined) throw new AppError('payment_account_missing');
      return retrieve(seller, accountId, userId).catch((error: unknown) => {
        throw hideRefusal(error);
      });
    },

    /**
     * Retrieves an account because the provider says that it changed; `returned` says that
     * its user came back from onboarding. An account that is none of ours → undefined.
     */
    async refreshConnectedAccount(accountId: string, { returned = false } = {}): Promise<SellerRecord | undefined> {
      const seller = await sellers.findSellerOfAccount(accountId);
      return seller && retrieve(seller, accountId, 'provider', returned);
    },

    /** What an account event asks for, whether it names its account or has to be asked. */
    async refreshByEvent({ id, payload }: { id: string; payload: { accountId?: string | undefined; returned: boolean } }): Promise<void> {
      const accountId = payload.accountId ?? (payload.returned ? await accounts.findAccountOfEvent(id) : undefined);
      if (accountId !== undefined) await this.refreshConnectedAccount(accountId, { returned: payload.returned });
    },
  };
}

/** @throws AppError onboarding_link_conflict */
function mayOnboard(seller: SellerRecord): SellerRecord {
  if (notEligible.includes(seller.internalReviewStatus)) {
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

function paymentFieldsAfter(seller: SellerRecord, change: Partial<PaymentFields>): PaymentFields {
  const after = { ...paymentFieldsOf(seller), ...change };
  const enabledBefore = after.chargesEnabledBefore === true || after.paymentAccount?.transfersActive === true;
  return {
    ...after,
    chargesEnabledBefore: enabledBefore || undefined,
    paymentOnboardingStatus: onboardingStatusOf({
      account: after.paymentAccount,
      linkIssued: after.onboardingLinkIssuedAt !== undefined,
      linkReturned: after.onboardingReturnedAt !== undefined,
      enabledBefore,
    }),
  };
}

const paymentFieldsOf = (seller: SellerRecord): PaymentFields => ({
  paymentConnectedAccountId: seller.paymentConnectedAccountId,
  paymentOnboardingStatus: seller.paymentOnboardingStatus,
  paymentChargesEnabled: seller.paymentChargesEnabled,
  paymentPayoutsEnabled: seller.paymentPayoutsEnabled,
  paymentRequirementsDue: seller.paymentRequirementsDue,
  paymentDisabledReason: seller.paymentDisabledReason,
  paymentAccount: seller.paymentAccount,
  onboardingLinkIssuedAt: seller.onboardingLinkIssuedAt,
  onboardingReturnedAt: seller.onboardingReturnedAt,
  chargesEnabledBefore: seller.chargesEnabledBefore,
});
