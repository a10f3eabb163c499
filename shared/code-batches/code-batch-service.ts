import type { Keyring } from '../crypto/keyring.ts';
import type { PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type BatchId, newId, type ProductId } from '../ids.ts';
import type { JobTask } from '../jobs/job.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import { createGetOwnProduct } from '../products/own-product.ts';
import type { ProductRecord } from '../products/product.ts';
import { createProductRepository } from '../products/product-repository.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { requireEligible } from '../sellers/seller.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import type { CodeBatchRecord } from './code-batch.ts';
import { type AcceptedRequest, acceptedMeanwhile, createCodeBatchRepository } from './code-batch-repository.ts';
import { createCodeHashRepository } from './code-hash-repository.ts';
import { codesPerPiece, createCodeUploadRepository } from './code-upload-repository.ts';
import { checkUpload, readCodes } from './read-codes.ts';

export interface ImportRequest {
  idempotencyKey: string;
  /** The bytes of the CSV, in order. */
  file: readonly Uint8Array[];
}

export type CodeBatchService = ReturnType<typeof createCodeBatchService>;

/** What sellers do with the codes of their products. `userId` is the caller. */
export function createCodeBatchService(options: {
  table: Table;
  encryptionKeys: Keyring;
  /** Tells the importer of a committed job. */
  sendJob: (task: JobTask) => Promise<void>;
  /** The normalization of license keys. */
  normalize: (code: string) => string;
  /** How many codes a piece of a stored upload holds: as the importer takes it. */
  pieceSize?: number | undefined;
  now?: (() => Date) | undefined;
}) {
  const { table, encryptionKeys, sendJob, normalize, pieceSize = codesPerPiece, now = () => new Date() } = options;
  const getOwnProduct = createGetOwnProduct({ table });
  const sellers = createSellerRepository({ table, now });
  const products = createProductRepository({ table });
  const batches = createCodeBatchRepository({ table, now });
  const uploads = createCodeUploadRepository({ table, encryptionKeys, now });
  const hashes = createCodeHashRepository({ table, encryptionKeys });
  const jobs = createJobRepository({ table, now });

  return {
    /**
     * Accepts an upload: once this returns, its codes will be imported whatever crashes.
     * The same key with the same bytes gives the same batch. See "Idempotency" in README.md.
     *
     * @throws AppError invalid_csv, too_many_rows, product_not_found, forbidden, seller_not_eligible,
     * product_suspended, wrong_issuance_mode, idempotency_key_reused
     */
    async acceptBatch(userId: string, productId: ProductId, request: ImportRequest): Promise<CodeBatchRecord> {
      const { idempotencyKey, file } = request;
      const summary = await checkUpload(file, normalize);
      const { product, seller } = await getOwnProduct({ userId }, productId);
      requireEligible(seller);
      requireCodesTaken(product);

      const contentHash = (await hashes.hashOfSeller(seller.id))(file);
      const earlier = await batches.findRequest(productId, idempotencyKey);
      if (earlier) return sameBatch(productId, earlier, contentHash);

      const batch: CodeBatchRecord = {
        id: newId('batch', now()),
        productId: product.id,
        sellerId: seller.id,
        status: 'accepted',
        idempotencyKey,
        contentHash,
        ...summary,
        importedCount: 0,
        duplicateCount: 0,
        createdAt: now().toISOString(),
      };
      const task = { kind: 'import-codes' as const, productId, batchId: batch.id };
      const pieces = await storeCodes(batch.id, file);
      try {
        await table.transact([
          ...batches.createBatch(batch),
          sellers.sellerEligible(seller.id),
          products.productTakesCodes(productId),
          jobs.addJob(task),
        ]);
      } catch (error) {
        const meanwhile = acceptedMeanwhile(error);
        // After any other failure the batch may exist, so its pieces must stay; without a batch they expire.
        if (!meanwhile) throw error;
        await Promise.all(Array.from({ length: pieces }, (_, piece) => table.write(uploads.deletePiece(batch.id, piece))));
        return sameBatch(productId, meanwhile, contentHash);
      }
      await sendJob(task);
      return batch;
    },

    /** @throws AppError product_not_found, forbidden, batch_not_found */
    async getBatch(userId: string, productId: ProductId, batchId: BatchId): Promise<CodeBatchRecord> {
      await getOwnProduct({ userId }, productId);
      return batches.getBatch(productId, batchId);
    },

    /** Newest first. @throws AppError product_not_found, forbidden, invalid_request (a bad cursor) */
    async listBatches(userId: string, productId: ProductId, page: PageRequest) {
      await getOwnProduct({ userId }, productId);
      return batches.listBatches(productId, page);
    },
  };

  async function sameBatch(productId: ProductId, earlier: AcceptedRequest, contentHash: string): Promise<CodeBatchRecord> {
    if (earlier.contentHash !== contentHash) throw new AppError('idempotency_key_reused');
    return batches.getBatch(productId, earlier.batchId);
  }

  /** Stored before the batch is, because one transaction could not hold them; without a batch they expire. Returns the number of pieces. */
  async function storeCodes(batchId: BatchId, file: readonly Uint8Array[]): Promise<number> {
    let piece = 0;
    let codes: string[] = [];
    const storePiece = async () => {
      await uploads.storePiece(batchId, piece, codes);
      piece += 1;
      codes = [];
    };
    await readCodes(file, normalize, async (row) => {
      if ('reason' in row) return;
      codes.push(row.code);
      if (codes.length === pieceSize) await storePiece();
    });
    if (codes.length > 0) await storePiece();
    return piece;
  }
}

/** @throws AppError product_suspended, wrong_issuance_mode */
function requireCodesTaken(product: ProductRecord): void {
  requireUnsuspended(product);
  if (product.licenseIssuanceMode !== 'imported_csv') throw new AppError('wrong_issuance_mode');
}
