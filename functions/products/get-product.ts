import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Product } from '../../shared/products/product.ts';
import { showOwnProduct } from '../../shared/products/product-service.ts';

export const getProductRoute = endpoint({
  operationId: 'getProduct',
  method: 'GET',
  path: '/v1/products/{product_id}',
  tag: 'Products',
  summary: 'Shows an own product, in whatever state it is',
  description: 'The owner’s view, in every state of the product.',
  audience: 'seller',
  tokenScopes: ['products:read'],
  success: { status: 200, body: Product },
  errors: ['product_not_found', 'forbidden'],
  handle: ({ params, identity }, c: Needs<'table' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>) =>
    showOwnProduct(c, identity, params.productId),
});
