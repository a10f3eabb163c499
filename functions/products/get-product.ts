import { endpoint } from '../../shared/http/endpoint.ts';
import { Product } from '../../shared/products/product.ts';
import type { ProductServices } from './routes.ts';

export const getProduct = endpoint({
  operationId: 'getProduct',
  method: 'GET',
  path: '/v1/products/{product_id}',
  tag: 'Products',
  summary: 'Shows an own product, in whatever state it is',
  description: 'The owner’s view, in every state of the product.',
  audience: 'seller',
  success: { status: 200, body: Product },
  errors: ['product_not_found', 'forbidden'],
  handle: ({ params, identity }, { products }: ProductServices) => products.getProduct(identity.userId, params.productId),
});
