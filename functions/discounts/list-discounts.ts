import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { Discount } from '../../shared/discounts/discount.ts';
import { listOwnDiscounts } from '../../shared/discounts/discount-service.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';

export const listDiscountsRoute = endpoint({
  operationId: 'listDiscounts',
  method: 'GET',
  path: '/v1/products/{product_id}/discounts',
  tag: 'Discounts',
  summary: 'Lists the discounts of a product, newest first',
  description: 'Those that ended or are used up are among them. `redeemed` may be 10 seconds old.',
  audience: 'seller',
  tokenScopes: ['products:read'],
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(Discount) },
  errors: ['product_not_found', 'forbidden'],
  handle: ({ identity, params, query }, c: Needs<'table'>) => listOwnDiscounts(c.table, identity, params.productId, query),
});
