import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { pageOf } from '../../../shared/lists.ts';
import { OrderSearchRequest, searchOrders } from '../../../shared/order-search/order-search.ts';
import { OrderSummary } from '../../../shared/order-search/order-summary.ts';

export const searchOrdersRoute = endpoint({
  operationId: 'searchAllOrders',
  method: 'POST',
  path: '/v1/admin/orders/search',
  tag: 'Admin',
  summary: 'Finds orders of all sellers by license key, buyer’s address or order id',
  description:
    'By exactly one of them, whole; a key that was replaced leads to the order too, and with the order of a license what was added to it is found, at most 100, paid ones first. A key is looked for in each product, some thousands a page: a page may be empty and still have a next one. At most 30 searches a minute and user; each is recorded without what was asked for.',
  audience: 'admin',
  rateLimit: 'search',
  body: OrderSearchRequest,
  success: { status: 200, body: pageOf(OrderSummary) },
  errors: [],
  handle: ({ body, identity }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>) =>
    searchOrders(c, identity, undefined, body),
});
