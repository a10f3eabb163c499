import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Keyring } from '../crypto/keyring.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { countItems } from '../db/count-items.ts';
import { codeStockKey, codeStockPartitions, codeStockPlace } from '../db/keys.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
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

/** Another sale took the drawn code first: draw again. */
export class CodeTakenError extends Error {
  constructor() {
    super('The drawn code was taken by another sale.');
    this.name = 'CodeTakenError';
  }
}

export interface DrawnCode {
  /** The code as it was imported. Secret: never to be logged or put into an error. */
  code: string;
  /** The import that the code came with. */
  batchId: BatchId;
  /** Takes the code out of stock; a transaction of them fails with CodeTakenError when it is no longer there. */
  writes: Write[];
}

type Random = (size: number) => Buffer;

/** Finds an unsold code of a product, chosen at random; undefined when none is left. */
function createPick({ table, random = randomBytes }: { table: Table; random?: Random }) {
  /** The first code after a random place in the partition, so that two sales rarely meet at one code. */
  async function pickFrom(partition: string): Promise<StockedCode | undefined> {
    const place = codeStockPlace(random(6).toString('base64url'));
    const after = await table.query({ partition, after: place, limit: 1 });
    const [found] = after.items.length > 0 ? after.items : (await table.query({ partition, limit: 1 })).items;
    return found && StockedCode.parse(found);
  }

  // One partition at random; only when it is empty, all the others at once.
  async function pick(productId: ProductId): Promise<StockedCode | undefined> {
    const partitions = codeStockPartitions(productId);
    const [first = '', ...others] = inRandomOrder(partitions);
    return (await pickFrom(first)) ?? (await Promise.all(others.map(pickFrom))).find((code) => code !== undefined);
  }

  function inRandomOrder(partitions: readonly string[]): string[] {
    const ranks = random(partitions.length);
    return partitions
      .map((partition, index) => ({ partition, rank: ranks[index] ?? 0 }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ partition }) => partition);
  }

  return pick;
}

/** How many unsold codes of a product are left. It reads all of them: a request for each 1 MB of a shard. */
export function createCountStock({ table }: { table: Table }): (productId: ProductId) => Promise<number> {
  return async (productId) => {
    const counts = await Promise.all(codeStockPartitions(productId).map((partition) => countItems(table, partition)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
}

/**
 * How many unsold codes of a product are left, up to `most`: one request where its first shard holds as many, else eight.
 * It opens none, so it needs no encryption key.
 */
export function createCountStockUpTo({ table }: { table: Table }): (productId: ProductId, most: number) => Promise<number> {
  return async (productId, most) => {
    const countIn = async (partition: string) => (await table.query({ partition, limit: most })).items.length;
    const [first = '', ...others] = codeStockPartitions(productId);
    const inFirst = await countIn(first);
    if (inFirst >= most) return most;
    const inOthers = await Promise.all(others.map(countIn));
    return Math.min(
      most,
      inOthers.reduce((sum, count) => sum + count, inFirst),
    );
  };
}

/** Whether an unsold code of a product is left, now. */
export function createHasStock({ table }: { table: Table }): (productId: ProductId) => Promise<boolean> {
  const countStockUpTo = createCountStockUpTo({ table });
  return async (productId) => (await countStockUpTo(productId, 1)) > 0;
}

export type CodeStockRepository = ReturnType<typeof createCodeStockRepository>;

/** The unsold imported codes of products. See "Stock" in README.md. */
export function createCodeStockRepository(options: { table: Table; encryptionKeys: Keyring; random?: Random }) {
  const { encryptionKeys } = options;
  const pick = createPick(options);

  return {
    /**
     * An unsold code of the product, chosen at random, with the writes that take it;
     * undefined when none is left. The code is sold by the transaction that holds the
     * writes and by nothing else: each code goes to at most one such transaction.
     */
    async drawCode(productId: ProductId): Promise<DrawnCode | undefined> {
      const stocked = await pick(productId);
      if (!stocked) return undefined;
      const take: Write = {
        delete: { Key: codeStockKey(productId, stocked.codeHash), ConditionExpression: 'attribute_exists(pk)' },
        onConditionFailed: () => new CodeTakenError(),
      };
      return { code: openText(stocked.sealedCode, contextOf(stocked), encryptionKeys), batchId: stocked.batchId, writes: [take] };
    },

    hasStock: createHasStock(options),

    /** Puts a code on sale; part of the import's transaction. Fails when it is on sale already. */
    stockCode({ code, ...rest }: Omit<StockedCode, 'sealedCode'> & { code: string }): Write {
      const stocked: StockedCode = { ...rest, sealedCode: sealText(code, contextOf(rest), encryptionKeys) };
      return { put: { Item: { ...codeStockKey(rest.productId, rest.codeHash), ...stocked }, ...ifAbsent } };
    },
  };
}

const contextOf = ({ productId, codeHash }: Pick<StockedCode, 'productId' | 'codeHash'>) => `${productId}/${codeHash}`;
