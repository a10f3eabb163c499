import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../errors.ts';
import { labelsAfter } from './feature-labels.ts';
import { type ProductRecord, type ProductStatus, type ProductUpsertRequest, withLabels } from './product.ts';
import { slugOf } from './slug.ts';

export const productReviewDecisions = ['approve', 'reject', 'suspend'] as const;
export type ProductReviewDecision = (typeof productReviewDecisions)[number];

/** What each decision makes of a product. */
const statusAfter = { approve: 'approved', reject: 'rejected', suspend: 'suspended' } as const satisfies Record<
  ProductReviewDecision,
  ProductStatus
>;

/**
 * State × decision: `yes` moves, `same` changes nothing, `no` is refused, `again` moves only what
 * an admin approved before. See "Review" in README.md
 */
export const productReviewTable = {
  draft: { approve: 'no', reject: 'no', suspend: 'yes' },
  pending_review: { approve: 'yes', reject: 'yes', suspend: 'yes' },
  approved: { approve: 'same', reject: 'no', suspend: 'yes' },
  published: { approve: 'no', reject: 'no', suspend: 'yes' },
  unpublished: { approve: 'no', reject: 'no', suspend: 'yes' },
  rejected: { approve: 'no', reject: 'same', suspend: 'yes' },
  suspended: { approve: 'again', reject: 'no', suspend: 'same' },
} as const satisfies Record<ProductStatus, Record<ProductReviewDecision, 'yes' | 'same' | 'no' | 'again'>>;

/** What each move of the seller makes of a product in each state; `no` is refused. See "The seller's moves" in README.md */
export const sellerMoves = {
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

/** What every change of a product, or of what belongs to one, needs of its state. @throws AppError product_suspended */
export function requireUnsuspended(product: { status: ProductStatus }): void {
  if (product.status === 'suspended') throw new AppError('product_suspended');
}

/** How many slugs one product may hold. See "Slugs" in README.md */
const maxSlugs = 10;

/** The product after a move, counted as its next revision; the same one when it did not move. */
export function nextRevision(product: ProductRecord, moved: ProductRecord, at: string): ProductRecord {
  return moved === product ? product : { ...moved, revision: product.revision + 1, updatedAt: at };
}

/** The state of a product in audit records, before and after a move. */
export const auditedState = ({ status, revision }: ProductRecord) => ({ status, revision });

/**
 * The product with the fields that its seller sent: a draft again, so that what is on
 * sale is what was reviewed; or the same one when nothing differs. Optional fields left
 * out keep their value. A new name reserves a further slug and gives up none.
 *
 * @throws AppError product_suspended, too_many_slugs, invalid_request for a label of a feature that is not listed
 */
export function revised(product: ProductRecord, request: ProductUpsertRequest): ProductRecord {
  requireUnsuspended(product);
  const slug = slugOf(request.name);
  const next = withLabels({ ...product, ...request, slug }, labelsAfter(product, request));
  if (isDeepStrictEqual(next, product)) return product;
  const slugs = product.slugs.includes(slug) ? product.slugs : [...product.slugs, slug];
  if (slugs.length > maxSlugs) throw new AppError('too_many_slugs');
  return { ...next, slugs, status: 'draft' };
}

/**
 * The product after its seller hands it in for review; the same one when it waits for review already.
 *
 * @throws AppError product_suspended, invalid_state_transition
 */
export function submitted(product: ProductRecord): ProductRecord {
  requireUnsuspended(product);
  const status = sellerMoves.submit[product.status];
  if (status === 'no') throw new AppError('invalid_state_transition', 'Only a draft or a rejected product can be submitted for review.');
  return status === product.status ? product : { ...product, status, rejectionReason: undefined };
}

/** The product after its seller takes it off sale; the same one when it is a draft or suspended. */
export function withdrawn(product: ProductRecord): ProductRecord {
  const status = sellerMoves.withdraw[product.status];
  return status === product.status ? product : { ...product, status };
}

/**
 * The product after an admin's review; the same one when the decision was made before.
 *
 * @throws AppError invalid_state_transition
 */
export function reviewed(
  product: ProductRecord,
  review: { decision: ProductReviewDecision; rejectionReason?: string | undefined; by: string; at: string },
): ProductRecord {
  const outcome = productReviewTable[product.status][review.decision];
  if (outcome === 'same') return product;
  if (outcome === 'no' || (outcome === 'again' && !product.approvedBefore)) {
    throw new AppError('invalid_state_transition', 'The product is not in a state that allows this decision.');
  }
  const status = statusAfter[review.decision];
  return {
    ...product,
    status,
    approvedBefore: product.approvedBefore || isOnSale({ status }) || isOnSale(product) || product.status === 'unpublished',
    reviewedBy: review.by,
    reviewedAt: review.at,
    rejectionReason: keptReason(product, review),
  };
}

/** A rejection's reason is kept until the product is submitted again or approved. */
function keptReason(
  product: ProductRecord,
  { decision, rejectionReason }: { decision: ProductReviewDecision; rejectionReason?: string | undefined },
): string | undefined {
  if (decision === 'reject') return rejectionReason;
  return decision === 'approve' ? undefined : product.rejectionReason;
}
