import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../errors.ts';
import {
  hasSameTerms,
  pendingAfterEdit,
  pendingAfterReview,
  pendingAfterSubmission,
  withPendingApplied,
  withPublicSlug,
  withRequestFields,
} from './pending-revision.ts';
import { LastDecision, type ProductRecord, type ProductStatus, type ProductUpsertRequest } from './product.ts';
import { withSlug } from './slug.ts';

export const productReviewDecisions = ['approve', 'reject', 'suspend'] as const;
export type ProductReviewDecision = (typeof productReviewDecisions)[number];

/** What each decision makes of a product. */
const statusAfter = { approve: 'approved', reject: 'rejected', suspend: 'suspended' } as const satisfies Record<
  ProductReviewDecision,
  ProductStatus
>;

/**
 * State × decision: `yes` moves, `same` changes nothing, `no` is refused, `lift` makes of what was
 * suspended what it was on sale, or else a draft. See "Review" in review.md
 */
export const productReviewTable = {
  draft: { approve: 'no', reject: 'no', suspend: 'yes' },
  pending_review: { approve: 'yes', reject: 'yes', suspend: 'yes' },
  approved: { approve: 'same', reject: 'no', suspend: 'yes' },
  published: { approve: 'no', reject: 'no', suspend: 'yes' },
  unpublished: { approve: 'no', reject: 'no', suspend: 'yes' },
  rejected: { approve: 'no', reject: 'same', suspend: 'yes' },
  suspended: { approve: 'lift', reject: 'no', suspend: 'same' },
} as const satisfies Record<ProductStatus, Record<ProductReviewDecision, 'yes' | 'same' | 'no' | 'lift'>>;

/** What each move of the seller makes of a product in each state; `no` is refused. See "The seller's moves" in review.md */
export const sellerTransitions = {
  submit: {
    draft: 'pending_review',
    pending_review: 'pending_review',
    approved: 'no',
    published: 'no',
    unpublished: 'no',
    rejected: 'pending_review',
    suspended: 'no',
  },
  withdraw: {
    draft: 'draft',
    pending_review: 'draft',
    approved: 'draft',
    published: 'draft',
    unpublished: 'draft',
    rejected: 'draft',
    suspended: 'suspended',
  },
} as const satisfies Record<string, Record<ProductStatus, ProductStatus | 'no'>>;

/** Whether the product's own state lets it be shown and sold; its seller's state counts too. See "On sale, public, sold" in README.md */
export function isOnSale(product: { status: ProductStatus }): boolean {
  return product.status === 'approved' || product.status === 'published';
}

/** Requires that the product is not suspended, as every change of it or its belongings does. @throws AppError product_suspended */
export function requireUnsuspended(product: { status: ProductStatus }): void {
  if (product.status === 'suspended') throw new AppError('product_suspended');
}

/** The product after a move, counted as its next revision; the same one when it did not move. */
export function nextRevision(product: ProductRecord, changed: ProductRecord, at: string): ProductRecord {
  if (changed === product) return product;
  const revision = product.revision + 1;
  const termsRevision = hasSameTerms(product, changed) ? termsRevisionOf(product) : revision;
  return { ...changed, revision, termsRevision, updatedAt: at };
}

/** Which revision of the product made what is on sale: a pending revision, or a review, makes no other. */
export const termsRevisionOf = ({ termsRevision, revision }: Pick<ProductRecord, 'termsRevision' | 'revision'>) =>
  termsRevision ?? revision;

/** The state of a product in audit records, before and after a move. */
export const auditedState = ({ status, revision, pending }: ProductRecord) => ({
  status,
  revision,
  ...(pending && { pendingStatus: pending.status }),
});

/**
 * The product with the fields that its seller sent, or the same one when nothing differs. What is on sale stays as it
 * was reviewed, and the edit waits as a pending revision; any other product is a draft again. Optional fields left
 * out keep their value. A new name reserves a further slug, and gives up the others of a product that was never approved.
 *
 * @throws AppError product_suspended, too_many_slugs, payload_too_large, invalid_request as `withRequestFields`
 */
export function productAfterEdit(product: ProductRecord, request: ProductUpsertRequest, at: string): ProductRecord {
  requireUnsuspended(product);
  if (isOnSale(product)) return pendingAfterEdit(product, request, at);
  const next = withRequestFields(product, request);
  if (isDeepStrictEqual(next, product)) return product;
  return { ...withPublicSlug(next), slugs: product.approvedBefore ? withSlug(product.slugs, next.slug) : [next.slug], status: 'draft' };
}

