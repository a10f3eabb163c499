import { createHasStock } from '../code-batches/code-stock-repository.ts';
import type { Table } from '../db/table.ts';
import type { ProductId } from '../ids.ts';
import { createOrderRepository } from '../orders/order-repository.ts';
import { createProductFileRepository } from '../product-files/product-file-repository.ts';
import type { ProductRecord } from '../products/product.ts';
import { createProductRepository } from '../products/product-repository.ts';
import { type Seller, type SellerRecord, toSeller } from '../sellers/seller.ts';
import { type Delivery, deliveryState, nextStepsOf } from './tasks.ts';

/** So many products are looked into at once. */
const atATime = 10;

/** A seller as its owner sees it: with what is the owner's to do next. See "Tasks" in README.md */
export type ShowOwnSeller = (seller: SellerRecord) => Promise<Seller>;

export function createShowOwnSeller({ table, reviewDueHours }: { table: Table; reviewDueHours: number }): ShowOwnSeller {
  const products = createProductRepository({ table });
  const files = createProductFileRepository({ table });
  const orders = createOrderRepository({ table });
  const hasStock = createHasStock({ table });

  async function deliveryOf({ id, licenseIssuanceMode }: ProductRecord): Promise<Delivery> {
    if (licenseIssuanceMode === 'imported_csv') return { files: [], hasCode: await hasStock(id) };
    return { files: await files.findFilesOfProduct(id), hasCode: false };
  }

  /** Product after product, until one can be delivered: the others change no next step then. */
  async function findDeliveries(all: readonly ProductRecord[]): Promise<{ deliveries: Map<ProductId, Delivery>; isDone: boolean }> {
    const deliveries = new Map<ProductId, Delivery>();
    for (let at = 0; at < all.length; at += atATime) {
      const some = await Promise.all(
        all.slice(at, at + atATime).map(async (product) => ({ product, delivery: await deliveryOf(product) })),
      );
      for (const { product, delivery } of some) deliveries.set(product.id, delivery);
      if (some.some(({ product, delivery }) => deliveryState(product, delivery) === 'done')) return { deliveries, isDone: true };
    }
    return { deliveries, isDone: false };
  }

  return async (seller) => {
    const { items } = await products.listProductsOfSeller(seller.id, { limit: 100, newestFirst: false });
    const { deliveries, isDone } = await findDeliveries(items);
    const soldProductId = isDone || items.length === 0 ? undefined : (await orders.findPaidOrderOfSeller(seller.id))?.productId;
    return { ...toSeller(seller, { reviewDueHours }), nextSteps: nextStepsOf({ seller, products: items, deliveries, soldProductId }) };
  };
}
