import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { getSellerForReview, SellerUnderReview } from '../../../shared/review-queue/review-queue.ts';

export const getSellerRoute = endpoint({
  operationId: 'getSeller',
  method: 'GET',
  path: '/v1/admin/sellers/{seller_id}',
  tag: 'Admin',
  summary: 'Reads a seller',
  description: 'With whether it is the caller’s own, who may then not decide on it.',
  audience: 'admin',
  success: { status: 200, body: SellerUnderReview },
  errors: ['seller_not_found'],
  handle: ({ params, identity }, c: Needs<'table' | 'REVIEW_DUE_HOURS'>) => getSellerForReview(c, identity, params.sellerId),
});
