/**
 * How many bytes the files of a seller take: one counter, moved by the transactions that begin an upload
 * and that record the deletion of its bytes. See "Discarded bytes" in bytes.md.
 */

import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { sellerStorageKey } from '../db/keys.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import { type PageRequest, pagesOf } from '../db/sharded-list.ts';
import { ifAbsent, type Table, type Write, writeIfHolds } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { SellerId } from '../ids.ts';
import { addJobOnce } from '../jobs/job-repository.ts';
import { settleAll } from '../jobs/settle-all.ts';
import { listProductsOfSeller } from '../products/product-repository.ts';
import { findFilesOfProduct } from './live-file-repository.ts';
import { fileIds, isDead, type ProductFileRecord, reservedBytes } from './product-file.ts';

const SellerStorage = z.object({ heldBytes: z.int() });

async function readAllFiles(table: Table, sellerId: SellerId): Promise<ProductFileRecord[]> {
  const all: ProductFileRecord[] = [];
  const oldestFirst = (page: PageRequest) => listProductsOfSeller(table, sellerId, { ...page, newestFirst: false });
  for await (const products of pagesOf(oldestFirst)) for (const { id } of products) all.push(...(await findFilesOfProduct(table, id)));
  return all;
}

/**
 * Makes sure that there is a counter. A seller whose files are older than counters gets one from all
 * of them, and the bytes of those that are of no more use and have no job yet are deleted; nothing moves before.
 */
export async function ensureStorageCounter(c: Needs<'table' | 'now'>, sellerId: SellerId): Promise<void> {
  if (await c.table.get(sellerStorageKey(sellerId))) return;
  const all = await readAllFiles(c.table, sellerId);
  const unused = all.filter((file) => isDead(file) && reservedBytes(file) > 0);
  // Another request may have written either already.
  const added = await settleAll(unused, (file) => writeIfHolds(c.table, addJobOnce(c, { kind: 'discard-upload', ...fileIds(file) })));
  for (const outcome of added) if (outcome.status === 'rejected') throw outcome.reason;
  const heldBytes = all.reduce((sum, file) => sum + reservedBytes(file), 0);
  await writeIfHolds(c.table, { put: { Item: { ...sellerStorageKey(sellerId), heldBytes }, ...ifAbsent } });
}

/** Counts the bytes of a new file, of which all of the seller's may have `most`. @throws AppError storage_quota_exceeded */
export function reserveBytes(file: ProductFileRecord, max: number): Write {
  const bytes = reservedBytes(file);
  return {
    update: {
      Key: sellerStorageKey(file.sellerId),
      UpdateExpression: 'SET heldBytes = heldBytes + :bytes',
      ConditionExpression: 'heldBytes <= :room',
      ExpressionAttributeValues: { ':bytes': bytes, ':room': max - bytes },
    },
    onConditionFailed: (old) => (SellerStorage.safeParse(old).success ? new AppError('storage_quota_exceeded') : lockConflict()),
  };
}

/** Counts the bytes of a file no more; part of the transaction that records their deletion. */
export function freeBytes(file: ProductFileRecord): Write {
  return {
    update: {
      Key: sellerStorageKey(file.sellerId),
      UpdateExpression: 'SET heldBytes = heldBytes - :bytes',
      ConditionExpression: 'attribute_exists(heldBytes)',
      ExpressionAttributeValues: { ':bytes': reservedBytes(file) },
    },
    onConditionFailed: lockConflict,
  };
}
