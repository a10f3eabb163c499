import * as z from 'zod/mini';
import { requireProduct } from '../../shared/audit/caller.ts';
import type { Needs } from '../../shared/context.ts';
import { emptyPage } from '../../shared/db/sharded-list.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { looseIdOf } from '../../shared/ids.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { OrderSummary } from '../../shared/order-search/order-summary.ts';
import { summarizeOrders } from '../../shared/order-search/summarize-orders.ts';
import { orderKinds } from '../../shared/orders/order.ts';
import { listOrdersOfSeller } from '../../shared/orders/order-repository.ts';
import { OrderStatus } from '../../shared/payments/payment-facts.ts';
import { findSellerOfUser } from '../../shared/sellers/seller-repository.ts';

export const listOrdersRoute = endpoint({
  operationId: 'listOrders',
  method: 'GET',
  path: '/v1/orders',
  tag: 'Orders',
  summary: "Lists the caller's own sales, newest first",
  description:
    'With the license of each, its hint and its status; neither buyers nor license keys are shown. An API token for some products names one of them as `product_id`.',
  audience: 'seller',
  tokenScopes: ['orders:read'],
  query: z.object({
    ...pageQuery,
    productId: z.optional(looseIdOf('product')),
    status: z.optional(OrderStatus),
    kind: z.optional(z.enum(orderKinds)),
    discountId: z.optional(looseIdOf('discount')),
  }),
  success: { status: 200, body: pageOf(OrderSummary) },
  errors: [],
  handle: async ({ query, identity }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>) => {
    requireProduct(identity, query.productId);
    const seller = await findSellerOfUser(c.table, identity.userId);
    if (!seller) return emptyPage(query);
    const page = await listOrdersOfSeller(c.table, seller.id, query);
    return { ...page, items: await summarizeOrders(c, page.items) };
  },
});
