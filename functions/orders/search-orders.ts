import type { Needs } from '../../shared/context.ts';
import { emptyPage } from '../../shared/db/sharded-list.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf } from '../../shared/lists.ts';
import { OrderSearchRequest, searchOrders } from '../../shared/order-search/order-search.ts';
import { OrderSummary } from '../../shared/order-search/order-summary.ts';
import { findSellerOfUser } from '../../shared/sellers/seller-repository.ts';

export const searchOrdersRoute = endpoint({
  operationId: 'searchOrders',
  method: 'POST',
  path: '/v1/orders/search',
  tag: 'Orders',
  summary: 'Finds the caller’s own sales by license key, buyer’s address or order id',
  description:
    'By exactly one of them, whole; a key that was replaced leads to the order too, and with the order of a license what was added to it is found, at most 100, paid ones first. What is not found is an empty list. At most 30 searches a minute and user; each is recorded without what was asked for.',
  audience: 'seller',
  tokenScopes: ['orders:read'],
  rateLimit: 'search',
  body: OrderSearchRequest,
  success: { status: 200, body: pageOf(OrderSummary) },
  errors: [],
  handle: async ({ body, identity }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>) => {
    const seller = await findSellerOfUser(c.table, identity.userId);
    return seller ? searchOrders(c, identity, seller.id, body) : emptyPage({ limit: 1, cursor: body.cursor });
  },
});
