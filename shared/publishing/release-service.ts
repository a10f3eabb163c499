import { isDeepStrictEqual } from 'node:util';
import { createAuditRepository } from '../audit/audit-repository.ts';
import { actorOf, type Caller, requireScope } from '../audit/caller.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { newId, type ProductId, type ReleaseId } from '../ids.ts';
import { createGetOwnProduct } from '../products/own-product.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { fullArtifactsOf, type ReleaseRecord, type ReleaseStatus } from '../releases/release.ts';
import { createReleaseRepository } from '../releases/release-repository.ts';
import { edited, newDraft, type PublishReleaseRequest, ReleaseRequest } from '../releases/release-request.ts';
import { moved, requireDraft } from '../releases/release-states.ts';
import { type Release, toRelease } from '../releases/shown-release.ts';
import { faultsOf } from '../releases/submission.ts';
import type { Channel } from '../releases/version.ts';
import { betweenFields } from '../schemas.ts';
import { createRecordEvent } from '../seller-events/event-record-repository.ts';
import { requireEligible } from '../sellers/seller.ts';
import { createPublication } from './publication.ts';
import { happeningOf, recordReleaseAudit } from './release-audit.ts';
import { createReleaseFiles } from './release-files.ts';
import { createVelopackNames } from './velopack-names.ts';

/** What a caller knows the release by, and which revision of it was looked at. */
export interface Expected {
  expectedRevision?: number | undefined;
}

export type ReleaseService = ReturnType<typeof createReleaseService>;

