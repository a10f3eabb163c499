import { endpoint } from '../../shared/http/endpoint.ts';
import { Product } from '../../shared/products/product.ts';
import type { ProductService } from '../../shared/products/product-service.ts';

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
  handle: ({ params, identity }, { products }: { products: ProductService }) => products.getProduct(identity.userId, params.productId),
});
