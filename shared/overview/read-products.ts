/** What there is of a product. */

import type { Table } from '../db/table.ts';
import { findCurrentFiles } from '../product-files/product-file-repository.ts';
import { countStockUpTo } from '../products/code-stock.ts';
import type { ProductRecord } from '../products/product.ts';

/** So many products are looked into at once. */
export const productsAtATime = 10;

export const readFiles = (table: Table, { id }: ProductRecord) => findCurrentFiles(table, id);
/** Up to `most`; undefined where it sells no imported codes. */
export const readCodeCount = async (table: Table, { id, licenseIssuanceMode }: ProductRecord, max: number) =>
  licenseIssuanceMode === 'imported_csv' ? countStockUpTo(table, id, max) : undefined;
