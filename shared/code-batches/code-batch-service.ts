/** What sellers do with the codes of their products. */

import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import type { PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type BatchId, newId, type ProductId } from '../ids.ts';
import { addJob } from '../jobs/job-repository.ts';
import { getOwnProduct } from '../products/own-product.ts';
import type { ProductRecord } from '../products/product.ts';
import { checkProductTakesCodes } from '../products/product-repository.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { requireEligible } from '../sellers/seller.ts';
import { checkSellerEligible } from '../sellers/seller-repository.ts';
import type { CodeBatchRecord } from './code-batch.ts';
import { type AcceptedRequest, addBatch, concurrentRequestOf, findBatchRequest, getBatch, listBatches } from './code-batch-repository.ts';
import { hashOfSeller } from './code-hash-repository.ts';
import { codesPerPiece, deletePiece, type StoreNeeds, storePiece } from './code-upload-repository.ts';
import { checkUpload, readCodes } from './read-codes.ts';

export interface ImportRequest {
  idempotencyKey: string;
  /** The bytes of the CSV, in order. */
  file: readonly Uint8Array[];
}

/**
 * Accepts an upload: once this returns, its codes will be imported whatever crashes.
 * The same key with the same bytes gives the same batch. See "Idempotency" in imports.md.
 *
 * @param pieceSize how many codes a piece of the stored upload holds: as the importer takes it
 * @throws AppError invalid_csv, too_many_rows, product_not_found, forbidden, seller_not_eligible,
 * product_suspended, wrong_issuance_mode, idempotency_key_reused
 */
export async function acceptBatch(
  c: StoreNeeds & Needs<'sendJob'>,
  caller: Caller,
  productId: ProductId,
  request: ImportRequest,
  pieceSize = codesPerPiece,
): Promise<CodeBatchRecord> {
  const { idempotencyKey, file } = request;
  const summary = await checkUpload(file);
  const { product, seller } = await getOwnProduct(c.table, caller, productId);
  requireEligible(seller);
  requireCodesTaken(product);

  const contentHash = (await hashOfSeller(c, seller.id))(file);
  const earlier = await findBatchRequest(c.table, productId, idempotencyKey);
  if (earlier) return sameBatch(c.table, productId, earlier, contentHash);

  const batch: CodeBatchRecord = {
    id: newId('batch', c.now()),
    productId: product.id,
    sellerId: seller.id,
    status: 'accepted',
    idempotencyKey,
    contentHash,
    ...summary,
    importedCount: 0,
    duplicateCount: 0,
    createdAt: c.now().toISOString(),
  };
  const task = { kind: 'import-codes' as const, productId, batchId: batch.id };
  const pieces = await storeCodes(c, batch.id, file, pieceSize);
  try {
    await c.table.transact([...addBatch(batch), checkSellerEligible(seller.id), checkProductTakesCodes(productId), addJob(c, task)]);
  } catch (error) {
    const meanwhile = concurrentRequestOf(error);
    // After any other failure the batch may exist, so its pieces must be kept; without a batch they expire.
    if (!meanwhile) throw error;
    if (meanwhile.batchId !== batch.id) {
      await Promise.all(Array.from({ length: pieces }, (_, piece) => c.table.write(deletePiece(batch.id, piece))));
      return sameBatch(c.table, productId, meanwhile, contentHash);
    }
  }
  await c.sendJob(task);
  return batch;
}

/** @throws AppError product_not_found, forbidden, batch_not_found */
export async function getOwnBatch(table: Table, caller: Caller, productId: ProductId, batchId: BatchId): Promise<CodeBatchRecord> {
  await getOwnProduct(table, caller, productId);
  return getBatch(table, productId, batchId);
}

/** Newest first. @throws AppError product_not_found, forbidden, invalid_request (a bad cursor) */
export async function listOwnBatches(table: Table, caller: Caller, productId: ProductId, page: PageRequest) {
  await getOwnProduct(table, caller, productId);
  return listBatches(table, productId, page);
}

async function sameBatch(table: Table, productId: ProductId, earlier: AcceptedRequest, contentHash: string): Promise<CodeBatchRecord> {
  if (earlier.contentHash !== contentHash) throw new AppError('idempotency_key_reused');
  return getBatch(table, productId, earlier.batchId);
}

/** Stored before the batch is, because one transaction could not hold them; without a batch they expire. Returns the number of pieces. */
async function storeCodes(c: StoreNeeds, batchId: BatchId, file: readonly Uint8Array[], pieceSize: number): Promise<number> {
  let piece = 0;
  let codes: string[] = [];
  const store = async () => {
    await storePiece(c, batchId, piece, codes);
    piece += 1;
    codes = [];
  };
  await readCodes(file, async (row) => {
    if ('reason' in row) return;
    codes.push(row.code);
    if (codes.length === pieceSize) await store();
  });
  if (codes.length > 0) await store();
  return piece;
}

/** @throws AppError product_suspended, wrong_issuance_mode */
function requireCodesTaken(product: ProductRecord): void {
  requireUnsuspended(product);
  if (product.licenseIssuanceMode !== 'imported_csv') throw new AppError('wrong_issuance_mode');
}
