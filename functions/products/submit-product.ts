import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Product, SubmitProductRequest } from '../../shared/products/product.ts';
import { submitProduct } from '../../shared/products/product-service.ts';

export const submitProductRoute = endpoint({
  operationId: 'submitProduct',
  method: 'POST',
  path: '/v1/products/{product_id}/submit-review',
  tag: 'Products',
  summary: 'Hands an own product, or its pending revision, in for review',
  description:
    'A product that is draft or rejected, or such a pending revision of a product on sale. The reason of a rejection is cleared. What waits already is left as it is. A body is read where it is JSON; with `expected_revision`, a product that changed since is not handed in.',
  audience: 'seller',
  tokenScopes: ['products:write'],
  bodyKind: 'json-if-sent',
  body: SubmitProductRequest,
  success: { status: 200, body: Product },
  errors: [
    'product_not_found',
    'forbidden',
    'seller_not_eligible',
    'product_suspended',
    { code: 'stale_revision', status: 400 },
    'invalid_state_transition',
  ],
  handle: ({ params, body, identity }, c: Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>) =>
    submitProduct(c, identity, params.productId, body),
});
