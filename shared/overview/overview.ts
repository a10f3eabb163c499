import { lookAtATime } from '../db/at-a-time.ts';
import type { Table } from '../db/table.ts';
import { createOrderRepository } from '../orders/order-repository.ts';
import { createWaitingOrderRepository } from '../orders/waiting-order-repository.ts';
import type { ProductRecord } from '../products/product.ts';
import { createProductRepository } from '../products/product-repository.ts';
import { isOnSale } from '../products/product-states.ts';
import { createUnpublishedReleaseRepository } from '../releases/unpublished-release-repository.ts';
import type { Seller } from '../sellers/seller.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import { createWebhookEndpointRepository } from '../webhook-endpoints/webhook-endpoint-repository.ts';
import { type Attention, attentionOf, fewCodes, type Stand } from './attention.ts';
import { toOwnSeller } from './next-steps.ts';
import { createReadOfProduct, productsAtATime } from './read-products.ts';
import { type Task, tasksOf } from './tasks.ts';

export interface Overview {
  seller?: Seller;
  tasks: Task[];
  attention: Attention[];
}

/** How far a user has come with selling, and what needs them. See "Access patterns" in README.md */
export type GetOverview = (userId: string) => Promise<Overview>;

export function createGetOverview(options: { table: Table; reviewDueHours: number; now?: (() => Date) | undefined }): GetOverview {
  const { table, reviewDueHours, now = () => new Date() } = options;
  const sellers = createSellerRepository({ table });
  const { findProductsOfSeller } = createProductRepository({ table });
  const { findFiles, countCodes } = createReadOfProduct({ table });
  const { findFirstPaidAt } = createWaitingOrderRepository({ table });
  const { findUnpublished } = createUnpublishedReleaseRepository({ table });
  const { listEndpoints } = createWebhookEndpointRepository({ table });
  const { findPaidOrderOfSeller } = createOrderRepository({ table });

  async function standOf(product: ProductRecord): Promise<Stand> {
    const [files, ordersWaitSince] = await Promise.all([
      findFiles(product),
      product.licenseIssuanceMode === 'imported_csv' ? findFirstPaidAt(product.id) : undefined,
    ]);
    // Seven requests of a product at once are enough.
    const codesLeft = await countCodes(product, isOnSale(product) ? fewCodes : 1);
    return { product, files, codesLeft, ordersWaitSince };
  }

  return async (userId) => {
    const seller = await sellers.findSellerOfUser(userId);
    if (!seller) return { tasks: tasksOf({ seller, products: [], deliveries: new Map(), soldProductId: undefined }), attention: [] };
    const [products, sold, endpoints] = await Promise.all([
      findProductsOfSeller(seller.id),
      findPaidOrderOfSeller(seller.id),
      listEndpoints(seller.id),
    ]);
    const [stands, releases] = await Promise.all([
      lookAtATime(products, productsAtATime, standOf),
      findUnpublished(products.map(({ id }) => id)),
    ]);
    const deliveries = new Map(stands.map(({ product, files, codesLeft = 0 }) => [product.id, { files, hasCode: codesLeft > 0 }]));
    const tasks = tasksOf({ seller, products, deliveries, soldProductId: sold?.productId });
    return {
      seller: toOwnSeller(seller, tasks, { reviewDueHours }),
      tasks,
      attention: attentionOf({ seller, stands, releases, endpoints }, now()),
    };
  };
}
