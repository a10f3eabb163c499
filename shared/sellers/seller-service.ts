/** Applications to sell, and what sellers change of themselves. */

import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { wireName } from '../wire.ts';
import { changedFieldNames, type Person, reapplicableStatuses, requireEligible, type SellerRecord } from './seller.ts';
import { addSeller, findSellerOfUser, getSeller, getSellerOfUser, updateApplication, updateContacts } from './seller-repository.ts';
import type { CreateSellerRequest, UpdateSellerRequest } from './seller-requests.ts';

async function createSeller(c: Needs<'table' | 'now'>, { userId, email }: Person, application: CreateSellerRequest): Promise<SellerRecord> {
  const at = c.now().toISOString();
  const { invoiceRegistrationNumber, ...described } = application;
  const seller: SellerRecord = {
    ...described,
    ...(invoiceRegistrationNumber && { invoiceRegistrationNumber }),
    id: newId('seller', c.now()),
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
  await c.table.transactOnce([...addSeller(seller), recordAudit(c, { actor: userId, action: 'seller.apply', targetId: seller.id, after })]);
  return seller;
}

async function reapply(
  c: Needs<'table' | 'now'>,
  seller: SellerRecord,
  { email }: Person,
  application: CreateSellerRequest,
): Promise<SellerRecord> {
  const { id, internalReviewStatus: from, ownerUserId } = seller;
  if (!reapplicableStatuses.includes(from)) throw new AppError('seller_application_closed');
  const isKnown = email === undefined || seller.ownerEmails?.has(email) === true;
  if (from === 'pending_review' && isKnown && changedFieldNames(seller, application).length === 0) return seller;
  await c.table.transactOnce([
    updateApplication(c, id, from, application, email),
    recordAudit(c, {
      actor: ownerUserId,
      action: 'seller.apply',
      targetId: id,
      before: { internalReviewStatus: from },
      after: { internalReviewStatus: 'pending_review' },
    }),
  ]);
  return getSeller(c.table, id);
}

/**
 * Applies to sell, for the first time or again. A user has one seller, however often
 * and however fast they apply.
 *
 * @throws AppError seller_application_closed
 */
export const applyAsSeller = (c: Needs<'table' | 'now'>, applicant: Person, application: CreateSellerRequest): Promise<SellerRecord> =>
  retryOptimisticLock(async () => {
    const seller = await findSellerOfUser(c.table, applicant.userId);
    return seller ? reapply(c, seller, applicant, application) : createSeller(c, applicant, application);
  });

/**
 * Changes where the own seller is reached, and the number of its invoices; what is left out, or the same, stays. No state moves.
 *
 * @throws AppError seller_not_found, seller_not_eligible
 */
export const updateOwnSeller = (c: Needs<'table' | 'now'>, userId: string, request: UpdateSellerRequest): Promise<SellerRecord> =>
  retryOptimisticLock(async () => {
    const seller = await getSellerOfUser(c.table, userId);
    requireEligible(seller);
    const changed = changedFieldNames(seller, request);
    if (changed.length === 0) return seller;
    const { next, write } = updateContacts(seller, request);
    await c.table.transactOnce([
      write,
      recordAudit(c, {
        actor: userId,
        action: 'seller.update',
        targetId: seller.id,
        before: { revision: seller.revision },
        after: { revision: next.revision, changed: changed.map(wireName).join(' ') },
      }),
    ]);
    return next;
  });
