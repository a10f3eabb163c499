import { endpoint } from '../../shared/http/endpoint.ts';
import { Product } from '../../shared/products/product.ts';
import type { ProductService } from '../../shared/products/product-service.ts';

export const submitProduct = endpoint({
  operationId: 'submitProduct',
  method: 'POST',
  path: '/v1/products/{product_id}/submit-review',
  tag: 'Products',
  summary: 'Hands an own draft or rejected product in for review',
  description: 'From draft or rejected, whose reason is cleared. While the product waits already nothing changes.',
  audience: 'seller',
  success: { status: 200, body: Product },
  errors: ['product_not_found', 'forbidden', 'seller_not_eligible', 'product_suspended', 'invalid_state_transition'],
  handle: ({ params, identity }, { products }: { products: ProductService }) => products.submitProduct(identity.userId, params.productId),
});
