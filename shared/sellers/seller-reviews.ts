/** What admins decide about sellers. */

import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { mapPage, type Page } from '../db/sharded-list.ts';
import { AppError } from '../errors.ts';
import type { SellerId } from '../ids.ts';
import { reviewNotice } from '../mail/seller-mails/review-notice-repository.ts';
import { checkReview, type Person, type ReviewSellerRequest, reviewTable, type Seller, statusAfterReview, toSeller } from './seller.ts';
import { getSeller, listSellers, recordReview } from './seller-repository.ts';

/** As the repository lists them. */
export async function listSellersForReview(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  request: Parameters<typeof listSellers>[1],
): Promise<Page<Seller>> {
  return mapPage(await listSellers(c.table, request), (seller) => toSeller(c, seller));
}

/**
 * Decides on a seller, as `reviewTable` allows it. A decision that moves the seller is mailed to it.
 *
 * @throws AppError seller_not_found, self_review_forbidden, stale_review, invalid_state_transition
 */
export const reviewSeller = (
  c: Needs<'table' | 'now' | 'sendJob' | 'REVIEW_DUE_HOURS'>,
  admin: Person,
  sellerId: SellerId,
  review: ReviewSellerRequest,
): Promise<Seller> =>
  retryOptimisticLock(async () => {
    const seller = await getSeller(c.table, sellerId);
    checkReview(admin, seller, seller, review);
    const { decision } = review;
    const from = seller.internalReviewStatus;
    if (reviewTable[from][decision] === 'no') {
      throw new AppError('invalid_state_transition', `A seller in state ${from} cannot get the decision ${decision}.`);
    }

    const status = statusAfterReview[decision];
    const note = review.note?.trim() ? review.note : undefined;
    const isForSeller = decision === 'needs_more_info' || decision === 'reject';
    const reason = isForSeller ? note : undefined;
    const notice = reviewNotice(c, sellerId, status === from ? undefined : { outcome: `seller.${status}`, reason });
    await c.table.transactOnce([
      recordReview(c, seller, { status, note: reason }),
      recordAudit(c, {
        actor: admin.userId,
        action: `seller.${decision}`,
        targetId: sellerId,
        before: { internalReviewStatus: from },
        after: { internalReviewStatus: status },
        note,
      }),
      ...notice.writes,
    ]);
    await notice.send();
    return toSeller(c, await getSeller(c.table, sellerId));
  });
