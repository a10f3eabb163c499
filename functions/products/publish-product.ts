import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Product } from '../../shared/products/product.ts';
import { publishProduct } from '../../shared/products/product-service.ts';

export const publishProductRoute = endpoint({
  operationId: 'publishProduct',
  method: 'POST',
  path: '/v1/products/{product_id}/publish',
  tag: 'Products',
  summary: 'Takes an own product off sale',
  description:
    '`publish: false` makes it a draft, with the values of its pending revision, save that a suspended product stays suspended. `publish: true` is refused: a review publishes.',
  audience: 'seller',
  tokenScopes: ['products:write'],
  body: z.object({ publish: z.boolean() }),
  success: { status: 200, body: Product },
  errors: ['product_not_found', 'forbidden', 'seller_not_eligible', 'publish_forbidden'],
  handle: ({ params, body, identity }, c: Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>) =>
    publishProduct(c, identity, params.productId, body.publish),
});
