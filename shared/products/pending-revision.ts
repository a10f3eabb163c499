import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { attributeBytes } from '../db/item-size.ts';
import { AppError } from '../errors.ts';
import { updatedLabels } from './feature-labels.ts';
import { currencyFaults, requireConsistentTerms } from './offers/merged-terms.ts';
import { PendingRecord, type PendingStatus, type ProductRecord, type ProductUpsertRequest, withLabels } from './product.ts';
import { slugOf, withSlug } from './slug.ts';

/**
 * What each move makes of the pending revision of a product on sale: its next status, `live` when it takes the
 * place of what is on sale, `product` where the move is about the product itself. See "Pending revisions" in review.md
 */
export const pendingMoves = {
  draft: { edit: 'draft', submit: 'pending_review', approve: 'product', reject: 'product' },
  pending_review: { edit: 'draft', submit: 'pending_review', approve: 'live', reject: 'rejected' },
  rejected: { edit: 'draft', submit: 'pending_review', approve: 'product', reject: 'rejected' },
} as const satisfies Record<PendingStatus, Record<'edit' | 'submit' | 'approve' | 'reject', PendingStatus | 'live' | 'product'>>;

/** What a product may take in the table together with its pending revision; a review still adds its reasons. */
const maxBytes = 390 * 1024;

const Changes = PendingRecord.shape.changes;
const writtenNames = z.keyof(Changes).options;

/** Without those that hold no value: they would take the place of values. */
function definedOf<Fields extends object>(fields: Fields) {
  const defined: { [Name in keyof Fields]?: NonNullable<Fields[Name]> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value != null) defined[name] = value;
  }
  return defined;
}

/** The product with these fields in the place of its own; those left out stay. @throws AppError invalid_request for a label of a feature that is not listed */
function withFields(product: ProductRecord, fields: Partial<ProductUpsertRequest>): ProductRecord {
  const slug = fields.name === undefined ? product.slug : slugOf(fields.name);
  return withLabels({ ...product, ...fields, slug }, updatedLabels(product, fields));
}

/**
 * The same with the fields that its seller sent.
 *
 * @throws AppError invalid_request for a label of a feature that is not listed, and for terms that do not fit each other
 */
export const withRequestFields = (product: ProductRecord, request: ProductUpsertRequest): ProductRecord =>
  requireConsistentTerms(withFields(product, request), currencyFaults(product, request));

/** The product whose slug leads to it once it is on sale. */
export function withPublicSlug(product: ProductRecord): ProductRecord {
  const { unseenSlugs = [], ...seen } = product;
  const others = unseenSlugs.filter((slug) => slug !== product.slug);
  return others.length === 0 ? seen : { ...seen, unseenSlugs: others };
}

/** The seller's fields in which `next` differs from `product`. */
function changesOf(product: ProductRecord, next: ProductRecord): PendingRecord['changes'] {
  const changed = writtenNames.filter((name) => !isDeepStrictEqual(product[name], next[name]));
  // Labels alone can vanish: every other field keeps a value once it has one.
  return Changes.parse(Object.fromEntries(changed.map((name) => [name, next[name] ?? {}])));
}

const isEmpty = (changes: object) => Object.keys(changes).length === 0;

/** Whether the seller's fields of both are equal. */
export const hasSameTerms = (product: ProductRecord, other: ProductRecord) => isEmpty(changesOf(product, other));

/** The product with its pending values in the place of those that are live; the same one when nothing is pending. */
export function withPendingApplied(product: ProductRecord): ProductRecord {
  const { pending, ...live } = product;
  return pending ? withPublicSlug(withFields(live, definedOf(pending.changes))) : product;
}

/**
 * The product on sale with the fields that its seller sent as its pending revision; the same one when they differ in
 * nothing from it, and without one when they differ in nothing from what is live. Optional fields left out stay as
 * they are pending. What is live does not change.
 *
 * @throws AppError too_many_slugs, payload_too_large, invalid_request as `withRequestFields`
 */
export function pendingAfterEdit(product: ProductRecord, request: ProductUpsertRequest, at: string): ProductRecord {
  const { pending, ...live } = product;
  const { slug, ...wanted } = withRequestFields(withPendingApplied(product), request);
  const changes = changesOf(product, { slug, ...wanted });
  if (isEmpty(changes)) return pending ? live : product;
  if (isDeepStrictEqual(changes, pending?.changes)) return product;
  const next = { ...withReservedSlug(live, slug), pending: { ...pending, status: pendingMoves.draft.edit, changes, updatedAt: at } };
  if (attributeBytes(next) > maxBytes)
    throw new AppError('payload_too_large', 'The product on sale and its pending revision are too large together.');
  return next;
}

/** A newly reserved slug is not public until the name is live. */
function withReservedSlug(product: ProductRecord, slug: string): ProductRecord {
  const slugs = withSlug(product.slugs, slug);
  return slugs === product.slugs ? product : { ...product, slugs, unseenSlugs: [...(product.unseenSlugs ?? []), slug] };
}

/** The product after the pending revision is submitted; the same object if it is already waiting. Undefined if there is none. */
export function pendingAfterSubmission(product: ProductRecord, at: string): ProductRecord | undefined {
  const { pending } = product;
  if (!pending) return undefined;
  const status = pendingMoves[pending.status].submit;
  return withStatus(product, { ...pending, status, submittedAt: at, rejectionReason: undefined, rejectedAt: undefined }, at);
}

/** The product after a review of its pending revision, as `pendingMoves` has it. Undefined when the review is about the product itself. */
export function pendingAfterReview(
  product: ProductRecord,
  review: { decision: 'approve' | 'reject'; rejectionReason?: string | undefined; by: string; at: string },
): ProductRecord | undefined {
  const { pending } = product;
  if (!pending) return undefined;
  const outcome = pendingMoves[pending.status][review.decision];
  if (outcome === 'product') return undefined;
  if (outcome === 'live') return { ...withPendingApplied(product), reviewedBy: review.by, reviewedAt: review.at };
  return withStatus(product, { ...pending, status: outcome, rejectionReason: review.rejectionReason, rejectedAt: review.at }, review.at);
}

function withStatus(product: ProductRecord, next: PendingRecord, at: string): ProductRecord {
  return product.pending?.status === next.status ? product : { ...product, pending: { ...next, updatedAt: at } };
}
