import { endpoint } from '../../shared/http/endpoint.ts';
import type { ReleaseService } from '../../shared/publishing/release-service.ts';
import { Release } from '../../shared/releases/shown-release.ts';

export const getRelease = endpoint({
  operationId: 'getRelease',
  method: 'GET',
  path: '/v1/products/{product_id}/releases/{release_id}',
  tag: 'Releases',
  summary: 'Shows a release of an own product',
  description: 'With its files as they are now.',
  audience: 'seller',
  tokenScope: 'releases:read',
  success: { status: 200, body: Release },
  errors: ['product_not_found', 'forbidden', 'release_not_found'],
  handle: ({ params, identity }, { releases }: { releases: ReleaseService }) =>
    releases.getRelease(identity, params.productId, params.releaseId),
});
