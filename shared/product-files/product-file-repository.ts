import { findItem } from '../db/find-items.ts';
import { fileKey, fileSlotsKey, filesOfProduct, listKey, type QueueKey, queueKey } from '../db/keys.ts';
import { checkUnchanged, replaceUnchanged } from '../db/optimistic-lock.ts';
import { filteredPage, listAcrossLists, listAcrossShards, type Page, type PageRequest, parsePage } from '../db/sharded-list.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError, requireFound } from '../errors.ts';
import { type FileId, isId, type ProductId, type SellerId } from '../ids.ts';
import { checkReleaseUnchanged, findVersion, replaceArtifactFile } from '../releases/release-repository.ts';
import { fileWaitingSince } from './file-states.ts';
import { addLiveFile, getLiveFiles, idsInIndex, type LiveFiles, listFilesOfProduct, updateLiveFile } from './live-file-repository.ts';
import { artifactFileOf, ProductFileRecord, type ProductFileStatus, type StoredFile } from './product-file.ts';

export interface FileFilter {
  status: ProductFileStatus | 'any';
  productId?: ProductId | undefined;
  sellerId?: SellerId | undefined;
  hashStatus?: ProductFileRecord['hashStatus'] | undefined;
  scanStatus?: ProductFileRecord['scanStatus'] | undefined;
}

const matching = (filter: FileFilter) => (file: ProductFileRecord) =>
  (filter.status === 'any' || file.status === filter.status) &&
  (filter.productId === undefined || file.productId === filter.productId) &&
  (filter.sellerId === undefined || file.sellerId === filter.sellerId) &&
  (filter.hashStatus === undefined || file.hashStatus === filter.hashStatus) &&
  (filter.scanStatus === undefined || file.scanStatus === filter.scanStatus);

/** In the order in which files pass through them; the only way back is from disabled to approved. */
const allLists = (['upload_pending', 'pending_review', 'approved', 'disabled', 'rejected'] as const satisfies ProductFileStatus[]).map(
  (status) => `files#${status}` as const,
);

/** Of several reads of one file, the most recent state. */
const latest = (sameFile: readonly Item[]) => sameFile.toSorted((a, b) => Number(b['revision']) - Number(a['revision'])).slice(0, 1);

/** The file's place in the queue of what waits for an admin; those of a release wait with it. */
export function fileQueueKey(file: ProductFileRecord): QueueKey | undefined {
  const since = file.purpose === 'release' ? undefined : fileWaitingSince(file);
  return since === undefined ? undefined : queueKey('file', since, file.id);
}

const itemOf = (file: ProductFileRecord): Item => ({
  ...fileKey(file.productId, file.id),
  ...listKey(`files#${file.status}`, file.createdAt, file.id),
  ...fileQueueKey(file),
  ...file,
});

export const findFile = async (table: Table, productId: ProductId, fileId: FileId): Promise<ProductFileRecord | undefined> =>
  isId('product', productId) && isId('file', fileId) ? findItem(table, fileKey(productId, fileId), ProductFileRecord) : undefined;

