import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { findItem } from '../db/find-items.ts';
import { batchesOfProduct, batchKey, batchRequestKey, codeKey } from '../db/keys.ts';
import { listPartitionPage, type Page, type PageRequest, parsePage } from '../db/sharded-list.ts';
import { ConditionFailedError, ifAbsent, type Table, type Write } from '../db/table.ts';
import { requireFound } from '../errors.ts';
import { type BatchId, idOf, isId, type ProductId, type SellerId } from '../ids.ts';
import { LeaseLostError } from '../jobs/job.ts';
import { CodeBatchRecord } from './code-batch.ts';

/** A request to import that was accepted before under the same idempotency key. */
const AcceptedRequest = z.object({ batchId: idOf('batch'), contentHash: z.string() });

export type AcceptedRequest = z.infer<typeof AcceptedRequest>;

/** A code that the seller has imported before, into whatever product. */
const KnownCode = z.object({ codeHash: z.string(), productId: idOf('product'), batchId: idOf('batch') });
type KnownCode = z.infer<typeof KnownCode>;

/** Another import of the seller stored one of the codes in the meantime. */
export class DuplicateCodeError extends Error {}

export const findBatch = async (table: Table, productId: ProductId, batchId: BatchId): Promise<CodeBatchRecord | undefined> =>
  isId('product', productId) && isId('batch', batchId) ? findItem(table, batchKey(productId, batchId), CodeBatchRecord) : undefined;

/** Changes a batch whose counts are still those of this copy; else ConditionFailedError. */
const update = (batch: CodeBatchRecord, expression: string, values: Record<string, unknown>, names?: Record<string, string>): Write => ({
  update: {
    Key: batchKey(batch.productId, batch.id),
    UpdateExpression: expression,
    ConditionExpression: 'importedCount = :wasImported AND duplicateCount = :wasDuplicate',
    ExpressionAttributeValues: { ...values, ':wasImported': batch.importedCount, ':wasDuplicate': batch.duplicateCount },
    ExpressionAttributeNames: names,
  },
});

/** @throws AppError batch_not_found */
export const getBatch = (table: Table, productId: ProductId, batchId: BatchId): Promise<CodeBatchRecord> =>
  requireFound(findBatch(table, productId, batchId), 'batch_not_found');

/** Newest first. */
export async function listBatches(table: Table, productId: ProductId, request: PageRequest): Promise<Page<CodeBatchRecord>> {
  const newestFirst = { ...request, newestFirst: true };
  const page = await listPartitionPage(table, `batches-of-${productId}`, batchesOfProduct(productId), newestFirst);
  return parsePage(page, CodeBatchRecord);
}

export const findBatchRequest = (table: Table, productId: ProductId, idempotencyKey: string) =>
  findItem(table, requestKey(productId, idempotencyKey), AcceptedRequest);

/** A new batch and its idempotency key; ConditionFailedError when the key was used at the same moment. */
export function addBatch(batch: CodeBatchRecord): Write[] {
  const { productId, id, idempotencyKey, contentHash } = batch;
  const accepted: AcceptedRequest = { batchId: id, contentHash };
  return [
    { put: { Item: { ...requestKey(productId, idempotencyKey), ...accepted }, ...ifAbsent } },
    { put: { Item: { ...batchKey(productId, id), ...batch }, ...ifAbsent } },
  ];
}

/** @throws LeaseLostError when another worker completed the import. */
export function startImport(batch: CodeBatchRecord): Write {
  return {
    update: {
      Key: batchKey(batch.productId, batch.id),
      UpdateExpression: 'SET #status = :processing',
      ConditionExpression: '#status IN (:accepted, :processing, :failed)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':accepted': 'accepted', ':processing': 'processing', ':failed': 'failed' },
    },
    onConditionFailed: () => new LeaseLostError(),
  };
}

/** Counts codes as handled; part of the transaction that handles them. */
export function countCodes(batch: CodeBatchRecord, counts: { imported: number; duplicate: number }): Write {
  return update(batch, 'ADD importedCount :imported, duplicateCount :duplicate', {
    ':imported': counts.imported,
    ':duplicate': counts.duplicate,
  });
}

export function completeImport(c: Needs<'now'>, batch: CodeBatchRecord): Write {
  const values = { ':completed': 'completed', ':now': c.now().toISOString() };
  return update(batch, 'SET #status = :completed, completedAt = :now', values, { '#status': 'status' });
}

export function failImport(batch: CodeBatchRecord): Write {
  return update(batch, 'SET #status = :failed', { ':failed': 'failed' }, { '#status': 'status' });
}

/** Those of `hashes` that the seller has imported before, into whatever product. */
export async function findKnownCodes(table: Table, sellerId: SellerId, hashes: readonly string[]): Promise<Set<string>> {
  const items = await table.batchGet(hashes.map((hash) => codeKey(sellerId, hash)));
  return new Set(items.map((item) => KnownCode.parse(item).codeHash));
}

/** Records that the seller has the code, for good, sold or not. @throws CodeKnownError when that is recorded already */
export function addKnownCode(batch: CodeBatchRecord, codeHash: string): Write {
  const { sellerId, productId, id } = batch;
  const known: KnownCode = { codeHash, productId, batchId: id };
  return {
    put: { Item: { ...codeKey(sellerId, codeHash), ...known }, ...ifAbsent },
    onConditionFailed: () => new DuplicateCodeError('The code is known.'),
  };
}

/** What was accepted under the same key at the same moment, when that is why a batch could not be created. */
export function concurrentRequestOf(error: unknown): AcceptedRequest | undefined {
  return error instanceof ConditionFailedError ? AcceptedRequest.safeParse(error.old).data : undefined;
}

/** The key of an accepted request, by its idempotency key. */
export const requestKey = (productId: ProductId, idempotencyKey: string) =>
  batchRequestKey(productId, createHash('sha256').update(idempotencyKey).digest('base64url'));
