import type { PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { JobRepository } from '../jobs/job-repository.ts';
import type { Product } from '../products/product.ts';
import type { ProductRepository } from '../products/product-repository.ts';
import { notEligible, type Seller } from '../sellers/seller.ts';
import type { SellerRepository } from '../sellers/seller-repository.ts';
import type { CodeBatchRecord } from './code-batch.ts';
import { type AcceptedRequest, acceptedMeanwhile, type CodeBatchRepository } from './code-batch-repository.ts';
import type { CodeHashRepository } from './code-hash-repository.ts';
import { type CodeUploadRepository, codesPerPiece } from './code-upload-repository.ts';
import { checkUpload, readCodes } from './read-codes.ts';

export interface ImportRequest {
  userId: string;
  productId: string;
  idempotencyKey: string;
  /** The bytes of the CSV, in order. */
  file: readonly Uint8Array[];
}

export type CodeBatchService = ReturnType<typeof createCodeBatchService>;

export function createCodeBatchService(options: {
  table: Table;
  sellers: Pick<SellerRepository, 'findSellerOfUser' | 'sellerEligible'>;
  products: Pick<ProductRepository, 'getProduct' | 'productTakesCodes'>;
  batches: CodeBatchRepository;
  uploads: CodeUploadRepository;
  hashes: CodeHashRepository;
  jobs: JobRepository;
  sendJob: (kind: 'import-codes', ref: string) => Promise<void>;
  /** The normalization of license keys. */
  normalize: (code: string) => string;
  now?: () => Date;
}) {
  const { table, sellers, products, batches, uploads, hashes, jobs, sendJob, normalize, now = () => new Date() } = options;

  async function getOwn(userId: string, productId: string) {
    const [product, seller] = await Promise.all([products.getProduct(productId), sellers.findSellerOfUser(userId)]);
    if (product.sellerId !== seller?.id) throw new AppError('forbidden', 'The product is another seller’s.');
    return { product, seller };
  }

  return {
    /**
     * Takes an upload over: once this returns, its codes will be imported whatever crashes.
     * The same key with the same bytes gives the same batch. Source: decisions.md §11.
     *
     * @throws AppError invalid_csv, too_many_rows, product_not_found, forbidden, seller_not_eligible,
     * product_suspended, wrong_issuance_mode, idempotency_key_reused
     */
    async acceptBatch(request: ImportRequest): Promise<CodeBatchRecord> {
      const { userId, productId, idempotencyKey, file } = request;
      const summary = await checkUpload(file, normalize);
      const { product, seller } = await getOwn(userId, productId);
      requireImport(product, seller);

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
      const ref = `${productId}/${batch.id}`;
      const pieces = await storeCodes(batch.id, file);
      try {
        await table.transact([
          ...batches.createBatch(batch),
          sellers.sellerEligible(seller.id),
          products.productTakesCodes(productId),
          jobs.addJob('import-codes', ref),
        ]);
      } catch (error) {
        const meanwhile = acceptedMeanwhile(error);
        // Of another failure it is not known whether the batch was made; what it left then goes by itself.
        if (!meanwhile) throw error;
        await Promise.all(Array.from({ length: pieces }, (_, piece) => table.write(uploads.deletePiece(batch.id, piece))));
        return sameBatch(productId, meanwhile, contentHash);
      }
      await sendJob('import-codes', ref);
      return batch;
    },

    /** @throws AppError product_not_found, forbidden, batch_not_found */
    async getBatch(userId: string, productId: string, batchId: string): Promise<CodeBatchRecord> {
      await getOwn(userId, productId);
      return batches.getBatch(productId, batchId);
    },

    /** Newest first. @throws AppError product_not_found, forbidden, invalid_request (a bad cursor) */
    async listBatches(userId: string, productId: string, page: PageRequest) {
      await getOwn(userId, productId);
      return batches.listBatches(productId, page);
    },
  };

  async function sameBatch(productId: string, earlier: AcceptedRequest, contentHash: string): Promise<CodeBatchRecord> {
    if (earlier.contentHash !== contentHash) throw new AppError('idempotency_key_reused');
    return batches.getBatch(productId, earlier.batchId);
  }

  /** Stored before the batch is, because a transaction could not hold them; without a batch they go by themselves. Returns the number of pieces. */
  async function storeCodes(batchId: string, file: readonly Uint8Array[]): Promise<number> {
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
      if (codes.length === codesPerPiece) await storePiece();
    });
    if (codes.length > 0) await storePiece();
    return piece;
  }
}

function requireImport(product: Product, seller: Pick<Seller, 'internalReviewStatus'>): void {
  if (notEligible.includes(seller.internalReviewStatus)) throw new AppError('seller_not_eligible');
  if (product.status === 'suspended') throw new AppError('product_suspended');
  if (product.licenseIssuanceMode !== 'imported_csv') throw new AppError('wrong_issuance_mode');
}