/**
 * The product after its seller hands it, or its pending revision, in for review; the same one when that waits already.
 *
 * @throws AppError product_suspended, invalid_state_transition
 */
export function productAfterSubmission(product: ProductRecord, at: string): ProductRecord {
  requireUnsuspended(product);
  const pending = pendingAfterSubmission(product, at);
  if (pending) return pending;
  const status = sellerTransitions.submit[product.status];
  if (status === 'no') throw new AppError('invalid_state_transition', 'Only a draft or a rejected product can be submitted for review.');
  return status === product.status ? product : { ...product, status, submittedAt: at, rejectionReason: undefined, rejectedAt: undefined };
}

/** Since when the product itself waits for an admin; undefined when it does not. See "The seller's moves" in review.md */
export const productWaitingSince = ({ status, submittedAt, updatedAt }: Pick<ProductRecord, 'status' | 'submittedAt' | 'updatedAt'>) =>
  status === 'pending_review' ? (submittedAt ?? updatedAt) : undefined;

/** Since when its pending revision does, which nobody can decide on unless the product is on sale. */
export const revisionWaitingSince = ({ status, pending }: Pick<ProductRecord, 'status' | 'pending'>): string | undefined =>
  isOnSale({ status }) && pending?.status === 'pending_review' ? (pending.submittedAt ?? pending.updatedAt) : undefined;

/** The product after its seller takes it off sale, with what was pending as its draft; the same one when it is a draft or suspended. */
export function productAfterWithdrawal(product: ProductRecord): ProductRecord {
  const status = sellerTransitions.withdraw[product.status];
  return status === product.status ? product : { ...withPendingApplied(product), status };
}

/**
 * The product after an admin's review, which is about the pending revision where that waits for one; the same one when
 * the decision was made before.
 *
 * @throws AppError invalid_state_transition
 */
export function productAfterReview(
  product: ProductRecord,
  review: { decision: ProductReviewDecision; rejectionReason?: string | undefined; by: string; at: string },
): ProductRecord {
  const { decision } = review;
  const pending = isOnSale(product) && decision !== 'suspend' ? pendingAfterReview(product, { ...review, decision }) : undefined;
  if (pending) return pending;
  const outcome = productReviewTable[product.status][decision];
  if (outcome === 'same') return product;
  if (outcome === 'no') throw new AppError('invalid_state_transition', 'The product is not in a state that allows this decision.');
  const isDraft = outcome === 'lift' && !product.suspendedOnSale;
  const status = isDraft ? 'draft' : statusAfter[decision];
  return {
    ...(isDraft ? withPendingApplied(product) : product),
    status,
    approvedBefore: product.approvedBefore || isOnSale({ status }) || isOnSale(product) || product.status === 'unpublished',
    reviewedBy: review.by,
    reviewedAt: review.at,
    ...rejectionAfter(product, status, { rejectionReason: review.rejectionReason, rejectedAt: review.at }),
    suspendedOnSale: status === 'suspended' ? isOnSale(product) : undefined,
  };
}

/**
 * The last decision after a review that led to `next`; undefined if it did not judge the seller's fields: a repeat, a
 * suspension, or its end.
 */
export function lastDecisionOf(
  read: ProductRecord,
  next: ProductRecord,
  review: { decision: ProductReviewDecision; rejectionReason?: string | undefined; by: string; at: string },
): LastDecision | undefined {
  const { decision, rejectionReason, by, at } = review;
  if (next === read || decision === 'suspend' || read.status === 'suspended') return undefined;
  const reason = decision === 'reject' ? rejectionReason : undefined;
  return LastDecision.parse({ decision, at, by, reason, values: withPendingApplied(read) });
}

type Rejection = Pick<ProductRecord, 'rejectionReason' | 'rejectedAt'>;

/** Why and when it was rejected is kept until the product is submitted again or approved. */
function rejectionAfter({ rejectionReason, rejectedAt }: ProductRecord, status: ProductStatus, rejection: Rejection): Rejection {
  if (status === 'rejected') return rejection;
  return status === 'approved' ? { rejectionReason: undefined, rejectedAt: undefined } : { rejectionReason, rejectedAt };
}
