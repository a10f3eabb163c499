import { countItems } from '../db/count-items.ts';
import { codeStockPartitions } from '../db/keys.ts';
import type { Table } from '../db/table.ts';
import type { ProductId } from '../ids.ts';

/** How many unsold codes of a product are left. It reads all of them: a request for each 1 MB of a shard. */
export async function countStock(table: Table, productId: ProductId): Promise<number> {
  const counts = await Promise.all(codeStockPartitions(productId).map((partition) => countItems(table, partition)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * How many unsold codes of a product are left, up to `most`: one request where its first shard holds as many, else eight.
 * It opens none, so it needs no encryption key.
 */
export async function countStockUpTo(table: Table, productId: ProductId, most: number): Promise<number> {
  const countIn = async (partition: string) => (await table.query({ partition, limit: most })).items.length;
  const [first = '', ...others] = codeStockPartitions(productId);
  const inFirst = await countIn(first);
  if (inFirst >= most) return most;
  const inOthers = await Promise.all(others.map(countIn));
  return Math.min(
    most,
    inOthers.reduce((sum, count) => sum + count, inFirst),
  );
}

/** Whether an unsold code of a product is left, now. */
export const hasStock = async (table: Table, productId: ProductId): Promise<boolean> => (await countStockUpTo(table, productId, 1)) > 0;
