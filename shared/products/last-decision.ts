import * as z from 'zod/mini';
import { dateTime } from '../schemas.ts';
import { withPendingLive } from './pending-revision.ts';
import type { ProductRecord } from './product.ts';
import { writtenFields } from './product-fields.ts';

/** What an admin last approved or rejected of a product or of its pending revision. See "The last decision" in README.md */
export const LastDecision = z.object({
  decision: z.enum(['approve', 'reject']),
  at: dateTime,
  /** A user id. */
  by: z.string(),
  reason: z.optional(z.string()),
  /** What the seller had written of it, as it was decided on. */
  values: z.object(writtenFields),
});
export type LastDecision = z.infer<typeof LastDecision>;

/**
 * What is kept of a review that made `next` of the product that was read; undefined where it decided nothing about what
 * the seller wrote: a repeat, a suspension, and the end of one.
 */
export function lastDecisionOf(
  read: ProductRecord,
  next: ProductRecord,
  review: { decision: 'approve' | 'reject' | 'suspend'; rejectionReason?: string | undefined; by: string; at: string },
): LastDecision | undefined {
  const { decision, rejectionReason, by, at } = review;
  if (next === read || decision === 'suspend' || read.status === 'suspended') return undefined;
  const reason = decision === 'reject' ? rejectionReason : undefined;
  return LastDecision.parse({ decision, at, by, reason, values: withPendingLive(read) });
}
