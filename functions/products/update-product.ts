import { endpoint } from '../../shared/http/endpoint.ts';
import { Product, ProductUpsertRequest, type productUpsertRequest } from '../../shared/products/product.ts';
import type { ProductService } from '../../shared/products/product-service.ts';

interface Services {
  products: ProductService;
  /** ProductUpsertRequest with the currencies of the settings. */
  upsertRequest: ReturnType<typeof productUpsertRequest>;
}

export const updateProduct = endpoint({
  operationId: 'updateProduct',
  method: 'PATCH',
  path: '/v1/products/{product_id}',
  tag: 'Products',
  summary: 'Changes an own product',
  description:
    'Any real change makes it a draft again; what differs in nothing leaves its state. Required fields must be there; optional ones left out keep their value. A new name reserves a further slug, and the old ones still lead to the product.',
  audience: 'seller',
  body: ProductUpsertRequest,
  bodyFor: ({ upsertRequest }: Services) => upsertRequest,
  success: { status: 200, body: Product },
  errors: ['product_not_found', 'forbidden', 'seller_not_eligible', 'product_suspended', 'too_many_slugs', 'slug_reserved'],
  handle: ({ params, body, identity }, { products }: Services) => products.updateProduct(identity.userId, params.productId, body),
});
