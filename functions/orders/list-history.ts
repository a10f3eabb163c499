import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { HistoryItem } from '../../shared/order-history/history.ts';
import { listHistory } from '../../shared/order-history/order-history.ts';
import { getOwnOrder } from '../../shared/orders/own-order.ts';

export const listHistoryRoute = endpoint({
  operationId: 'listOrderHistory',
  method: 'GET',
  path: '/v1/orders/{order_id}/history',
  tag: 'Orders',
  summary: 'Lists what happened to one of the caller’s own sales and its license, oldest first',
  description:
    'What was recorded of the order and the license, when it was ordered, paid, refunded and issued, which mails went out or came back, and when devices took and left seats: of a device that took a seat again and again, the first time and the last. Neither the buyer is told, nor what the devices are called, nor the license key, nor who of the admins acted.',
  audience: 'seller',
  tokenScopes: ['orders:read'],
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(HistoryItem) },
  errors: ['order_not_found', 'forbidden'],
  handle: async ({ params, query, identity }, c: Needs<'table'>) => {
    const { order } = await getOwnOrder(c.table, identity, params.orderId);
    return listHistory(c.table, order, identity.userId, query);
  },
});
