/** The releases of products. A release is found by its version, and by its id through a pointer. */

import * as z from 'zod/mini';
import { encodeCursor } from '../db/cursor.ts';
import { findItem, findItems } from '../db/find-items.ts';
import { listKey, type QueueKey, queueKey, releaseIdKey, releaseKey, releasesOfProduct, velopackNameKey } from '../db/keys.ts';
import { checkUnchanged, deleteUnchanged, lockConflict, replaceUnchanged, updateUnchanged } from '../db/optimistic-lock.ts';
import {
  emptyPage,
  filteredPage,
  limitToReplySize,
  listAcrossShards,
  listPartitionPage,
  type Page,
  type PageRequest,
  parsePage,
} from '../db/sharded-list.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError, requireFound } from '../errors.ts';
import { type FileId, isId, type ProductId, type ReleaseId, type SellerId } from '../ids.ts';
import { type ArtifactFile, fileIdsOf, type VelopackName } from './artifacts/artifact.ts';
import { ReleaseRecord, type ReleaseStatus } from './release.ts';
import { countDraft, recordReleaseChange, uncountDraft } from './release-index-repository.ts';
import { releaseWaitingSince } from './release-states.ts';
import type { Channel } from './versions/version.ts';

const Pointer = z.object({ version: z.string() });

/** The release's place in the queue of what waits for an admin, and the files that it waits with. */
export function releaseQueueKey(release: ReleaseRecord): (QueueKey & { queueFiles: FileId[] }) | undefined {
  const since = releaseWaitingSince(release);
  return since === undefined ? undefined : { ...queueKey('release', since, release.id), queueFiles: fileIdsOf(release.artifacts) };
}

const itemOf = (release: ReleaseRecord): Item => ({
  ...releaseKey(release.productId, release.version),
  ...listKey(`releases#${release.status}`, release.submittedAt ?? release.createdAt, release.id),
  ...releaseQueueKey(release),
  ...release,
});

export const findVersion = (table: Table, productId: ProductId, version: string): Promise<ReleaseRecord | undefined> =>
  findItem(table, releaseKey(productId, version), ReleaseRecord);

export async function findRelease(table: Table, productId: ProductId, releaseId: ReleaseId): Promise<ReleaseRecord | undefined> {
  if (!isId('product', productId) || !isId('release', releaseId)) return undefined;
  const pointer = await findItem(table, releaseIdKey(productId, releaseId), Pointer);
  const release = pointer && (await findVersion(table, productId, pointer.version));
  // The version of a deleted draft is free for another.
  return release?.id === releaseId ? release : undefined;
}

/** @throws AppError release_not_found */
export const getRelease = (table: Table, productId: ProductId, releaseId: ReleaseId): Promise<ReleaseRecord> =>
  requireFound(findRelease(table, productId, releaseId), 'release_not_found');

/** A draft of a version that there is no release of. There is one now → OptimisticLockError. @throws AppError too_many_releases */
export function createDraft(draft: ReleaseRecord): Write[] {
  const { id, productId, version } = draft;
  return [
    { put: { Item: itemOf(draft), ...ifAbsent }, onConditionFailed: lockConflict },
    { put: { Item: { ...releaseIdKey(productId, id), version }, ...ifAbsent } },
    countDraft(productId),
  ];
}

/** `next` in the place of exactly the release that was read, counted as a change. Changed since → OptimisticLockError. */
export function replaceRelease(read: ReleaseRecord, next: ReleaseRecord): { release: ReleaseRecord; write: Write } {
  const release = { ...next, revision: read.revision + 1 };
  return { release, write: replaceUnchanged(read, itemOf(release)) };
}

/** Holds while the release is the one that was read. Changed since → OptimisticLockError. */
export const checkReleaseUnchanged = (read: ReleaseRecord): Write => checkUnchanged(releaseKey(read.productId, read.version), read);

/** Changed since it was read → OptimisticLockError. */
export function deleteDraft(read: ReleaseRecord): Write[] {
  const { id, productId, version } = read;
  return [deleteUnchanged(releaseKey(productId, version), read), { delete: { Key: releaseIdKey(productId, id) } }, uncountDraft(productId)];
}

/** What a release keeps of one of its files, and that it changed. Changed since it was read → OptimisticLockError. */
export function replaceArtifactFile(read: ReleaseRecord, fileId: FileId, file: ArtifactFile): Write[] {
  const next = { ...read, revision: read.revision + 1 };
  const change = {
    UpdateExpression: 'SET files.#file = :file, revision = :next',
    ExpressionAttributeNames: { '#file': fileId },
    ExpressionAttributeValues: { ':file': file, ':next': next.revision },
  };
  return [updateUnchanged(releaseKey(read.productId, read.version), read, change), ...recordReleaseChange(next)];
}

/** Takes a name in the product's velopack feeds for a file, which may have it already. @throws AppError file_name_taken */
export function takeVelopackName(productId: ProductId, name: string, file: VelopackName): Write {
  return {
    put: {
      Item: { ...velopackNameKey(productId, name), ...file },
      ConditionExpression: 'attribute_not_exists(pk) OR fileId = :file',
      ExpressionAttributeValues: { ':file': file.fileId },
    },
    onConditionFailed: () => new AppError('file_name_taken'),
  };
}

export const freeVelopackName = (productId: ProductId, name: string): Write => ({ delete: { Key: velopackNameKey(productId, name) } });

/** A product's releases, newest first. */
export async function listReleases(
  table: Table,
  productId: ProductId,
  { status, channel, ...page }: PageRequest & { status?: ReleaseStatus | undefined; channel?: Channel | undefined },
): Promise<Page<ReleaseRecord>> {
  if (!isId('product', productId)) return emptyPage(page);
  const keep = (release: ReleaseRecord) =>
    (status === undefined || release.status === status) && (channel === undefined || release.channel === channel);
  const list = `releases-of-${productId}`;
  return filteredPage(page, keep, async (request) => {
    const pointers = await listPartitionPage(table, list, releasesOfProduct(productId), { ...request, newestFirst: true });
    const keys = pointers.items.map((item) => releaseKey(productId, Pointer.parse(item).version));
    const all = await findItems(table, keys, ReleaseRecord);
    const fit = limitToReplySize(all);
    const last = fit.at(-1);
    return { items: fit, nextCursor: fit.length < all.length && last ? encodeCursor(list, last.id) : pointers.nextCursor };
  });
}

export interface StatusFilter {
  status: ReleaseStatus;
  productId?: ProductId | undefined;
  sellerId?: SellerId | undefined;
}

/** Releases of all products in one state, in the order in which they were handed in. */
export async function listByStatus(
  table: Table,
  { status, productId, sellerId, ...page }: PageRequest & StatusFilter,
): Promise<Page<ReleaseRecord>> {
  const keep = (release: ReleaseRecord) =>
    (productId === undefined || release.productId === productId) && (sellerId === undefined || release.sellerId === sellerId);
  return filteredPage(page, keep, async (request) =>
    parsePage(await listAcrossShards(table, `releases#${status}`, { ...request, newestFirst: false }), ReleaseRecord),
  );
}
