import { createAuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Page } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { SellerId } from '../ids.ts';
import { createReviewNotices, type SendReviewNotice } from '../mail/reviews/review-notice-repository.ts';
import { checkReview, type Person, type ReviewSellerRequest, reviewTable, type Seller, statusAfter, toSeller } from './seller.ts';
import { createSellerRepository } from './seller-repository.ts';

export type SellerReviews = ReturnType<typeof createSellerReviews>;

/** What admins decide about sellers. */
export function createSellerReviews(options: {
  table: Table;
  reviewDueHours: number;
  sendJob: SendReviewNotice;
  now?: (() => Date) | undefined;
}) {
  const { table, reviewDueHours, sendJob, now = () => new Date() } = options;
  const sellers = createSellerRepository({ table, now });
  const audit = createAuditRepository({ table, now });
  const noticeOf = createReviewNotices({ sendJob, now });

  return {
    /** As the repository lists them. */
    async listSellers(request: Parameters<typeof sellers.listSellers>[0]): Promise<Page<Seller>> {
      const { items, nextCursor } = await sellers.listSellers(request);
      return { items: items.map((seller) => toSeller(seller, { reviewDueHours })), nextCursor };
    },

    /**
     * Decides on a seller, as `reviewTable` allows it. A decision that moves the seller is mailed to it.
     *
     * @throws AppError seller_not_found, self_review_forbidden, stale_review, invalid_state_transition
     */
    reviewSeller: (admin: Person, sellerId: SellerId, review: ReviewSellerRequest): Promise<Seller> =>
      retryOptimisticLock(async () => {
        const seller = await sellers.getSeller(sellerId);
        checkReview(admin, seller, seller, review);
        const { decision } = review;
        const from = seller.internalReviewStatus;
        if (reviewTable[from][decision] === 'no') {
          throw new AppError('invalid_state_transition', `A seller in state ${from} cannot get the decision ${decision}.`);
        }

        const status = statusAfter[decision];
        const note = review.note?.trim() ? review.note : undefined;
        const isForSeller = decision === 'needs_more_info' || decision === 'reject';
        const reason = isForSeller ? note : undefined;
        const notice = noticeOf(sellerId, status === from ? undefined : { outcome: `seller.${status}`, reason });
        await table.transactOnce([
          sellers.recordReview(seller, { status, note: reason }),
          audit.recordAudit({
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
        return toSeller(await sellers.getSeller(sellerId), { reviewDueHours });
      }),
  };
}
