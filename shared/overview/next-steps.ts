import type { Needs } from '../context.ts';
import { mapInBatches } from '../db/map-in-batches.ts';
import type { Table } from '../db/table.ts';
import { findPaidOrderOfSeller } from '../orders/order-repository.ts';
import type { ProductRecord } from '../products/product.ts';
import { findProductsOfSeller } from '../products/product-repository.ts';
import { type Seller, type SellerRecord, toSeller } from '../sellers/seller.ts';
import { productsAtATime, readCodeCount, readFiles } from './read-products.ts';
import { deliveryState, nextStepsOf, type Task, tasksOf } from './tasks.ts';

export const toOwnSeller = (seller: SellerRecord, tasks: readonly Task[], options: { reviewDueHours: number }): Seller => ({
  ...toSeller(seller, options),
  nextSteps: nextStepsOf(tasks),
});

async function deliveryOf(table: Table, product: ProductRecord) {
  const codes = await readCodeCount(table, product, 1);
  const delivery = codes === undefined ? { files: await readFiles(table, product), hasCode: false } : { files: [], hasCode: codes > 0 };
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
  return toOwnSeller(seller, tasksOf({ seller, products, deliveries, soldProductId }), { reviewDueHours: c.settings.REVIEW_DUE_HOURS });
}
