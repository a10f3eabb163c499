import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { publishRelease } from '../../shared/publishing/publish-release.ts';
import { PublishReleaseRequest } from '../../shared/releases/release-request.ts';
import { Release } from '../../shared/releases/release-view.ts';

export const publishReleaseRoute = endpoint({
  operationId: 'publishRelease',
  method: 'POST',
  path: '/v1/products/{product_id}/releases/{release_id}/publish',
  tag: 'Releases',
  summary: 'Publishes what was approved, or sets to how many devices what is published is offered',
  description:
    'Without `rollout_percent` the first publication is to the share that the draft names, or to all, and a later one leaves the share as it is; 0 pauses the offer. Those who may have the release can download it whatever the share.',
  audience: 'seller',
  tokenScopes: ['releases:publish'],
  bodyKind: 'optional-json',
  body: PublishReleaseRequest,
  success: { status: 200, body: Release },
  errors: [
    'product_not_found',
    'forbidden',
    'release_not_found',
    'seller_not_eligible',
    'product_suspended',
    'stale_revision',
    'release_state_conflict',
    'build_out_of_order',
    'file_state_conflict',
    'file_not_verified',
    'file_not_trusted_clean',
  ],
  handle: ({ body, params, identity }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) =>
    publishRelease(c, identity, params.productId, params.releaseId, body),
});