export async function findFiles(table: Table, productId: ProductId, ids: readonly FileId[]): Promise<ProductFileRecord[]> {
  if (ids.length === 0) return [];
  const items = await table.batchGet(ids.map((id) => fileKey(productId, id)));
  return items.map((item) => ProductFileRecord.parse(item)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const replaceFileOnly = (read: ProductFileRecord, next: ProductFileRecord): Write =>
  replaceUnchanged(read, itemOf({ ...next, revision: read.revision + 1 }));

/**
 * Whether the file can be had shows on its release in the same write; `onlyInDraft`, that is a draft still.
 *
 * @throws AppError file_in_use when it is none
 */
async function replaceInRelease(table: Table, read: ProductFileRecord, next: ProductFileRecord, onlyInDraft = false): Promise<Write[]> {
  const replace = replaceFileOnly(read, next);
  const file = artifactFileOf(next);
  const isSeen = artifactFileOf(read).available !== file.available;
  if (next.releaseVersion === undefined || !(isSeen || onlyInDraft)) return [replace];
  const release = await findVersion(table, next.productId, next.releaseVersion);
  if (!release) return [replace];
  if (onlyInDraft && release.status !== 'draft') throw new AppError('file_in_use');
  return [replace, ...(isSeen ? replaceArtifactFile(release, next.id, file) : [checkReleaseUnchanged(release)])];
}

export async function replaceFile(table: Table, read: ProductFileRecord, next: ProductFileRecord, live?: LiveFiles): Promise<Write[]> {
  if (next.purpose === 'release') return replaceInRelease(table, read, next);
  const replace = replaceFileOnly(read, next);
  if (next.status === read.status) return [replace];
  // Without an index there is nothing to update.
  if (!live) await getLiveFiles(table, next.productId);
  return [replace, updateLiveFile(next, live)];
}

/** @throws AppError file_not_found */
export const getFile = (table: Table, productId: ProductId, fileId: FileId): Promise<ProductFileRecord> =>
  requireFound(findFile(table, productId, fileId), 'file_not_found');

/**
 * The newest files of the product, as many as one request reads (1 MB), and besides them those that are live, however
 * old they are: oldest first. Two requests more, and only where there are older ones.
 */
export async function findCurrentFiles(table: Table, productId: ProductId): Promise<ProductFileRecord[]> {
  const { pk: partition, prefix } = filesOfProduct(productId);
  const { items, more } = await table.query({ partition, prefix, newestFirst: true });
  const newest = items.map((item) => ProductFileRecord.parse(item)).reverse();
  if (!more) return newest;
  const [index] = await table.batchGet([fileSlotsKey(productId)]);
  const read = new Set(newest.map(({ id }) => id));
  const older = await findFiles(
    table,
    productId,
    idsInIndex(index).filter((id) => !read.has(id)),
  );
  return [...older, ...newest];
}

/** The files that may reach buyers, now or after their review, oldest first; those that were discarded are not read, nor is an index that is given. */
export async function findLiveFiles(table: Table, productId: ProductId, index?: Item): Promise<ProductFileRecord[]> {
  const ids = [...(await getLiveFiles(table, productId, index)).files.keys()].filter((id) => isId('file', id));
  return findFiles(table, productId, ids);
}

/** The same by an index that was read before: one request, and none without files. */
export const findIndexedFiles = (table: Table, productId: ProductId, index: Item | undefined) =>
  findFiles(table, productId, idsInIndex(index));

/** A new file of a product, whose live files were read where it is to be one of them. Changed since → OptimisticLockError. */
export function createFile(file: ProductFileRecord, live: LiveFiles | undefined, now: Date): Write[] {
  return [...(live ? [addLiveFile(file, live, now)] : []), { put: { Item: itemOf(file), ...ifAbsent } }];
}

/** The same by the file's seller, who takes no file from a release that is no draft. @throws AppError file_in_use */
export const replaceFileOfSeller = (table: Table, read: ProductFileRecord, next: ProductFileRecord): Promise<Write[]> =>
  read.purpose === 'release' ? replaceInRelease(table, read, next, true) : replaceFile(table, read, next);

/** Holds while the file is the one that was read. Changed since → OptimisticLockError. */
export const checkFileUnchanged = (read: ProductFileRecord): Write => checkUnchanged(fileKey(read.productId, read.id), read);

/** Holds while a buyer may download this version of the file, by the rule of `isDownloadable`. @throws AppError file_not_available */
export function checkFileDownloadable(file: StoredFile): Write {
  return {
    check: {
      Key: fileKey(file.productId, file.id),
      ConditionExpression:
        '#status = :approved AND visibility = :visible AND hashStatus = :verified AND scanTrustedClean = :true AND versionId = :version',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':approved': 'approved',
        ':visible': 'buyer_visible',
        ':verified': 'verified',
        ':true': true,
        ':version': file.versionId,
      },
    },
    onConditionFailed: () => new AppError('file_not_available'),
  };
}

/** Files in one state, or in any, oldest first. */
export async function listFilesByStatus(
  table: Table,
  { limit, cursor, ...filter }: PageRequest & FileFilter,
): Promise<Page<ProductFileRecord>> {
  const { productId, status } = filter;
  return filteredPage({ limit, cursor }, matching(filter), async (page) => {
    if (productId !== undefined) return listFilesOfProduct(table, productId, { ...page, newestFirst: false });
    const oldestFirst = { ...page, newestFirst: false };
    const found =
      status === 'any'
        ? await listAcrossLists(table, 'files#any', allLists, oldestFirst, latest)
        : await listAcrossShards(table, `files#${status}`, oldestFirst);
    return parsePage(found, ProductFileRecord);
  });
}