/** What sellers, and their build machines, do with the releases of their products. */
export function createReleaseService(options: {
  table: Table;
  discardAfterHours: number;
  reviewDueHours: number;
  now?: (() => Date) | undefined;
}) {
  const { table, discardAfterHours, reviewDueHours, now = () => new Date() } = options;
  const show = (release: ReleaseRecord) => toRelease(release, { reviewDueHours });
  const releases = createReleaseRepository({ table });
  const files = createReleaseFiles({ table, discardAfterHours, now });
  const names = createVelopackNames({ table });
  const publication = createPublication({ table });
  const getOwnProduct = createGetOwnProduct({ table });
  const audit = createAuditRepository({ table, now });
  const recordEvent = createRecordEvent({ now });

  /** @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible */
  async function getToChange(caller: Caller, productId: ProductId, releaseId: ReleaseId) {
    const { product, seller } = await getOwnProduct(caller, productId);
    await releases.getRelease(productId, releaseId);
    requireEligible(seller);
    return product;
  }

  /** Decides on the release as it is now, and again when it changes at the same moment. `permit` throws where the caller may not. */
  function change(
    caller: Caller,
    productId: ProductId,
    releaseId: ReleaseId,
    { expectedRevision }: Expected,
    decide: (read: ReleaseRecord) => Promise<Change | undefined>,
    permit: (read: ReleaseRecord) => void = () => {},
  ): Promise<Release> {
    return retryOptimisticLock(async () => {
      const read = await releases.getRelease(productId, releaseId);
      permit(read);
      if (expectedRevision !== undefined && expectedRevision !== read.revision) throw new AppError('stale_review');
      const changed = await decide(read);
      if (!changed) return show(read);
      const { action, next, writes, events = [], reason } = changed;
      const { release, write } = releases.replaceRelease(read, next);
      await table.transactOnce([
        write,
        ...writes,
        ...(read.publishedAt === undefined ? [] : publication.followRelease(release)),
        ...recordReleaseAudit(audit, { actor: actorOf(caller), action, before: read, after: release, reason }),
        ...events.map((type) => recordEvent(release.sellerId, happeningOf(type, release))),
      ]);
      return show(release);
    });
  }

  return {
    /** What a seller may send of a draft now. */
    draftRequest: ReleaseRequest.check(
      betweenFields(['coveredAt'], ({ coveredAt }) =>
        coveredAt !== undefined && coveredAt > now().toISOString() ? 'must be a past time' : undefined,
      ),
    ),

    /**
     * Makes a draft of a version that there is none of, or edits the draft that there is.
     *
     * @throws AppError invalid_request, product_not_found, forbidden, token_scope_insufficient, seller_not_eligible,
     * product_suspended, version_taken, file_not_found, file_in_use, too_many_releases
     */
    async saveDraft(caller: Caller, productId: ProductId, request: ReleaseRequest): Promise<{ release: Release; isNew: boolean }> {
      const { product, seller } = await getOwnProduct(caller, productId);
      if (request.publishOnApproval) requireScope(caller, 'releases:publish');
      requireEligible(seller);
      requireUnsuspended(product);
      return retryOptimisticLock(async () => {
        const read = await releases.findVersion(productId, request.version);
        if (read && read.status !== 'draft') throw new AppError('version_taken');
        if (read) permitDraft(caller, read);
        const { sellerId } = product;
        const at = now().toISOString();
        const draft = read ? edited(read, request) : newDraft(request, { id: newId('release', now()), productId, sellerId }, at);
        const { release: next, writes } = await files.bindFiles(draft, read);
        if (read && isDeepStrictEqual(read, next)) return { release: show(read), isNew: false };
        const saved = save(read, next);
        await table.transactOnce([
          ...saved.writes,
          ...writes,
          ...recordReleaseAudit(audit, {
            actor: actorOf(caller),
            action: read ? 'release.update' : 'release.create',
            before: read,
            after: saved.release,
          }),
        ]);
        return { release: show(saved.release), isNew: !read };
      });
    },

    /**
     * Hands a draft in for review; again it changes nothing.
     *
     * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, stale_review,
     * release_state_conflict, token_scope_insufficient, release_incomplete, build_out_of_order, file_name_taken
     */
    async submitRelease(caller: Caller, productId: ProductId, releaseId: ReleaseId, expected: Expected): Promise<Release> {
      requireUnsuspended(await getToChange(caller, productId, releaseId));
      const submit = async (read: ReleaseRecord): Promise<Change | undefined> => {
        const next = moved(read, 'submit', { at: now().toISOString() });
        if (next === read) return undefined;
        const found = await files.getFiles(read);
        const finalized = new Set(found.filter(({ status }) => status === 'pending_review' || status === 'approved').map(({ id }) => id));
        const faults = faultsOf(fullArtifactsOf(read), ({ fileId }) => finalized.has(fileId));
        if (faults.length > 0) throw new AppError('release_incomplete', faults.join('; '));
        await publication.checkOrder(read);
        return { action: 'release.submit', next, writes: [...names.takeNames(read), ...files.filesUnchanged(found)] };
      };
      return change(caller, productId, releaseId, expected, submit, (read) => permitDraft(caller, read));
    },

    /**
     * Takes a release that is not published back to be a draft; again it changes nothing.
     *
     * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, release_state_conflict
     */
    async withdrawRelease(caller: Caller, productId: ProductId, releaseId: ReleaseId): Promise<Release> {
      await getToChange(caller, productId, releaseId);
      return change(caller, productId, releaseId, {}, async (read) => {
        const next = moved(read, 'withdraw', { at: now().toISOString() });
        return next === read ? undefined : { action: 'release.withdraw', next, writes: names.freeNames(read) };
      });
    },

    /**
     * Publishes what was approved, or sets how many get what is published.
     *
     * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, stale_review,
     * release_state_conflict, build_out_of_order, file_state_conflict, file_not_verified, file_not_trusted_clean
     */
    async publishRelease(caller: Caller, productId: ProductId, releaseId: ReleaseId, request: PublishReleaseRequest): Promise<Release> {
      requireUnsuspended(await getToChange(caller, productId, releaseId));
      return change(caller, productId, releaseId, request, async (read) => {
        const next = moved(read, 'publish', { at: now().toISOString(), rolloutPercent: request.rolloutPercent });
        if (next === read) return undefined;
        if (read.publishedAt !== undefined) return { action: 'release.publish', next, writes: [] };
        await files.checkFiles(next);
        const listed = await publication.listPublished({ ...next, revision: read.revision + 1 });
        return { action: 'release.publish', next, writes: listed, events: ['release.published'] };
      });
    },

    /**
     * Takes a published release back for good, and its files with it; again it changes nothing.
     *
     * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, release_state_conflict
     */
    async yankRelease(caller: Caller, productId: ProductId, releaseId: ReleaseId, reason: string): Promise<Release> {
      await getToChange(caller, productId, releaseId);
      return change(caller, productId, releaseId, {}, async (read) => {
        const next = moved(read, 'yank', { at: now().toISOString(), reason });
        if (next === read) return undefined;
        const withdrawn = await files.withdrawFiles(next);
        return { action: 'release.yank', next: withdrawn.release, writes: withdrawn.writes, events: ['release.yanked'], reason };
      });
    },

    /**
     * Deletes a draft, whose version and files are free then.
     *
     * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, release_state_conflict
     */
    async deleteRelease(caller: Caller, productId: ProductId, releaseId: ReleaseId): Promise<Record<string, never>> {
      requireUnsuspended(await getToChange(caller, productId, releaseId));
      return retryOptimisticLock(async () => {
        const read = await releases.getRelease(productId, releaseId);
        requireDraft(read);
        await table.transactOnce([
          ...releases.deleteDraft(read),
          ...(await files.freeFiles(read)),
          ...recordReleaseAudit(audit, { actor: actorOf(caller), action: 'release.delete', before: read }),
        ]);
        return {};
      });
    },

    /** @throws AppError product_not_found, forbidden, release_not_found */
    async getRelease(caller: Caller, productId: ProductId, releaseId: ReleaseId): Promise<Release> {
      await getOwnProduct(caller, productId);
      return show(await releases.getRelease(productId, releaseId));
    },

    /** Newest first. @throws AppError product_not_found, forbidden */
    async listReleases(
      caller: Caller,
      productId: ProductId,
      request: PageRequest & { status?: ReleaseStatus | undefined; channel?: Channel | undefined },
    ): Promise<Page<Release>> {
      await getOwnProduct(caller, productId);
      const { items, nextCursor } = await releases.listReleases(productId, request);
      return { items: items.map(show), nextCursor };
    },
  };

  /** A draft that publishes itself is for who may publish. @throws AppError token_scope_insufficient */
  function permitDraft(caller: Caller, { status, publishOnApproval }: ReleaseRecord): void {
    if (status === 'draft' && publishOnApproval) requireScope(caller, 'releases:publish');
  }

  function save(read: ReleaseRecord | undefined, next: ReleaseRecord): { release: ReleaseRecord; writes: Write[] } {
    if (!read) {
      const release = { ...next, revision: 1 };
      return { release, writes: releases.createDraft(release) };
    }
    const { release, write } = releases.replaceRelease(read, next);
    return { release, writes: [write] };
  }
}

/** What a move makes of a release, besides its place in the index and its audit record. */
interface Change {
  action: Parameters<typeof recordReleaseAudit>[1]['action'];
  next: ReleaseRecord;
  writes: Write[];
  events?: readonly Parameters<typeof happeningOf>[0][];
  reason?: string;
}
