import { lookAtATime } from '../db/at-a-time.ts';
import type { Table } from '../db/table.ts';
import { createOrderRepository } from '../orders/order-repository.ts';
import type { ProductRecord } from '../products/product.ts';
import { createProductRepository } from '../products/product-repository.ts';
import { type Seller, type SellerRecord, toSeller } from '../sellers/seller.ts';
import { createReadOfProduct, productsAtATime } from './read-products.ts';
import { deliveryState, nextStepsOf, type Task, tasksOf } from './tasks.ts';

/** A seller as its owner sees it: with what is the owner's to do next. See "Tasks" in README.md */
export type ShowOwnSeller = (seller: SellerRecord) => Promise<Seller>;

export const toOwnSeller = (seller: SellerRecord, tasks: readonly Task[], shown: { reviewDueHours: number }): Seller => ({
  ...toSeller(seller, shown),
  nextSteps: nextStepsOf(tasks),
});

export function createShowOwnSeller({ table, reviewDueHours }: { table: Table; reviewDueHours: number }): ShowOwnSeller {
  const { findProductsOfSeller } = createProductRepository({ table });
  const { findFiles, countCodes } = createReadOfProduct({ table });
  const orders = createOrderRepository({ table });

  async function deliveryOf(product: ProductRecord) {
    const codes = await countCodes(product, 1);
    const delivery = codes === undefined ? { files: await findFiles(product), hasCode: false } : { files: [], hasCode: codes > 0 };
    return { product, delivery, state: deliveryState(product, delivery) };
  }

  return async (seller) => {
    const products = await findProductsOfSeller(seller.id);
    // Once one can be delivered, the others change no next step.
    const found = await lookAtATime(products, productsAtATime, deliveryOf, ({ state }) => state === 'done');
    const isDone = found.some(({ state }) => state === 'done');
    const soldProductId = isDone || products.length === 0 ? undefined : (await orders.findPaidOrderOfSeller(seller.id))?.productId;
    const deliveries = new Map(found.map(({ product, delivery }) => [product.id, delivery]));
    return toOwnSeller(seller, tasksOf({ seller, products, deliveries, soldProductId }), { reviewDueHours });
  };
}
