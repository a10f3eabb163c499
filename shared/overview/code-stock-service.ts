/** What sellers see of the stock of their products. See "Stock" in shared/code-batches/README.md */

import * as z from 'zod/mini';
import { countAudits } from '../audit/audit-repository.ts';
import type { Caller } from '../audit/caller.ts';
import type { CodeBatchRecord } from '../code-batches/code-batch.ts';
import { listBatches } from '../code-batches/code-batch-repository.ts';
import { mapInBatches } from '../db/map-in-batches.ts';
import { pagesOf } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import { countWaitingOrders } from '../orders/waiting-order-repository.ts';
import { countStock } from '../products/code-stock.ts';
import { getOwnProduct } from '../products/own-product.ts';

/** What became of the codes that were imported for a product. */
export const CodeStock = z.object({ available: z.int(), sold: z.int(), waitingOrders: z.int() });

export type CodeStock = z.infer<typeof CodeStock>;

const batchesAtATime = 25;

type Import = Pick<CodeBatchRecord, 'id' | 'importedCount'>;

async function findImports(table: Table, productId: ProductId): Promise<Import[]> {
  const found: Import[] = [];
  for await (const batches of pagesOf((page) => listBatches(table, productId, page))) {
    found.push(...batches.filter(({ importedCount }) => importedCount > 0).map(({ id, importedCount }) => ({ id, importedCount })));
  }
  return found;
}

const countSetAside = async (table: Table, imports: readonly Import[]) =>
  sum(await mapInBatches(imports, batchesAtATime, ({ id }) => countAudits(table, id, 'code_batch.set_aside_code')));

/**
 * Exact while nothing is imported or sold; meanwhile no sale is counted that did not happen.
 *
 * @throws AppError product_not_found, forbidden, wrong_issuance_mode
 */
export async function getStock(table: Table, caller: Caller, productId: ProductId): Promise<CodeStock> {
  const { product } = await getOwnProduct(table, caller, productId);
  if (product.licenseIssuanceMode !== 'imported_csv') throw new AppError('wrong_issuance_mode');
  // In this order what changes in between makes fewer sales of it, and never more.
  const imports = await findImports(table, productId);
  const [available, waitingOrders] = await Promise.all([countStock(table, productId), countWaitingOrders(table, productId)]);
  const setAside = await countSetAside(table, imports);
  const imported = sum(imports.map(({ importedCount }) => importedCount));
  return { available, sold: Math.max(imported - available - setAside, 0), waitingOrders };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
