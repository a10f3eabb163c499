/** What admins do with products. */

import * as z from 'zod/mini';
import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { invalidCursor } from '../db/cursor.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { filteredPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { ProductId, SellerId } from '../ids.ts';
import type { ReviewNotice } from '../mail/seller-mails/review-notice.ts';
import { reviewNotice } from '../mail/seller-mails/review-notice-repository.ts';
import { lines, text } from '../schemas.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import type { NewEvent } from '../seller-events/seller-event.ts';
import { checkReview, type Person } from '../sellers/seller.ts';
import { findSeller, findSellers } from '../sellers/seller-repository.ts';
import { type Product, type ProductRecord, type ProductReviewStatus, type ProductStatus, reviewStatusOf } from './product.ts';
import {
  checkProductUnchanged,
  findProductBySlug,
  getProduct,
  listProducts,
  listProductsOfSeller,
  recordDecision,
  replaceProduct,
} from './product-repository.ts';
import { auditedState, isOnSale, lastDecisionOf, nextRevision, productAfterReview, productReviewDecisions } from './product-states.ts';
import { type ShowNeeds, showProduct } from './sale-blockers.ts';

export const ReviewProductRequest = z.object({
  decision: z.enum(productReviewDecisions),
  rejectionReason: z.optional(lines(500)),
  note: z.optional(text(5000)),
  /** The revision that was reviewed. */
  expectedRevision: z.optional(z.int()),
});
export type ReviewProductRequest = z.infer<typeof ReviewProductRequest>;

export interface ProductFilter {
  status?: ProductStatus | undefined;
  reviewStatus?: ProductReviewStatus | undefined;
  sellerId?: SellerId | undefined;
  /** Its present, a former or a pending one. */
  slug?: string | undefined;
}

/**
 * Decides on a product, as `productReviewTable` allows it, or on its pending revision, as `pendingMoves` does;
 * audited also when the decision was made before and changes nothing. One that changes something is mailed to the seller.
 *
 * @throws AppError product_not_found, self_review_forbidden, stale_review, invalid_state_transition
 */
export const reviewProduct = (
  c: ShowNeeds & Needs<'now' | 'sendJob'>,
  admin: Person,
  productId: ProductId,
  review: ReviewProductRequest,
): Promise<Product> =>
  retryOptimisticLock(async () => {
    const product = await getProduct(c.table, productId);
    const seller = await findSeller(c.table, product.sellerId);
    checkReview(admin, seller, product, review);
    const { decision, rejectionReason, note } = review;

    const at = c.now().toISOString();
    const decided = { decision, rejectionReason: rejectionReason || undefined, by: admin.userId, at };
    const moved = productAfterReview(product, decided);
    const next = nextRevision(product, moved, at);
    const { status, pendingStatus } = auditedState(next);
    const happening: NewEvent = { type: 'product.reviewed', data: { productId, decision, status, pendingStatus } };
    const kept = lastDecisionOf(product, next, decided);
    const notice = reviewNotice(c, product.sellerId, next === product ? undefined : noticeAbout(product, next, review));
    await c.table.transactOnce([
      ...(next === product
        ? [checkProductUnchanged(product)]
        : [...replaceProduct(product, next), recordEvent(c, product.sellerId, happening)]),
      recordAudit(c, {
        actor: admin.userId,
        action: `product.${decision}`,
        targetId: product.id,
        before: auditedState(product),
        after: { decision, ...auditedState(next), ...(rejectionReason && { rejectionReason }) },
        note: note || undefined,
      }),
      ...(kept ? [recordDecision(productId, kept)] : []),
      ...notice.writes,
    ]);
    await notice.send();
    return showProduct(c, next, seller);
  });

/** Oldest first: of all sellers, of one, or the one of a slug. Those with a pending revision under review are among those under review. */
export async function listProductsForReview(c: ShowNeeds, request: PageRequest & ProductFilter): Promise<Page<Product>> {
  const { limit, cursor, status, reviewStatus, sellerId, slug } = request;
  const isWanted = (product: ProductRecord) =>
    (sellerId === undefined || product.sellerId === sellerId) &&
    (status === undefined || product.status === status) &&
    (reviewStatus === undefined || reviewStatusOf(product.status) === reviewStatus || waitsFor(reviewStatus, product));
  const { items, nextCursor } = await filteredPage({ limit, cursor }, isWanted, (page) => {
    if (slug !== undefined) return onlyProduct(c, slug, page);
    return sellerId === undefined ? listProducts(c.table, page) : listProductsOfSeller(c.table, sellerId, { ...page, newestFirst: false });
  });
  const owners = await findSellers(c.table, new Set(items.map((product) => product.sellerId)));
  return { items: await Promise.all(items.map((product) => showProduct(c, product, owners.get(product.sellerId)))), nextCursor };
}

/** A list of one, or of none, so that it never has a further page. @throws AppError invalid_request for a cursor */
async function onlyProduct(c: Needs<'table'>, slug: string, { cursor }: PageRequest): Promise<Page<ProductRecord>> {
  if (cursor !== undefined) throw invalidCursor();
  const product = await findProductBySlug(c.table, slug);
  return { items: product ? [product] : [], nextCursor: undefined };
}

const waitsFor = (reviewStatus: ProductReviewStatus, { pending }: ProductRecord) =>
  reviewStatus === 'pending_review' && pending?.status === 'pending_review';

/** What the seller is mailed of a review that moved the product, or its pending revision. */
function noticeAbout(product: ProductRecord, next: ProductRecord, { decision, rejectionReason }: ReviewProductRequest): ReviewNotice {
  const isOfRevision = decision !== 'suspend' && isOnSale(product) && product.pending?.status === 'pending_review';
  const about = { productId: product.id, productName: product.name };
  switch (decision) {
    case 'approve':
      if (isOfRevision) return { outcome: 'revision.approved', ...about };
      return { outcome: next.status === 'draft' ? 'product.draft' : 'product.approved', ...about };
    case 'reject':
      return { outcome: isOfRevision ? 'revision.rejected' : 'product.rejected', ...about, reason: rejectionReason || undefined };
    case 'suspend':
      return { outcome: 'product.suspended', ...about };
  }
}
