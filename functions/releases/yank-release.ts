import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { yankRelease } from '../../shared/publishing/yank-release.ts';
import { yankReason } from '../../shared/releases/release-request.ts';
import { Release } from '../../shared/releases/release-view.ts';

export const YankReleaseRequest = z.object({ reason: yankReason });

export const yankReleaseRoute = endpoint({
  operationId: 'yankRelease',
  method: 'POST',
  path: '/v1/products/{product_id}/releases/{release_id}/yank',
  tag: 'Releases',
  summary: 'Takes a published release back for good',
  description:
    'No feed offers it any more, and its files are withdrawn. An app that runs it is told so by its next check. Its version, builds and names stay taken. Again it changes nothing.',
  audience: 'seller',
  tokenScopes: ['releases:publish'],
  body: YankReleaseRequest,
  success: { status: 200, body: Release },
  errors: ['product_not_found', 'forbidden', 'release_not_found', 'seller_not_eligible', 'release_state_conflict'],
  handle: ({ body, params, identity }, c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS' | 'REVIEW_DUE_HOURS'>) =>
    yankRelease(c, identity, params.productId, params.releaseId, body.reason),
});
