import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { withdrawRelease } from '../../shared/publishing/withdraw-release.ts';
import { expectedRevision } from '../../shared/releases/release-request.ts';
import { Release } from '../../shared/releases/release-view.ts';

export const WithdrawReleaseRequest = z.object({ expectedRevision });

export const withdrawReleaseRoute = endpoint({
  operationId: 'withdrawRelease',
  method: 'POST',
  path: '/v1/products/{product_id}/releases/{release_id}/withdraw',
  tag: 'Releases',
  summary: 'Takes a release that is not published back to be a draft',
  description: 'Again it changes nothing. A body is read where it is JSON.',
  audience: 'seller',
  tokenScopes: ['releases:write'],
  bodyKind: 'json-if-sent',
  body: WithdrawReleaseRequest,
  success: { status: 200, body: Release },
  errors: ['product_not_found', 'forbidden', 'release_not_found', 'seller_not_eligible', 'stale_revision', 'release_state_conflict'],
  handle: ({ body, params, identity }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) =>
    withdrawRelease(c, identity, params.productId, params.releaseId, body),
});
