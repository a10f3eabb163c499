import { createAuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { wireName } from '../wire.ts';
import { changedNames, openForApplication, type Person, requireEligible, type SellerRecord } from './seller.ts';
import { createSellerRepository } from './seller-repository.ts';
import type { CreateSellerRequest, UpdateSellerRequest } from './seller-requests.ts';

export type SellerService = ReturnType<typeof createSellerService>;

/** Applications to sell, and what sellers change of themselves. */
export function createSellerService({ table, now = () => new Date() }: { table: Table; now?: (() => Date) | undefined }) {
  const sellers = createSellerRepository({ table, now });
  const audit = createAuditRepository({ table, now });

  async function createSeller({ userId, email }: Person, application: CreateSellerRequest): Promise<SellerRecord> {
    const at = now().toISOString();
    const { invoiceRegistrationNumber, ...described } = application;
    const seller: SellerRecord = {
      ...described,
      ...(invoiceRegistrationNumber && { invoiceRegistrationNumber }),
      id: newId('seller', now()),
      ownerUserId: userId,
      ...(email !== undefined && { ownerEmails: new Set([email]) }),
      internalReviewStatus: 'pending_review',
      paymentOnboardingStatus: 'not_started',
      revision: 1,
      productCount: 0,
      appliedAt: at,
      createdAt: at,
      updatedAt: at,
    };
    const after = { internalReviewStatus: seller.internalReviewStatus };
    await table.transactOnce([
      ...sellers.createSeller(seller),
      audit.recordAudit({ actor: userId, action: 'seller.apply', targetId: seller.id, after }),
    ]);
    return seller;
  }

  async function applyAgain(seller: SellerRecord, { email }: Person, application: CreateSellerRequest): Promise<SellerRecord> {
    const { id, internalReviewStatus: from, ownerUserId } = seller;
    if (!openForApplication.includes(from)) throw new AppError('seller_application_closed');
    const isKnown = email === undefined || seller.ownerEmails?.has(email) === true;
    if (from === 'pending_review' && isKnown && changedNames(seller, application).length === 0) return seller;
    await table.transactOnce([
      sellers.updateApplication(id, from, application, email),
      audit.recordAudit({
        actor: ownerUserId,
        action: 'seller.apply',
        targetId: id,
        before: { internalReviewStatus: from },
        after: { internalReviewStatus: 'pending_review' },
      }),
    ]);
    return sellers.getSeller(id);
  }

  return {
    /**
     * Applies to sell, for the first time or again. A user has one seller, however often
     * and however fast they apply.
     *
     * @throws AppError seller_application_closed
     */
    apply: (applicant: Person, application: CreateSellerRequest): Promise<SellerRecord> =>
      retryOptimisticLock(async () => {
        const seller = await sellers.findSellerOfUser(applicant.userId);
        return seller ? applyAgain(seller, applicant, application) : createSeller(applicant, application);
      }),

    /**
     * Changes where the own seller is reached, and the number of its invoices; what is left out, or the same, stays. No state moves.
     *
     * @throws AppError seller_not_found, seller_not_eligible
     */
    updateOwnSeller: (userId: string, request: UpdateSellerRequest): Promise<SellerRecord> =>
      retryOptimisticLock(async () => {
        const seller = await sellers.getSellerOfUser(userId);
        requireEligible(seller);
        const changed = changedNames(seller, request);
        if (changed.length === 0) return seller;
        const { next, write } = sellers.updateContacts(seller, request);
        await table.transactOnce([
          write,
          audit.recordAudit({
            actor: userId,
            action: 'seller.update',
            targetId: seller.id,
            before: { revision: seller.revision },
            after: { revision: next.revision, changed: changed.map(wireName).join(' ') },
          }),
        ]);
        return next;
      }),

    /** @throws AppError seller_not_found */
    getOwnSeller: sellers.getSellerOfUser,
  };
}
