import { randomBytes } from 'node:crypto';
import { compose as composeCodeBatches } from '../../../functions/code-batches/compose.ts';
import { settingNames as codeBatchSettings } from '../../../functions/code-batches/declaration.ts';
import { compose as composeImporter } from '../../../functions/code-importer/compose.ts';
import { settingNames as importerSettings } from '../../../functions/code-importer/declaration.ts';
import { importCodes } from '../../../functions/code-importer/import-codes.ts';
import { acceptBatch } from '../../../shared/code-batches/code-batch-service.ts';
import { drawCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { SettingName } from '../../../shared/config.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { BatchId, ProductId } from '../../../shared/ids.ts';
import type { Job, JobTask } from '../../../shared/jobs/job.ts';
import { leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { addSeller, recordReview } from '../../../shared/sellers/seller-repository.ts';
import { jobContextOf } from '../../../shared/start.ts';
import { sampleProduct } from './sample-product.ts';
import { sampleSeller } from './sample-seller.ts';
import { sampleSettings } from './sample-settings.ts';

/** Everything of code batches over one table, with the sellers alice and bob. */
export async function setUpCodeBatches(table: Table, changes: Partial<Record<SettingName, string>> = {}, pieceSize?: number) {
  const settings = sampleSettings([...codeBatchSettings, ...importerSettings], changes);
  const sent: string[] = [];
  const logged: string[] = [];
  const sendJob = async (task: JobTask) => void sent.push(jobId(task));
  const clients = { settings, table, sender: { sendJob, sendJobOrFail: sendJob }, logger: createLogger({}, (line) => logged.push(line)) };
  const c = jobContextOf(clients);

  const sellerOf = {
    alice: sampleSeller({ ownerUserId: 'alice', internalReviewStatus: 'approved' }),
    bob: sampleSeller({ ownerUserId: 'bob', internalReviewStatus: 'approved' }),
  };
  await table.transact(Object.values(sellerOf).flatMap((seller) => addSeller(seller)));

  /** The batch's job, leased as a worker does it. */
  async function leaseImport({ productId, id }: { productId: ProductId; id: BatchId }): Promise<Job<'import-codes'>> {
    const job = await leaseJob(c, jobId({ kind: 'import-codes', productId, batchId: id }), 900);
    if (!job) throw new Error('The job is not there to be leased.');
    return job as Job<'import-codes'>;
  }

  return {
    c,
    table,
    settings,
    sent,
    logged,
    /** The endpoints of sellers, and the worker behind the queue of imports. */
    handler: composeCodeBatches(clients),
    work: composeImporter(clients),
    importCodes: (job: Job<'import-codes'>) => importCodes(c, job, pieceSize),
    leaseImport,

    async suspendSeller(userId: keyof typeof sellerOf): Promise<void> {
      await table.write(recordReview(c, sellerOf[userId], { status: 'suspended' }));
    },

    async addProduct(userId: keyof typeof sellerOf = 'alice', changes: Partial<ProductRecord> = {}): Promise<ProductId> {
      const product = sampleProduct({
        sellerId: sellerOf[userId].id,
        status: 'approved',
        licenseIssuanceMode: 'imported_csv',
        ...changes,
      });
      await table.transact(addProduct(product));
      return product.id;
    },

    /** Accepts a CSV with these lines under the header `code`. */
    accept: (productId: ProductId, codes: readonly string[], idempotencyKey = randomBytes(8).toString('hex'), userId = 'alice') =>
      acceptBatch(c, { userId }, productId, { idempotencyKey, file: [Buffer.from(`code\n${codes.join('\n')}\n`)] }, pieceSize),

    /** Runs the worker once on the batch, as a leased job. */
    async runImport(batch: { productId: ProductId; id: BatchId }): Promise<void> {
      await importCodes(c, await leaseImport(batch), pieceSize);
    },

    /** Sells every code of a product, one after the other. */
    async sellAll(productId: ProductId): Promise<string[]> {
      const sold: string[] = [];
      for (let drawn = await drawCode(c, productId); drawn; drawn = await drawCode(c, productId)) {
        await table.transact(drawn.writes);
        sold.push(drawn.code);
      }
      return sold.sort();
    },
  };
}
