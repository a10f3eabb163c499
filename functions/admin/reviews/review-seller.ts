import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { ReviewSellerRequest, Seller } from '../../../shared/sellers/seller.ts';
import { reviewSeller } from '../../../shared/sellers/seller-reviews.ts';

export const reviewSellerRoute = endpoint({
  operationId: 'reviewSeller',
  method: 'PATCH',
  path: '/v1/admin/sellers/{seller_id}/review',
  tag: 'Admin',
  summary: 'Decides on a seller',
  description: 'With `expected_revision`, only when the seller is as it was when it was looked at.',
  audience: 'admin',
  body: ReviewSellerRequest,
  success: { status: 200, body: Seller },
  errors: ['seller_not_found', 'self_review_forbidden', 'stale_review', 'invalid_state_transition'],
  handle: ({ params, body, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'REVIEW_DUE_HOURS'>) =>
    reviewSeller(c, identity, params.sellerId, body),
});
