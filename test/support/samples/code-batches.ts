import { randomBytes } from 'node:crypto';
import { createImportCodes } from '../../../functions/code-importer/import-codes.ts';
import { createCodeBatchRepository } from '../../../shared/code-batches/code-batch-repository.ts';
import { createCodeBatchService } from '../../../shared/code-batches/code-batch-service.ts';
import { createCodeHashRepository } from '../../../shared/code-batches/code-hash-repository.ts';
import { createCodeStockRepository } from '../../../shared/code-batches/code-stock-repository.ts';
import { createCodeUploadRepository } from '../../../shared/code-batches/code-upload-repository.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import type { Table } from '../../../shared/db/table.ts';
import { jobId } from '../../../shared/jobs/job.ts';
import { createJobRepository } from '../../../shared/jobs/job-repository.ts';
import { normalizeLicenseKey } from '../../../shared/licenses/license-key.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { createProductRepository } from '../../../shared/products/product-repository.ts';
import { createSellerRepository } from '../../../shared/sellers/seller-repository.ts';
import { sampleProduct } from './sample-product.ts';
import { sampleSeller } from './sample-seller.ts';

/** Everything of code batches over one table, with the sellers alice and bob. */
export async function setUpCodeBatches(table: Table) {
  const encryptionKeys = Keyring.parse(`1:${randomBytes(32).toString('base64')}`);
  const sent: string[] = [];
  const sendJob = async (kind: string, ref: string) => {
    sent.push(`${kind}:${ref}`);
  };
  const sellers = createSellerRepository({ table });
  const products = createProductRepository({ table });
  const jobs = createJobRepository({ table });
  const stores = { table, encryptionKeys };
  const batches = createCodeBatchRepository({ table });
  const uploads = createCodeUploadRepository(stores);
  const hashes = createCodeHashRepository(stores);
  const stock = createCodeStockRepository(stores);
  const normalize = normalizeLicenseKey;
  const codeBatches = createCodeBatchService({ table, sellers, products, batches, uploads, hashes, jobs, sendJob, normalize });
  const importCodes = createImportCodes({ table, batches, uploads, hashes, stock, jobs, sendJob, normalize });

  const sellerOf = {
    alice: sampleSeller({ ownerUserId: 'alice', internalReviewStatus: 'approved' }),
    bob: sampleSeller({ ownerUserId: 'bob', internalReviewStatus: 'approved' }),
  };
  await table.transact(Object.values(sellerOf).flatMap((seller) => sellers.createSeller(seller)));

  return {
    sent,
    batches,
    uploads,
    stock,
    jobs,
    codeBatches,
    importCodes,

    async suspendSeller(userId: keyof typeof sellerOf): Promise<void> {
      await table.write(sellers.recordReview(sellerOf[userId], { status: 'suspended' }));
    },

    async addProduct(userId: keyof typeof sellerOf = 'alice', changes: Partial<ProductRecord> = {}): Promise<string> {
      const product = sampleProduct({
        sellerId: sellerOf[userId].id,
        status: 'approved',
        licenseIssuanceMode: 'imported_csv',
        ...changes,
      });
      await table.transact(products.createProduct(product));
      return product.id;
    },

    /** Accepts a CSV with these lines under the header `code`. */
    accept: (productId: string, codes: readonly string[], idempotencyKey = randomBytes(8).toString('hex'), userId = 'alice') =>
      codeBatches.acceptBatch({ userId, productId, idempotencyKey, file: [Buffer.from(`code\n${codes.join('\n')}\n`)] }),

    /** Runs the worker once on the batch, as a leased job. */
    async runImport({ productId, id }: { productId: string; id: string }): Promise<void> {
      const job = await jobs.leaseJob(jobId('import-codes', `${productId}/${id}`), 900);
      if (!job) throw new Error('The job is not there to be leased.');
      await importCodes(job);
    },

    /** Sells every code of a product, one after the other. */
    async sellAll(productId: string): Promise<string[]> {
      const sold: string[] = [];
      for (let drawn = await stock.drawCode(productId); drawn; drawn = await stock.drawCode(productId)) {
        await table.transact(drawn.writes);
        sold.push(drawn.code);
      }
      return sold.sort();
    },
  };
}
