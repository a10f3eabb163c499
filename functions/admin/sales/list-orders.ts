import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { looseIdOf } from '../../../shared/ids.ts';
import { pageOf, pageQuery } from '../../../shared/lists.ts';
import { OrderSummary } from '../../../shared/order-search/order-summary.ts';
import { summarizeOrders } from '../../../shared/order-search/summarize-orders.ts';
import { orderKinds } from '../../../shared/orders/order.ts';
import { listOrders } from '../../../shared/orders/order-repository.ts';
import { OrderStatus } from '../../../shared/payments/payment-facts.ts';

export const listOrdersRoute = endpoint({
  operationId: 'listAllOrders',
  method: 'GET',
  path: '/v1/admin/orders',
  tag: 'Admin',
  summary: 'Lists orders, newest first',
  description: 'Neither buyers nor license keys are shown.',
  audience: 'admin',
  query: z.object({
    ...pageQuery,
    status: z.optional(OrderStatus),
    sellerId: z.optional(looseIdOf('seller')),
    kind: z.optional(z.enum(orderKinds)),
    discountId: z.optional(looseIdOf('discount')),
  }),
  success: { status: 200, body: pageOf(OrderSummary) },
  errors: [],
  handle: async ({ query }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>) => {
    const page = await listOrders(c.table, query);
    return { ...page, items: await summarizeOrders(c, page.items) };
  },
});
