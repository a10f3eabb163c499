import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { getProductForReview, ProductUnderReview } from '../../../shared/review-queue/review-queue.ts';

export const getProductRoute = endpoint({
  operationId: 'getProductForReview',
  method: 'GET',
  path: '/v1/admin/products/{product_id}',
  tag: 'Admin',
  summary: 'Reads a product with all that a decision about it wants to know',
  description:
    'With its seller, its 100 newest files in every state, and what was last approved or rejected of it: the seller’s fields as they were decided on then. Decisions of before this was kept are not shown.',
  audience: 'admin',
  success: { status: 200, body: ProductUnderReview },
  errors: ['product_not_found'],
  handle: ({ params, identity }, c: Needs<'table' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>) =>
    getProductForReview(c, identity, params.productId),
});
