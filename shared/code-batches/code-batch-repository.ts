import { createHash } from 'node:crypto';
import { batchesOfProduct, batchKey, batchRequestKey, codeKey } from '../db/keys.ts';
import { listOfPartition, type Page, type PageRequest } from '../db/sharded-list.ts';
import { ConditionFailedError, type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { isId } from '../ids.ts';
import { LeaseLostError } from '../jobs/job-repository.ts';
import { CodeBatchRecord } from './code-batch.ts';

/** A request to import that was accepted before under the same idempotency key. */
export interface AcceptedRequest {
  batchId: string;
  contentHash: string;
}

/** One of the codes is in another product or batch of the seller by now. */
export class CodeKnownError extends Error {}

export type CodeBatchRepository = ReturnType<typeof createCodeBatchRepository>;

export function createCodeBatchRepository({ table, now = () => new Date() }: { table: Table; now?: () => Date }) {
  async function findBatch(productId: string, batchId: string): Promise<CodeBatchRecord | undefined> {
    if (!isId('product', productId) || !isId('batch', batchId)) return undefined;
    const item = await table.get(batchKey(productId, batchId));
    return item && CodeBatchRecord.parse(item);
  }

  /** Changes a batch that stands exactly where this copy of it does; else ConditionFailedError. */
  const update = (batch: CodeBatchRecord, expression: string, values: Record<string, unknown>, names?: Record<string, string>): Write => ({
    update: {
      Key: batchKey(batch.productId, batch.id),
      UpdateExpression: expression,
      ConditionExpression: 'importedCount = :wasImported AND duplicateCount = :wasDuplicate',
      ExpressionAttributeValues: { ...values, ':wasImported': batch.importedCount, ':wasDuplicate': batch.duplicateCount },
      ExpressionAttributeNames: names,
    },
  });

  return {
    findBatch,

    async getBatch(productId: string, batchId: string): Promise<CodeBatchRecord> {
      const batch = await findBatch(productId, batchId);
      if (!batch) throw new AppError('batch_not_found');
      return batch;
    },

    /** Newest first. */
    async listBatches(productId: string, request: PageRequest): Promise<Page<CodeBatchRecord>> {
      const { items, nextCursor } = await listOfPartition(table, `batches-of-${productId}`, batchesOfProduct(productId), {
        ...request,
        newestFirst: true,
      });
      return { items: items.map((item) => CodeBatchRecord.parse(item)), nextCursor };
    },

    async findRequest(productId: string, idempotencyKey: string): Promise<AcceptedRequest | undefined> {
      const item = await table.get(requestKey(productId, idempotencyKey));
      return item && acceptedRequest(item);
    },

    /** A new batch and the idempotency key it answers to; ConditionFailedError when the key was used a moment before. */
    createBatch(batch: CodeBatchRecord): Write[] {
      const { productId, id, idempotencyKey, contentHash } = batch;
      return [
        { put: { Item: { ...requestKey(productId, idempotencyKey), batchId: id, contentHash }, ...ifAbsent } },
        { put: { Item: { ...batchKey(productId, id), ...batch }, ...ifAbsent } },
      ];
    },

    /** @throws LeaseLostError when another worker completed the import. */
    startImport(batch: CodeBatchRecord): Write {
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
    },

    /** Counts codes as dealt with; part of the transaction that deals with them. */
    countCodes(batch: CodeBatchRecord, counts: { imported: number; duplicate: number }): Write {
      return update(batch, 'ADD importedCount :imported, duplicateCount :duplicate', {
        ':imported': counts.imported,
        ':duplicate': counts.duplicate,
      });
    },

    completeImport(batch: CodeBatchRecord): Write {
      const values = { ':completed': 'completed', ':now': now().toISOString() };
      return update(batch, 'SET #status = :completed, completedAt = :now', values, { '#status': 'status' });
    },

    failImport(batch: CodeBatchRecord): Write {
      return update(batch, 'SET #status = :failed', { ':failed': 'failed' }, { '#status': 'status' });
    },

    /** Those of `hashes` (at most 100) that the seller has imported before, into whatever product. */
    async findKnownCodes(sellerId: string, hashes: readonly string[]): Promise<Set<string>> {
      const items = await table.batchGet(hashes.map((hash) => codeKey(sellerId, hash)));
      return new Set(items.map((item) => String(item['codeHash'])));
    },

    /** Makes the code the seller's for ever, sold or not; CodeKnownError when it is already. */
    addKnownCode(batch: CodeBatchRecord, codeHash: string): Write {
      const { sellerId, productId, id } = batch;
      return {
        put: { Item: { ...codeKey(sellerId, codeHash), codeHash, productId, batchId: id }, ...ifAbsent },
        onConditionFailed: () => new CodeKnownError('The code is known.'),
      };
    },
  };
}

/** What was accepted under the same key a moment before, when that is why a batch could not be created. */
export function acceptedMeanwhile(error: unknown): AcceptedRequest | undefined {
  return error instanceof ConditionFailedError && error.old?.['batchId'] !== undefined ? acceptedRequest(error.old) : undefined;
}

const acceptedRequest = (item: Item): AcceptedRequest => ({ batchId: String(item['batchId']), contentHash: String(item['contentHash']) });

const requestKey = (productId: string, idempotencyKey: string) =>
  batchRequestKey(productId, createHash('sha256').update(idempotencyKey).digest('base64url'));
