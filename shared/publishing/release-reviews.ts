/** What admins do with releases. */

import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { mapPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Write } from '../db/table.ts';
import type { ProductId, ReleaseId } from '../ids.ts';
import type { ReviewNotice, ReviewOutcome } from '../mail/seller-mails/review-notice.ts';
import { reviewNotice } from '../mail/seller-mails/review-notice-repository.ts';
import { getProduct } from '../products/product-repository.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import type { ReleaseRecord, ReleaseStatus } from '../releases/release.ts';
import { recordReleaseChange } from '../releases/release-index-repository.ts';
import { checkReleaseUnchanged, getRelease, listByStatus, replaceRelease, type StatusFilter } from '../releases/release-repository.ts';
import { releaseAfterTransition } from '../releases/release-states.ts';
import { type Release, type ReleaseAdmin, toAdminRelease, toRelease } from '../releases/release-view.ts';
import { lines, requiredFor, text } from '../schemas.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import { checkReview, type Person } from '../sellers/seller.ts';
import { findSeller } from '../sellers/seller-repository.ts';
import { addPublished } from './publication.ts';
import { recordReleaseAudit, releaseEvent } from './release-audit.ts';
import { approveFiles, withdrawFiles } from './release-files.ts';
import { freeVelopackNames } from './velopack-names.ts';

const releaseReviewDecisions = ['approve', 'reject', 'yank'] as const;
type ReleaseReviewDecision = (typeof releaseReviewDecisions)[number];

/** An admin's decision on a release. */
export const ReviewReleaseRequest = z
  .object({
    decision: z.enum(releaseReviewDecisions),
    rejectionReason: z.optional(lines(500)),
    yankReason: z.optional(lines(500)),
    note: z.optional(text(5000)),
    /** The revision that was looked at. */
    expectedRevision: z.optional(z.int().check(z.minimum(0))),
  })
  .check(requiredFor('rejectionReason', 'reject'), requiredFor('yankReason', 'yank'));
export type ReviewReleaseRequest = z.infer<typeof ReviewReleaseRequest>;

type DecisionNeeds = Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS'>;

/** The release as the decision leaves it, with the writes that go with it; the same one when it was made before. */
async function decided(c: DecisionNeeds, read: ReleaseRecord, review: ReviewReleaseRequest): Promise<Decided> {
  const { decision } = review;
  const at = c.now().toISOString();
  const next = releaseAfterTransition(read, decision, { at, reason: reasonOf(review) });
  if (next === read) return { next, writes: [] };
  switch (decision) {
    case 'approve':
      return approved(c, read, next, at);
    case 'reject':
      return { next, writes: freeVelopackNames(read) };
    case 'yank': {
      const withdrawn = await withdrawFiles(c, next);
      return { next: withdrawn.release, writes: withdrawn.writes };
    }
  }
}

/** If an approval must also publish and cannot, it fails as a whole. */
async function approved(c: DecisionNeeds, read: ReleaseRecord, next: ReleaseRecord, at: string): Promise<Decided> {
  const withFiles = await approveFiles(c, next);
  if (!read.publishOnApproval) return { next: withFiles.release, writes: withFiles.writes };
  const published = releaseAfterTransition(withFiles.release, 'publish', { at });
  const listed = await addPublished(c.table, { ...published, revision: read.revision + 1 });
  return { next: published, writes: [...withFiles.writes, ...listed] };
}

/**
 * Decides on a release, as `releaseMoves` allows it, and on its files with it; audited also when the decision was
 * made before and changes nothing. One that changes something is told and mailed to the seller.
 *
 * @throws AppError product_not_found, release_not_found, self_review_forbidden, stale_review, product_suspended,
 * release_state_conflict, file_state_conflict, file_not_verified, file_not_trusted_clean, build_out_of_order
 */
export async function reviewRelease(
  c: DecisionNeeds & Needs<'sendJob' | 'REVIEW_DUE_HOURS'>,
  admin: Person,
  productId: ProductId,
  releaseId: ReleaseId,
  review: ReviewReleaseRequest,
): Promise<Release> {
  const { decision, note } = review;
  return retryOptimisticLock(async () => {
    const product = await getProduct(c.table, productId);
    const read = await getRelease(c.table, productId, releaseId);
    checkReview(admin, await findSeller(c.table, product.sellerId), read, review);
    if (decision === 'approve') requireUnsuspended(product);
    const { next, writes } = await decided(c, read, review);
    const changed = next === read ? undefined : replaceRelease(read, next);
    const release = changed?.release ?? read;
    const notice = reviewNotice(c, read.sellerId, changed && noticeAbout(release, decision, product.name));
    await c.table.transactOnce([
      ...(changed ? [changed.write] : [checkReleaseUnchanged(read)]),
      ...writes,
      ...(read.publishedAt === undefined || !changed ? [] : recordReleaseChange(release)),
      ...recordReleaseAudit(c, {
        actor: admin.userId,
        action: `release.${decision}`,
        before: read,
        after: release,
        reason: reasonOf(review),
        note,
      }),
      ...(changed ? eventsOf(decision, read, release).map((type) => recordEvent(c, read.sellerId, releaseEvent(type, release))) : []),
      ...notice.writes,
    ]);
    await notice.send();
    return toRelease(c, release);
  });
}

/** In the order in which they were handed in; those that wait for review, unless another status is requested. */
export async function listReleasesForReview(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  { status = 'pending_review', ...request }: PageRequest & Omit<StatusFilter, 'status'> & { status?: ReleaseStatus | undefined },
): Promise<Page<ReleaseAdmin>> {
  return mapPage(await listByStatus(c.table, { ...request, status }), (release) => toAdminRelease(c, release));
}

/** The reason for the decision; none for an approval. */
function reasonOf({ decision, rejectionReason, yankReason }: ReviewReleaseRequest): string | undefined {
  if (decision === 'approve') return undefined;
  return decision === 'reject' ? rejectionReason : yankReason;
}

interface Decided {
  next: ReleaseRecord;
  writes: Write[];
}

function eventsOf(decision: ReleaseReviewDecision, read: ReleaseRecord, release: ReleaseRecord) {
  if (decision === 'yank') return ['release.yanked'] as const;
  const isPublished = read.publishedAt === undefined && release.publishedAt !== undefined;
  return isPublished ? (['release.reviewed', 'release.published'] as const) : (['release.reviewed'] as const);
}

/** What the seller is mailed of a decision that moved the release. */
function noticeAbout(release: ReleaseRecord, decision: ReleaseReviewDecision, productName: string): ReviewNotice {
  const { productId, version, status, rejectionReason, yankReason } = release;
  const outcomes: Record<ReleaseReviewDecision, ReviewOutcome> = {
    approve: status === 'published' ? 'release.published' : 'release.approved',
    reject: 'release.rejected',
    yank: 'release.yanked',
  };
  return { outcome: outcomes[decision], productId, productName, version, reason: decision === 'yank' ? yankReason : rejectionReason };
}
