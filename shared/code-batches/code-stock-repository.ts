/** The unsold imported codes of products. See "Stock" in README.md. */

import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { codeStockKey, codeStockPartitions, codeStockPlace } from '../db/keys.ts';
import { ifAbsent, type Write } from '../db/table.ts';
import { type BatchId, idOf, type ProductId } from '../ids.ts';

/** An unsold imported code as the table holds it. It is there exactly as long as it can be sold. */
const StockedCode = z.object({
  productId: idOf('product'),
  /** The keyed hash of the normalized code. */
  codeHash: z.string(),
  /** The code in its original spelling, encrypted and bound to product and hash. */
  sealedCode: z.string(),
  batchId: idOf('batch'),
});
type StockedCode = z.infer<typeof StockedCode>;

/** Another sale took the drawn code first; draw again. */
export class CodeTakenError extends Error {
  override readonly name = 'CodeTakenError';
}

export interface DrawnCode {
  /** The code as it was imported. Secret: never to be logged or put into an error. */
  code: string;
  /** The import that the code came with. */
  batchId: BatchId;
  /** Takes the code out of stock; a transaction of them fails with CodeTakenError when it is no longer there. */
  writes: Write[];
}

/** The first code after a random place in the partition, so that two sales rarely meet at one code. */
async function pickFrom(c: Needs<'table' | 'randomBytes'>, partition: string): Promise<StockedCode | undefined> {
  const place = codeStockPlace(c.randomBytes(6).toString('base64url'));
  const after = await c.table.query({ partition, after: place, limit: 1 });
  const [found] = after.items.length > 0 ? after.items : (await c.table.query({ partition, limit: 1 })).items;
  return found && StockedCode.parse(found);
}

// One partition at random; only when it is empty, all the others at once.
export async function pick(c: Needs<'table' | 'randomBytes'>, productId: ProductId): Promise<StockedCode | undefined> {
  const partitions = codeStockPartitions(productId);
  const [first = '', ...others] = inRandomOrder(c, partitions);
  return (
    (await pickFrom(c, first)) ?? (await Promise.all(others.map((partition) => pickFrom(c, partition)))).find((code) => code !== undefined)
  );
}

function inRandomOrder(c: Needs<'randomBytes'>, partitions: readonly string[]): string[] {
  const ranks = c.randomBytes(partitions.length);
  return partitions
    .map((partition, index) => ({ partition, rank: ranks[index] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ partition }) => partition);
}

/**
 * An unsold code of the product, chosen at random, with the writes that take it;
 * undefined when none is left. The code is sold by the transaction that holds the
 * writes and by nothing else: each code goes to at most one such transaction.
 */
export async function drawCode(
  c: Needs<'table' | 'ENCRYPTION_KEYS' | 'randomBytes'>,
  productId: ProductId,
): Promise<DrawnCode | undefined> {
  const stocked = await pick(c, productId);
  if (!stocked) return undefined;
  const take: Write = {
    delete: { Key: codeStockKey(productId, stocked.codeHash), ConditionExpression: 'attribute_exists(pk)' },
    onConditionFailed: () => new CodeTakenError('The drawn code was taken by another sale.'),
  };
  return { code: openText(stocked.sealedCode, contextOf(stocked), c.settings.ENCRYPTION_KEYS), batchId: stocked.batchId, writes: [take] };
}

/** Puts a code on sale; part of the import's transaction. Fails when it is on sale already. */
export function stockCode(c: Needs<'ENCRYPTION_KEYS'>, { code, ...rest }: Omit<StockedCode, 'sealedCode'> & { code: string }): Write {
  const stocked: StockedCode = { ...rest, sealedCode: sealText(code, contextOf(rest), c.settings.ENCRYPTION_KEYS) };
  return { put: { Item: { ...codeStockKey(rest.productId, rest.codeHash), ...stocked }, ...ifAbsent } };
}

const contextOf = ({ productId, codeHash }: Pick<StockedCode, 'productId' | 'codeHash'>) => `${productId}/${codeHash}`;
