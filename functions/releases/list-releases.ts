import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { listOwnReleases } from '../../shared/publishing/own-releases.ts';
import { ReleaseStatus } from '../../shared/releases/release.ts';
import { Release } from '../../shared/releases/release-view.ts';
import { Channel } from '../../shared/releases/versions/version.ts';

export const listReleasesRoute = endpoint({
  operationId: 'listReleases',
  method: 'GET',
  path: '/v1/products/{product_id}/releases',
  tag: 'Releases',
  summary: 'Lists the releases of an own product, newest first',
  description: 'In every state; `status` and `channel` narrow it. A filtered page may be short and still have a next one.',
  audience: 'seller',
  tokenScopes: ['releases:read'],
  query: z.object({ ...pageQuery, status: z.optional(ReleaseStatus), channel: z.optional(Channel) }),
  success: { status: 200, body: pageOf(Release) },
  errors: ['product_not_found', 'forbidden'],
  handle: ({ query, params, identity }, c: Needs<'table' | 'REVIEW_DUE_HOURS'>) => listOwnReleases(c, identity, params.productId, query),
});
