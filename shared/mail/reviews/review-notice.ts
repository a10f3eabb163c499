import * as z from 'zod/mini';

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
  /** What was reviewed, and of a file or a release its product: as its seller calls it. */
  productName: z.optional(z.string()),
  fileName: z.optional(z.string()),
  version: z.optional(z.string()),
  /** What the admin wrote to the seller. */
  reason: z.optional(z.string()),
});
export type ReviewNotice = z.infer<typeof ReviewNotice>;
