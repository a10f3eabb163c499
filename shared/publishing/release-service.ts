/** Releases as managed by sellers and their build machines. */

import { isDeepStrictEqual } from 'node:util';
import { auditActorOf, type Caller, requireScope } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { fault, messageOf } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { newId, type ProductId, type ReleaseId } from '../ids.ts';
import { getOwnProduct } from '../products/own-product.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { submissionFaults } from '../releases/artifacts/submission.ts';
import { artifactsWithFiles, type ReleaseRecord, type ReleaseStatus } from '../releases/release.ts';
import { recordReleaseChange } from '../releases/release-index-repository.ts';
import { createDraft, deleteDraft, findVersion, getRelease, listReleases, replaceRelease } from '../releases/release-repository.ts';
import { draftAfterEdit, newDraft, type PublishReleaseRequest, ReleaseRequest } from '../releases/release-request.ts';
import { releaseAfterTransition, requireDraft } from '../releases/release-states.ts';
import { type Release, toRelease } from '../releases/release-view.ts';
import type { Channel } from '../releases/versions/version.ts';
import { crossFieldRule } from '../schemas.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import { requireEligible } from '../sellers/seller.ts';
import { addPublished, checkBuildOrder } from './publication.ts';
import { recordReleaseAudit, releaseEvent } from './release-audit.ts';
import { bindFiles, checkFiles, checkFilesUnchanged, freeFiles, getFiles, withdrawFiles } from './release-files.ts';
import { freeNames, takeNames } from './velopack-names.ts';

/** What a caller knows the release by, and which revision of it was looked at. */
export interface ExpectedRevision {
  expectedRevision?: number | undefined;
}

const show = (c: Needs<'REVIEW_DUE_HOURS'>, release: ReleaseRecord) => toRelease(release, { reviewDueHours: c.settings.REVIEW_DUE_HOURS });

/** @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible */
async function getToChange(table: Table, caller: Caller, productId: ProductId, releaseId: ReleaseId) {
  const { product, seller } = await getOwnProduct(table, caller, productId);
  await getRelease(table, productId, releaseId);
  requireEligible(seller);
  return product;
}

/** Decides on the release as it is now, and again when it changes at the same moment. `permit` throws where the caller may not. */
function change(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  { expectedRevision }: ExpectedRevision,
  decide: (read: ReleaseRecord) => Promise<Change | undefined>,
  permit: (read: ReleaseRecord) => void = () => {},
): Promise<Release> {
  return retryOptimisticLock(async () => {
    const read = await getRelease(c.table, productId, releaseId);
    permit(read);
    if (expectedRevision !== undefined && expectedRevision !== read.revision) throw new AppError('stale_review');
    const changed = await decide(read);
    if (!changed) return show(c, read);
    const { action, next, writes, events = [], reason } = changed;
    const { release, write } = replaceRelease(read, next);
    await c.table.transactOnce([
      write,
      ...writes,
      ...(read.publishedAt === undefined ? [] : recordReleaseChange(release)),
      ...recordReleaseAudit(c, { actor: auditActorOf(caller), action, before: read, after: release, reason }),
      ...events.map((type) => recordEvent(c, release.sellerId, releaseEvent(type, release))),
    ]);
    return show(c, release);
  });
}

/** What a seller may send of a draft now. */
export const draftRequest = (c: Needs<'now'>) =>
  ReleaseRequest.check(
    crossFieldRule(['coveredAt'], ({ coveredAt }) =>
      coveredAt !== undefined && coveredAt > c.now().toISOString() ? fault(rules.notPast) : undefined,
    ),
  );

/**
 * Creates a draft of a new version, or edits the existing draft.
 *
 * @throws AppError invalid_request, product_not_found, forbidden, token_scope_insufficient, seller_not_eligible,
 * product_suspended, version_taken, file_not_found, file_in_use, too_many_releases
 */
export async function saveDraft(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  request: ReleaseRequest,
): Promise<{ release: Release; isNew: boolean }> {
  const { product, seller } = await getOwnProduct(c.table, caller, productId);
  if (request.publishOnApproval) requireScope(caller, 'releases:publish');
  requireEligible(seller);
  requireUnsuspended(product);
  return retryOptimisticLock(async () => {
    const read = await findVersion(c.table, productId, request.version);
    if (read && read.status !== 'draft') throw new AppError('version_taken');
    if (read) permitDraft(caller, read);
    const { sellerId } = product;
    const at = c.now().toISOString();
    const draft = read ? draftAfterEdit(read, request) : newDraft(request, { id: newId('release', c.now()), productId, sellerId }, at);
    const { release: next, writes } = await bindFiles(c, draft, read);
    if (read && isDeepStrictEqual(read, next)) return { release: show(c, read), isNew: false };
    const saved = save(read, next);
    await c.table.transactOnce([
      ...saved.writes,
      ...writes,
      ...recordReleaseAudit(c, {
        actor: auditActorOf(caller),
        action: read ? 'release.update' : 'release.create',
        before: read,
        after: saved.release,
      }),
    ]);
    return { release: show(c, saved.release), isNew: !read };
  });
}

/**
 * Submits a draft for review. Idempotent.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, stale_review,
 * release_state_conflict, token_scope_insufficient, release_incomplete, build_out_of_order, file_name_taken
 */
