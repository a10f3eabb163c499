import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Product, productRequests, UpdateProductRequest } from '../../shared/products/product.ts';
import { updateProduct } from '../../shared/products/product-service.ts';

type UpdateNeeds = Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS' | 'CURRENCIES'>;

export const updateProductRoute = endpoint({
  operationId: 'updateProduct',
  method: 'PATCH',
  path: '/v1/products/{product_id}',
  tag: 'Products',
  summary: 'Changes an own product',
  description:
    'A product on sale stays on sale as it is: the change waits in `pending`, and goes live when it is handed in and approved. Any other product is a draft again. Required fields must be there; optional ones left out keep their value, the pending one if there is one. What differs in nothing from what is on sale leaves nothing pending. A new name reserves a further slug at once, and leads to the product once it is live; the old ones still do, save those of a product that was never approved, which are free again. With `expected_revision`, a product that changed since is left as it is: `stale_revision`.',
  audience: 'seller',
  tokenScopes: ['products:write'],
  body: UpdateProductRequest,
  bodyFor: ({ settings }: UpdateNeeds) => productRequests(settings.CURRENCIES).update,
  success: { status: 200, body: Product },
  errors: [
    'product_not_found',
    'forbidden',
    'seller_not_eligible',
    'product_suspended',
    'stale_revision',
    'too_many_slugs',
    'slug_reserved',
  ],
  handle: ({ params, body, identity }, c: UpdateNeeds) => updateProduct(c, identity, params.productId, body),
});
