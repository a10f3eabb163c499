import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { CodeBatchRecord } from '../../../../shared/code-batches/code-batch.ts';
import { codeStockPartitions } from '../../../../shared/db/keys.ts';
import type { Item } from '../../../../shared/db/table.ts';
import { type Id, idOf } from '../../../../shared/ids.ts';
import { itemKindOf } from './rules.ts';
import type { TableReader } from './table-reader.ts';

type ProductId = Id<'product'>;

/** How many codes of a product are known as imported, are unsold, are the key of a license, or were set aside. */
interface Codes {
  known: number;
  stock: number;
  sold: number;
  setAside: number;
}

const OfBatch = z.object({ productId: idOf('product'), batchId: idOf('batch') });
const SoldCode = z.object({ productId: idOf('product'), licenseIssuanceMode: z.literal('imported_csv'), movedTo: z.optional(z.never()) });
const SetAside = z.object({ action: z.literal('code_batch.set_aside_code'), after: z.object({ productId: idOf('product') }) });

/**
 * Counts imported codes: each is in stock, sold or set aside, and an import that is complete has as many as it says.
 * No key leads from a license to its code, so what has to agree is the counts. Holds four numbers for each product
 * with codes, and one for each import.
 */
export function createCodeTally() {
  const products = new Map<ProductId, Codes>();
  const knownOfBatch = new Map<string, number>();
  const completed = new Map<string, { imported: number; completedAt: string }>();

  function count(productId: ProductId, what: keyof Codes): void {
    const codes = products.get(productId) ?? { known: 0, stock: 0, sold: 0, setAside: 0 };
    codes[what] += 1;
    products.set(productId, codes);
  }

  return {
    add(item: Item): void {
      const kind = itemKindOf(item)?.name;
      const ofBatch = kind === 'codeKey' || kind === 'codeStockKey' ? OfBatch.safeParse(item).data : undefined;
      if (ofBatch) count(ofBatch.productId, kind === 'codeKey' ? 'known' : 'stock');
      if (ofBatch && kind === 'codeKey') knownOfBatch.set(ofBatch.batchId, (knownOfBatch.get(ofBatch.batchId) ?? 0) + 1);
      const sold = kind === 'licenseKey' ? SoldCode.safeParse(item).data : undefined;
      if (sold) count(sold.productId, 'sold');
      const aside = kind === 'auditKey' ? SetAside.safeParse(item).data : undefined;
      if (aside) count(aside.after.productId, 'setAside');
      const batch = kind === 'batchKey' ? CodeBatchRecord.safeParse(item).data : undefined;
      if (batch?.completedAt !== undefined) completed.set(batch.id, { imported: batch.importedCount, completedAt: batch.completedAt });
    },

    /** The products whose counts do not agree. */
    disagreeing: (): ProductId[] =>
      [...products].filter(([, { known, stock, sold, setAside }]) => known !== stock + sold + setAside).map(([productId]) => productId),

    tell(productId: ProductId): string {
      const { known, stock, sold, setAside } = products.get(productId) ?? { known: 0, stock: 0, sold: 0, setAside: 0 };
      return `codes: ${productId} has ${known} imported codes, of which ${stock} are in stock, ${sold} sold and ${setAside} set aside`;
    },

    /** Of the imports that were complete before the count began, which nothing changes any more. */
    batchFaults(begunAt: string): string[] {
      return [...completed]
        .filter(([id, { imported, completedAt }]) => completedAt < begunAt && (knownOfBatch.get(id) ?? 0) !== imported)
        .map(([id, { imported }]) => `codes: ${id} imported ${imported} codes, of which ${knownOfBatch.get(id) ?? 0} are known`);
    },
  };
}
export type CodeTally = ReturnType<typeof createCodeTally>;

/** A digest of what is in stock of the products: each sale and import changes it, and none brings it back. */
export async function digestStock(productIds: readonly ProductId[], reader: TableReader): Promise<Map<ProductId, string>> {
  const digests = new Map<ProductId, string>();
  for (const productId of productIds) {
    const hash = createHash('sha256');
    for (const pk of codeStockPartitions(productId)) {
      for (const { sk } of await reader.now.query({ pk, prefix: '' })) hash.update(`${sk}\n`);
    }
    digests.set(productId, hash.digest('hex'));
  }
  return digests;
}
