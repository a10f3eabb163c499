import * as z from 'zod/mini';
import type { AuditRepository } from '../audit/audit-repository.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import type { GetOwnProduct } from '../products/own-product.ts';
import type { CodeBatchRecord } from './code-batch.ts';
import type { CodeBatchRepository } from './code-batch-repository.ts';

/** What became of the codes that were imported for a product. */
export const CodeStock = z.object({ available: z.int(), sold: z.int(), waitingOrders: z.int() });
export type CodeStock = z.infer<typeof CodeStock>;

const batchesAtATime = 100;

export type CodeStockService = ReturnType<typeof createCodeStockService>;

/** What sellers see of the stock of their products. See "Stock" in README.md */
export function createCodeStockService(options: {
  getOwnProduct: GetOwnProduct;
  batches: Pick<CodeBatchRepository, 'listBatches'>;
  audit: Pick<AuditRepository, 'countAudits'>;
  countStock: (productId: ProductId) => Promise<number>;
  countWaitingOrders: (productId: ProductId) => Promise<number>;
}) {
  const { getOwnProduct, batches, audit, countStock, countWaitingOrders } = options;

  /** The codes of a batch that are or were for sale: those that it imported, without those that were set aside. */
  async function countGood({ id, importedCount }: CodeBatchRecord): Promise<number> {
    if (importedCount === 0) return 0;
    return importedCount - (await audit.countAudits(id, 'code_batch.set_aside_code'));
  }

  async function countAllGood(productId: ProductId): Promise<number> {
    let counted = 0;
    let cursor: string | undefined;
    do {
      const page = await batches.listBatches(productId, { limit: batchesAtATime, cursor });
      const counts = await Promise.all(page.items.map(countGood));
      counted += counts.reduce((sum, count) => sum + count, 0);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return counted;
  }

  return {
    /**
     * Exact while nothing is imported or sold; meanwhile no sale is counted that did not happen.
     *
     * @throws AppError product_not_found, forbidden, wrong_issuance_mode
     */
    async getStock(userId: string, productId: ProductId): Promise<CodeStock> {
      const { product } = await getOwnProduct(userId, productId);
      if (product.licenseIssuanceMode !== 'imported_csv') throw new AppError('wrong_issuance_mode');
      const good = await countAllGood(productId);
      const [available, waitingOrders] = await Promise.all([countStock(productId), countWaitingOrders(productId)]);
      return { available, sold: Math.max(good - available, 0), waitingOrders };
    },
  };
}
