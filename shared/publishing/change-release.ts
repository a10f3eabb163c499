import { auditActorOf, type Caller, requireScope } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { ProductId, ReleaseId } from '../ids.ts';
import { getOwnProduct } from '../products/own-product.ts';
import type { ReleaseRecord } from '../releases/release.ts';
import { recordReleaseChange } from '../releases/release-index-repository.ts';
import { getRelease, replaceRelease } from '../releases/release-repository.ts';
import { type Release, toRelease } from '../releases/release-view.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import { requireEligible } from '../sellers/seller.ts';
import { recordReleaseAudit, releaseEvent } from './release-audit.ts';

/** Which revision of the release the caller looked at. */
export interface ExpectedRevision {
  expectedRevision?: number | undefined;
}

/** All jobs of a build may change one draft at the same moment, and each has its turn. */
export const changeAttempts = { attempts: 40 };

/** The release is the one that the caller looked at, if that is said. @throws AppError stale_revision */
export function checkRevision(read: ReleaseRecord | undefined, { expectedRevision }: ExpectedRevision): void {
  if (expectedRevision !== undefined && expectedRevision !== read?.revision) throw new AppError('stale_revision');
}

/** @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible */
export async function getProductToChange(table: Table, caller: Caller, productId: ProductId, releaseId: ReleaseId) {
  const { product, seller } = await getOwnProduct(table, caller, productId);
  await getRelease(table, productId, releaseId);
  requireEligible(seller);
  return product;
}

/** Decides on the release as it is now, and again when it changes at the same moment. `permit` throws where the caller may not. */
export function changeRelease(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  expected: ExpectedRevision,
  decide: (read: ReleaseRecord) => Promise<ReleaseChange | undefined>,
  permit: (read: ReleaseRecord) => void = () => {},
): Promise<Release> {
  return retryOptimisticLock(async () => {
    const read = await getRelease(c.table, productId, releaseId);
    permit(read);
    checkRevision(read, expected);
    const changed = await decide(read);
    if (!changed) return toRelease(c, read);
    const { action, next, writes, events = [], reason } = changed;
    const { release, write } = replaceRelease(read, next);
    await c.table.transactOnce([
      write,
      ...writes,
      ...(read.publishedAt === undefined ? [] : recordReleaseChange(release)),
      ...recordReleaseAudit(c, { actor: auditActorOf(caller), action, before: read, after: release, reason }),
      ...events.map((type) => recordEvent(c, release.sellerId, releaseEvent(type, release))),
    ]);
    return toRelease(c, release);
  }, changeAttempts);
}

/** A draft that publishes itself is for who may publish. @throws AppError token_scope_insufficient */
export function permitDraft(caller: Caller, { status, publishOnApproval }: ReleaseRecord): void {
  if (status === 'draft' && publishOnApproval) requireScope(caller, ['releases:publish']);
}

/** What a move makes of a release, besides its place in the index and its audit record. */
export interface ReleaseChange {
  action: Parameters<typeof recordReleaseAudit>[1]['action'];
  next: ReleaseRecord;
  writes: Write[];
  events?: readonly Parameters<typeof releaseEvent>[0][];
  reason?: string;
}
