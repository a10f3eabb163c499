import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { ReviewReleaseRequest, reviewRelease } from '../../../shared/publishing/release-reviews.ts';
import { Release } from '../../../shared/releases/release-view.ts';

export const reviewReleaseRoute = endpoint({
  operationId: 'reviewRelease',
  method: 'PATCH',
  path: '/v1/admin/products/{product_id}/releases/{release_id}/review',
  tag: 'Admin',
  summary: 'Decides on a release, and on its files with it',
  description:
    '`approve` approves every file too, or nothing at all where one is unverified or untrusted; a release that asked for it is published at once. `reject` makes it a draft again and needs a reason; `yank` takes a published one back for good and needs one too. No decision changes the product.',
  audience: 'admin',
  body: ReviewReleaseRequest,
  success: { status: 200, body: Release },
  errors: [
    'self_review_forbidden',
    'stale_review',
    'product_not_found',
    'release_not_found',
    'product_suspended',
    'release_state_conflict',
    'file_state_conflict',
    'file_not_verified',
    'file_not_trusted_clean',
    'build_out_of_order',
  ],
  handle: ({ body, params, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'DISCARD_AFTER_HOURS' | 'REVIEW_DUE_HOURS'>) =>
    reviewRelease(c, identity, params.productId, params.releaseId, body),
});
