import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { addArtifacts } from '../../shared/publishing/add-artifacts.ts';
import { AddArtifactsRequest } from '../../shared/releases/release-request.ts';
import { Release } from '../../shared/releases/release-view.ts';

export const addArtifactsRoute = endpoint({
  operationId: 'addArtifacts',
  method: 'POST',
  path: '/v1/products/{product_id}/releases/{release_id}/artifacts',
  tag: 'Releases',
  summary: 'Adds artifacts to a draft',
  description:
    'Each takes the place of the draft’s one with the same platform, arch, kind and file name, letters of either case alike; the rest stays. The jobs of a build may send theirs side by side, and none is lost; the last step hands the draft in. Again it changes nothing.',
  audience: 'seller',
  tokenScopes: ['releases:write'],
  body: AddArtifactsRequest,
  success: { status: 200, body: Release },
  errors: [
    'product_not_found',
    'forbidden',
    'release_not_found',
    'seller_not_eligible',
    'product_suspended',
    'stale_revision',
    'release_state_conflict',
    'file_not_found',
    'file_in_use',
  ],
  handle: ({ body, params, identity }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) =>
    addArtifacts(c, identity, params.productId, params.releaseId, body),
});
