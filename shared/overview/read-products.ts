import { createCountStockUpTo } from '../code-batches/code-stock-repository.ts';
import type { Table } from '../db/table.ts';
import { createProductFileRepository } from '../product-files/product-file-repository.ts';
import type { ProductRecord } from '../products/product.ts';

/** So many products are looked into at once. */
const atATime = 10;

/** What there is of a product. */
export function createReadOfProduct({ table }: { table: Table }) {
  const { findStandingFiles } = createProductFileRepository({ table });
  const countStockUpTo = createCountStockUpTo({ table });
  return {
    findFiles: ({ id }: ProductRecord) => findStandingFiles(id),
    /** Up to `most`; undefined where it sells no imported codes. */
    countCodes: async ({ id, licenseIssuanceMode }: ProductRecord, most: number) =>
      licenseIssuanceMode === 'imported_csv' ? countStockUpTo(id, most) : undefined,
  };
}

/** What `look` finds of each product, in their order, ten at a time; after ten of which `isEnough` holds for any, of no more. */
export async function lookInto<Found>(
  products: readonly ProductRecord[],
  look: (product: ProductRecord) => Promise<Found>,
  isEnough: (found: Found) => boolean = () => false,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < products.length; at += atATime) {
    const some = await Promise.all(products.slice(at, at + atATime).map(look));
    found.push(...some);
    if (some.some(isEnough)) break;
  }
  return found;
}
