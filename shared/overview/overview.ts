import type { Needs } from '../context.ts';
import { mapInBatches } from '../db/map-in-batches.ts';
import type { Table } from '../db/table.ts';
import { findHeldOrders } from '../orders/held-order-repository.ts';
import { findPaidOrderOfSeller } from '../orders/order-repository.ts';
import { findFirstPaidAt } from '../orders/waiting-order-repository.ts';
import { findCurrentFiles } from '../product-files/product-file-repository.ts';
import type { ProductRecord } from '../products/product.ts';
import { findProductsOfSeller } from '../products/product-repository.ts';
import { isOnSale } from '../products/product-states.ts';
import { findUnpublished } from '../releases/unpublished-release-repository.ts';
import type { Seller } from '../sellers/seller.ts';
import { findSellerOfUser } from '../sellers/seller-repository.ts';
import { listEndpoints } from '../webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { type Attention, attentionOf, lowStock, maxAttention, type ProductStanding } from './attention.ts';
import { productsAtATime, readCodeCount, toOwnSeller } from './next-steps.ts';
import { type Task, tasksOf } from './tasks.ts';

export interface Overview {
  seller?: Seller;
  tasks: Task[];
  attention: Attention[];
}

async function standingOf(table: Table, product: ProductRecord): Promise<ProductStanding> {
  const [files, ordersWaitSince] = await Promise.all([
    findCurrentFiles(table, product.id),
    product.licenseIssuanceMode === 'imported_csv' ? findFirstPaidAt(table, product.id) : undefined,
  ]);
  // Seven requests of a product at once are enough.
  const codesLeft = await readCodeCount(table, product, isOnSale(product) ? lowStock : 1);
  return { product, files, codesLeft, ordersWaitSince };
}

/** How far a user has come with selling, and what needs them. See "Access patterns" in README.md */
export async function getOverview(c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>, userId: string): Promise<Overview> {
  const seller = await findSellerOfUser(c.table, userId);
  if (!seller) return { tasks: tasksOf({ seller, products: [], deliveries: new Map(), soldProductId: undefined }), attention: [] };
  const [products, sold, endpoints, heldOrders] = await Promise.all([
    findProductsOfSeller(c.table, seller.id),
    findPaidOrderOfSeller(c.table, seller.id),
    listEndpoints(c.table, seller.id),
    findHeldOrders(c.table, seller.id, maxAttention),
  ]);
  const [stands, releases] = await Promise.all([
    mapInBatches(products, productsAtATime, (product) => standingOf(c.table, product)),
    findUnpublished(
      c.table,
      products.map(({ id }) => id),
    ),
  ]);
  const deliveries = new Map(stands.map(({ product, files, codesLeft = 0 }) => [product.id, { files, hasCode: codesLeft > 0 }]));
  const tasks = tasksOf({ seller, products, deliveries, soldProductId: sold?.productId });
  return {
    seller: toOwnSeller(c, seller, tasks),
    tasks,
    attention: attentionOf({ seller, products: stands, releases, endpoints, heldOrders }, c.now()),
  };
}
