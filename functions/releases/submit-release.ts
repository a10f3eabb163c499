import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { submitRelease } from '../../shared/publishing/submit-release.ts';
import { expectedRevision } from '../../shared/releases/release-request.ts';
import { Release } from '../../shared/releases/release-view.ts';

export const SubmitReleaseRequest = z.object({ expectedRevision });

export const submitReleaseRoute = endpoint({
  operationId: 'submitRelease',
  method: 'POST',
  path: '/v1/products/{product_id}/releases/{release_id}/submit',
  tag: 'Releases',
  summary: 'Hands a draft in for review',
  description:
    'A release that lacks something is `release_incomplete`, and the message names all of it, by artifact and field. Once it is handed in nothing changes it but the review, or its withdrawal. Again it changes nothing.',
  audience: 'seller',
  tokenScopes: ['releases:write'],
  bodyKind: 'optional-json',
  body: SubmitReleaseRequest,
  success: { status: 200, body: Release },
  errors: [
    'product_not_found',
    'forbidden',
    'release_not_found',
    'seller_not_eligible',
    'product_suspended',
    'stale_revision',
    'release_state_conflict',
    'release_incomplete',
    'build_out_of_order',
    'file_name_taken',
  ],
  handle: ({ body, params, identity }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) =>
    submitRelease(c, identity, params.productId, params.releaseId, body),
});
