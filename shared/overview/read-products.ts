import { createCountStockUpTo } from '../code-batches/code-stock-repository.ts';
import type { Table } from '../db/table.ts';
import { createProductFileRepository } from '../product-files/product-file-repository.ts';
import type { ProductRecord } from '../products/product.ts';

/** So many products are looked into at once. */
export const productsAtATime = 10;

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