export async function submitRelease(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  expected: ExpectedRevision,
): Promise<Release> {
  requireUnsuspended(await getToChange(c.table, caller, productId, releaseId));
  const submit = async (read: ReleaseRecord): Promise<Change | undefined> => {
    const next = releaseAfterTransition(read, 'submit', { at: c.now().toISOString() });
    if (next === read) return undefined;
    const found = await getFiles(c.table, read);
    const finalized = new Set(found.filter(({ status }) => status === 'pending_review' || status === 'approved').map(({ id }) => id));
    const faults = submissionFaults(artifactsWithFiles(read), ({ fileId }) => finalized.has(fileId));
    if (faults.length > 0) throw new AppError('release_incomplete', messageOf(faults));
    await checkBuildOrder(c.table, read);
    return { action: 'release.submit', next, writes: [...takeNames(read), ...checkFilesUnchanged(found)] };
  };
  return change(c, caller, productId, releaseId, expected, submit, (read) => permitDraft(caller, read));
}

/**
 * Turns an unpublished release back into a draft. Idempotent.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, release_state_conflict
 */
export async function withdrawRelease(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
): Promise<Release> {
  await getToChange(c.table, caller, productId, releaseId);
  return change(c, caller, productId, releaseId, {}, async (read) => {
    const next = releaseAfterTransition(read, 'withdraw', { at: c.now().toISOString() });
    return next === read ? undefined : { action: 'release.withdraw', next, writes: freeNames(read) };
  });
}

/**
 * Publishes what was approved, or sets how many get what is published.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, stale_review,
 * release_state_conflict, build_out_of_order, file_state_conflict, file_not_verified, file_not_trusted_clean
 */
export async function publishRelease(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  request: PublishReleaseRequest,
): Promise<Release> {
  requireUnsuspended(await getToChange(c.table, caller, productId, releaseId));
  return change(c, caller, productId, releaseId, request, async (read) => {
    const next = releaseAfterTransition(read, 'publish', { at: c.now().toISOString(), rolloutPercent: request.rolloutPercent });
    if (next === read) return undefined;
    if (read.publishedAt !== undefined) return { action: 'release.publish', next, writes: [] };
    await checkFiles(c, next);
    const listed = await addPublished(c.table, { ...next, revision: read.revision + 1 });
    return { action: 'release.publish', next, writes: listed, events: ['release.published'] };
  });
}

/**
 * Yanks a published release and withdraws its files, permanently. Idempotent.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, release_state_conflict
 */
export async function yankRelease(
  c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  reason: string,
): Promise<Release> {
  await getToChange(c.table, caller, productId, releaseId);
  return change(c, caller, productId, releaseId, {}, async (read) => {
    const next = releaseAfterTransition(read, 'yank', { at: c.now().toISOString(), reason });
    if (next === read) return undefined;
    const withdrawn = await withdrawFiles(c, next);
    return { action: 'release.yank', next: withdrawn.release, writes: withdrawn.writes, events: ['release.yanked'], reason };
  });
}

/**
 * Deletes a draft, which frees its version and files.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, release_state_conflict
 */
export async function deleteRelease(
  c: Needs<'table' | 'now'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
): Promise<Record<string, never>> {
  requireUnsuspended(await getToChange(c.table, caller, productId, releaseId));
  return retryOptimisticLock(async () => {
    const read = await getRelease(c.table, productId, releaseId);
    requireDraft(read);
    await c.table.transactOnce([
      ...deleteDraft(read),
      ...(await freeFiles(c, read)),
      ...recordReleaseAudit(c, { actor: auditActorOf(caller), action: 'release.delete', before: read }),
    ]);
    return {};
  });
}

/** @throws AppError product_not_found, forbidden, release_not_found */
export async function getOwnRelease(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
): Promise<Release> {
  await getOwnProduct(c.table, caller, productId);
  return show(c, await getRelease(c.table, productId, releaseId));
}

/** Newest first. @throws AppError product_not_found, forbidden */
export async function listOwnReleases(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  request: PageRequest & { status?: ReleaseStatus | undefined; channel?: Channel | undefined },
): Promise<Page<Release>> {
  await getOwnProduct(c.table, caller, productId);
  const { items, nextCursor } = await listReleases(c.table, productId, request);
  return { items: items.map((release) => show(c, release)), nextCursor };
}

/** A draft that publishes itself is for who may publish. @throws AppError token_scope_insufficient */
function permitDraft(caller: Caller, { status, publishOnApproval }: ReleaseRecord): void {
  if (status === 'draft' && publishOnApproval) requireScope(caller, 'releases:publish');
}

function save(read: ReleaseRecord | undefined, next: ReleaseRecord): { release: ReleaseRecord; writes: Write[] } {
  if (!read) {
    const release = { ...next, revision: 1 };
    return { release, writes: createDraft(release) };
  }
  const { release, write } = replaceRelease(read, next);
  return { release, writes: [write] };
}

/** What a move makes of a release, besides its place in the index and its audit record. */
interface Change {
  action: Parameters<typeof recordReleaseAudit>[1]['action'];
  next: ReleaseRecord;
  writes: Write[];
  events?: readonly Parameters<typeof releaseEvent>[0][];
  reason?: string;
}
