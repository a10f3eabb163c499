import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { Product } from '../../../shared/products/product.ts';
import { ReviewProductRequest, reviewProduct } from '../../../shared/products/product-review.ts';

export const reviewProductRoute = endpoint({
  operationId: 'reviewProduct',
  method: 'PATCH',
  path: '/v1/admin/products/{product_id}/review',
  tag: 'Admin',
  summary: 'Approves, rejects or suspends a product, or decides on its pending revision',
  description:
    'While the `pending` revision of a product on sale waits for review, approve makes it live at once and reject leaves what is on sale as it is; suspend is always about the product. Approving a suspended product brings back what was on sale when it was suspended; any other becomes a draft. With `expected_revision` the decision counts only for that revision of the product. The same decision again changes nothing.',
  audience: 'admin',
  body: ReviewProductRequest,
  success: { status: 200, body: Product },
  errors: ['product_not_found', 'self_review_forbidden', 'stale_review', 'invalid_state_transition'],
  handle: ({ params, body, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>) =>
    reviewProduct(c, identity, params.productId, body),
});
