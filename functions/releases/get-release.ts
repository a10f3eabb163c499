import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { getOwnRelease } from '../../shared/publishing/own-releases.ts';
import { Release } from '../../shared/releases/release-view.ts';

export const getReleaseRoute = endpoint({
  operationId: 'getRelease',
  method: 'GET',
  path: '/v1/products/{product_id}/releases/{release_id}',
  tag: 'Releases',
  summary: 'Shows a release of an own product',
  description: 'With its files as they are now.',
  audience: 'seller',
  tokenScopes: ['releases:read'],
  success: { status: 200, body: Release },
  errors: ['product_not_found', 'forbidden', 'release_not_found'],
  handle: ({ params, identity }, c: Needs<'table' | 'REVIEW_DUE_HOURS'>) => getOwnRelease(c, identity, params.productId, params.releaseId),
});
