import * as z from 'zod/mini';
import { fileSlotsKey, filesOfProduct } from '../db/keys.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import { emptyPage, listPartitionPage, type OrderedRequest, type Page, type PageRequest, pagesOf, parsePage } from '../db/sharded-list.ts';
import { type Item, type Table, type Write, writeIfHolds } from '../db/table.ts';
import { type FileId, isId, type ProductId } from '../ids.ts';
import { isLiveEntry, LiveFile, liveFileOf, ProductFileRecord } from './product-file.ts';

const StoredIndex = z.object({
  /** How often the index changed; in its first version, how many uploads were started. */
  uploads: z.int(),
  liveFiles: z.optional(z.record(z.string(), LiveFile)),
});

/** The live files of a product, by id, as they were read. */
export interface LiveFiles {
  changes: number;
  files: ReadonlyMap<string, LiveFile>;
}

/** How many files of the product are live, but for the one that is named. */
export function countLiveFiles({ files }: LiveFiles, now: Date, except?: FileId): number {
  return [...files].filter(([id, file]) => id !== except && isLiveEntry(file, now)).length;
}

/**
 * The index of a product's live files: one item, however many dead files the product has. It is kept by
 * the transactions that change a file's status. A product from before the index gets it, from all its
 * files, before the first of them. See "Live files" in bytes.md.
 */
export async function getLiveFiles(table: Table, productId: ProductId, index?: Item): Promise<LiveFiles> {
  const item = index ?? (await table.get(fileSlotsKey(productId)));
  const stored = item && StoredIndex.parse(item);
  if (!stored?.liveFiles) return makeIndex(table, productId, stored?.uploads);
  return { changes: stored.uploads, files: new Map(Object.entries(stored.liveFiles)) };
}

async function makeIndex(table: Table, productId: ProductId, uploads: number | undefined): Promise<LiveFiles> {
  const all = await findFilesOfProduct(table, productId);
  const live = all.flatMap((file) => {
    const entry = liveFileOf(file);
    return entry ? [[file.id, entry] as const] : [];
  });
  const changes = (uploads ?? 0) + 1;
  const made = await writeIfHolds(table, {
    update: {
      Key: fileSlotsKey(productId),
      UpdateExpression: 'SET uploads = :changes, liveFiles = :files',
      ConditionExpression: uploads === undefined ? 'attribute_not_exists(pk)' : 'uploads = :uploads AND attribute_not_exists(liveFiles)',
      ExpressionAttributeValues: {
        ':changes': changes,
        ':files': Object.fromEntries(live),
        ...(uploads !== undefined && { ':uploads': uploads }),
      },
    },
  });
  // Where another request made it, that counts.
  return made ? { changes, files: new Map(live) } : getLiveFiles(table, productId);
}

/** The ids in the index as it was read with something else; none where there is no index yet. */
export function idsInIndex(item: Item | undefined): FileId[] {
  const stored = item && StoredIndex.parse(item);
  return Object.keys(stored?.liveFiles ?? {}).filter((id) => isId('file', id));
}

/** Adds a new file, and drops uploads that are no longer live. Changed since it was read → OptimisticLockError. */
export function addLiveFile(file: ProductFileRecord, read: LiveFiles, now: Date): Write {
  const ended = [...read.files].filter(([, entry]) => !isLiveEntry(entry, now)).map(([id]) => id);
  const names = Object.fromEntries([file.id, ...ended].map((id, index) => [`#file${index}`, id]));
  const drop = ended.map((_, index) => `liveFiles.#file${index + 1}`).join(', ');
  return {
    update: {
      Key: fileSlotsKey(file.productId),
      UpdateExpression: `SET liveFiles.#file0 = :entry${drop && ` REMOVE ${drop}`} ADD uploads :one`,
      ConditionExpression: 'uploads = :read AND attribute_exists(liveFiles)',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':entry': liveFileOf(file), ':one': 1, ':read': read.changes },
    },
    onConditionFailed: lockConflict,
  };
}

/** Follows the status of a file; with `read`, only while the index is the one that was read. @throws OptimisticLockError */
export function updateLiveFile(file: ProductFileRecord, read?: LiveFiles): Write {
  const entry = liveFileOf(file);
  return {
    update: {
      Key: fileSlotsKey(file.productId),
      UpdateExpression: `${entry ? 'SET liveFiles.#file = :entry' : 'REMOVE liveFiles.#file'} ADD uploads :one`,
      ConditionExpression: `attribute_exists(liveFiles)${read ? ' AND uploads = :read' : ''}`,
      ExpressionAttributeNames: { '#file': file.id },
      ExpressionAttributeValues: { ':one': 1, ...(entry && { ':entry': entry }), ...(read && { ':read': read.changes }) },
    },
    onConditionFailed: lockConflict,
  };
}

/** A page of a product's files. */
export async function listFilesOfProduct(table: Table, productId: ProductId, request: OrderedRequest): Promise<Page<ProductFileRecord>> {
  if (!isId('product', productId)) return emptyPage(request);
  return parsePage(await listPartitionPage(table, `files-of-${productId}`, filesOfProduct(productId), request), ProductFileRecord);
}

/** Every file of the product, oldest first. */
export async function findFilesOfProduct(table: Table, productId: ProductId): Promise<ProductFileRecord[]> {
  const files: ProductFileRecord[] = [];
  const oldestFirst = (page: PageRequest) => listFilesOfProduct(table, productId, { ...page, newestFirst: false });
  for await (const some of pagesOf(oldestFirst)) files.push(...some);
  return files;
}
