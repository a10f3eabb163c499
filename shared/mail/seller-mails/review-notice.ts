import * as z from 'zod/mini';
import { consoleUrls } from '../../console-links.ts';
import { idOf } from '../../ids.ts';

/** What an admin's review can make of what a seller handed in: what was reviewed, and its state since. */
export const reviewOutcomes = [
  'seller.approved',
  'seller.approved_limited',
  'seller.draft',
  'seller.rejected',
  'seller.suspended',
  'product.approved',
  'product.draft',
  'product.rejected',
  'product.suspended',
  'revision.approved',
  'revision.rejected',
  'file.approved',
  'file.rejected',
  'file.disabled',
  'release.approved',
  'release.published',
  'release.rejected',
  'release.yanked',
] as const;
export type ReviewOutcome = (typeof reviewOutcomes)[number];

/** What a seller is mailed of one review, as it was at that moment. */
export const ReviewNotice = z.object({
  outcome: z.enum(reviewOutcomes),
  /** Which product it is, or is of; of older notices nobody knows. */
  productId: z.optional(idOf('product')),
  /** What was reviewed, and of a file or a release its product: as its seller calls it. */
  productName: z.optional(z.string()),
  fileName: z.optional(z.string()),
  version: z.optional(z.string()),
  /** What the admin wrote to the seller. */
  reason: z.optional(z.string()),
});
export type ReviewNotice = z.infer<typeof ReviewNotice>;

/** The same to an address of which nobody knows whose it is: the product by its id, and nothing that its seller chose. */
export const withoutNames = ({ outcome, productId, reason }: ReviewNotice): ReviewNotice => ({
  outcome,
  productId,
  productName: productId,
  reason,
});

/** The screen of the console on which the seller finds what was reviewed; undefined of an older notice that does not say which. */
export function consoleUrlOfReview({ outcome, productId, version }: ReviewNotice, consoleUrl: string): string | undefined {
  if (outcome.startsWith('seller.')) return consoleUrls.seller(consoleUrl);
  if (productId === undefined) return undefined;
  if (outcome.startsWith('file.')) return consoleUrls.files(consoleUrl, productId);
  if (outcome.startsWith('release.')) return version === undefined ? undefined : consoleUrls.release(consoleUrl, productId, version);
  return consoleUrls.product(consoleUrl, productId);
}
