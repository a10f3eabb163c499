import * as z from 'zod/mini';
import { createAuditRepository } from '../audit/audit-repository.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import { createGetOwnProduct } from '../products/own-product.ts';
import type { CodeBatchRecord } from './code-batch.ts';
import { createCodeBatchRepository } from './code-batch-repository.ts';
import { createCountStock } from './code-stock-repository.ts';

/** What became of the codes that were imported for a product. */
export const CodeStock = z.object({ available: z.int(), sold: z.int(), waitingOrders: z.int() });
export type CodeStock = z.infer<typeof CodeStock>;

const batchesAtATime = 25;

type Import = Pick<CodeBatchRecord, 'id' | 'importedCount'>;

export type CodeStockService = ReturnType<typeof createCodeStockService>;

/** What sellers see of the stock of their products. See "Stock" in README.md */
export function createCodeStockService(options: {
  table: Table;
  /** How many paid orders of a product wait for a code. */
  countWaitingOrders: (productId: ProductId) => Promise<number>;
}) {
  const { table, countWaitingOrders } = options;
  const getOwnProduct = createGetOwnProduct({ table });
  const batches = createCodeBatchRepository({ table });
  const audit = createAuditRepository({ table });
  const countStock = createCountStock({ table });

  async function findImports(productId: ProductId): Promise<Import[]> {
    const found: Import[] = [];
    let cursor: string | undefined;
    do {
      const page = await batches.listBatches(productId, { limit: 100, cursor });
      found.push(...page.items.filter(({ importedCount }) => importedCount > 0).map(({ id, importedCount }) => ({ id, importedCount })));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  }

  async function countSetAside(imports: readonly Import[]): Promise<number> {
    let counted = 0;
    for (let at = 0; at < imports.length; at += batchesAtATime) {
      const some = imports.slice(at, at + batchesAtATime);
      counted += sum(await Promise.all(some.map(({ id }) => audit.countAudits(id, 'code_batch.set_aside_code'))));
    }
    return counted;
  }

  return {
    /**
     * Exact while nothing is imported or sold; meanwhile no sale is counted that did not happen.
     *
     * @throws AppError product_not_found, forbidden, wrong_issuance_mode
     */
    async getStock(userId: string, productId: ProductId): Promise<CodeStock> {
      const { product } = await getOwnProduct({ userId }, productId);
      if (product.licenseIssuanceMode !== 'imported_csv') throw new AppError('wrong_issuance_mode');
      // In this order what changes in between makes fewer sales of it, and never more.
      const imports = await findImports(productId);
      const [available, waitingOrders] = await Promise.all([countStock(productId), countWaitingOrders(productId)]);
      const setAside = await countSetAside(imports);
      const imported = sum(imports.map(({ importedCount }) => importedCount));
      return { available, sold: Math.max(imported - available - setAside, 0), waitingOrders };
    },
  };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
