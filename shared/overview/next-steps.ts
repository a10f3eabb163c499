import type { Needs } from '../context.ts';
import { mapInBatches } from '../db/map-in-batches.ts';
import type { Table } from '../db/table.ts';
import { findPaidOrderOfSeller } from '../orders/order-repository.ts';
import { findCurrentFiles } from '../product-files/product-file-repository.ts';
import { countStockUpTo } from '../products/code-stock.ts';
import type { ProductRecord } from '../products/product.ts';
import { findProductsOfSeller } from '../products/product-repository.ts';
import { type Seller, type SellerRecord, toSeller } from '../sellers/seller.ts';
import { deliveryState, nextStepsOf, type Task, tasksOf } from './tasks.ts';

/** So many products are looked into at once. */
export const productsAtATime = 10;

/** Up to `max`; undefined where it sells no imported codes. */
export const readCodeCount = async (table: Table, { id, licenseIssuanceMode }: ProductRecord, max: number) =>
  licenseIssuanceMode === 'imported_csv' ? countStockUpTo(table, id, max) : undefined;

export const toOwnSeller = (c: Needs<'REVIEW_DUE_HOURS'>, seller: SellerRecord, tasks: readonly Task[]): Seller => ({
  ...toSeller(c, seller),
  nextSteps: nextStepsOf(tasks),
});

async function deliveryOf(table: Table, product: ProductRecord) {
  const codes = await readCodeCount(table, product, 1);
  const files = codes === undefined ? await findCurrentFiles(table, product.id) : [];
  const delivery = { files, hasCode: codes !== undefined && codes > 0 };
  return { product, delivery, state: deliveryState(product, delivery) };
}

/** A seller as its owner sees it: with what is the owner's to do next. See "Tasks" in README.md */
export async function showOwnSeller(c: Needs<'table' | 'REVIEW_DUE_HOURS'>, seller: SellerRecord): Promise<Seller> {
  const products = await findProductsOfSeller(c.table, seller.id);
  // Once one can be delivered, the others change no next step.
  const found = await mapInBatches(
    products,
    productsAtATime,
    (product) => deliveryOf(c.table, product),
    ({ state }) => state === 'done',
  );
  const isDone = found.some(({ state }) => state === 'done');
  const soldProductId = isDone || products.length === 0 ? undefined : (await findPaidOrderOfSeller(c.table, seller.id))?.productId;
  const deliveries = new Map(found.map(({ product, delivery }) => [product.id, delivery]));
  return toOwnSeller(c, seller, tasksOf({ seller, products, deliveries, soldProductId }));
}
