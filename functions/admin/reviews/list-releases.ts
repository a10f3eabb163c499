import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { looseIdOf } from '../../../shared/ids.ts';
import { pageOf, pageQuery } from '../../../shared/lists.ts';
import { listReleasesForReview } from '../../../shared/publishing/release-reviews.ts';
import { ReleaseStatus } from '../../../shared/releases/release.ts';
import { ReleaseAdmin } from '../../../shared/releases/release-view.ts';

export const listReleasesRoute = endpoint({
  operationId: 'listReleasesForReview',
  method: 'GET',
  path: '/v1/admin/releases',
  tag: 'Admin',
  summary: 'Lists releases in the order in which they were handed in',
  description: 'Those that wait for review, unless `status` asks for others. A filtered page may be short and still have a next one.',
  audience: 'admin',
  query: z.object({
    ...pageQuery,
    status: z.optional(ReleaseStatus),
    productId: z.optional(looseIdOf('product')),
    sellerId: z.optional(looseIdOf('seller')),
  }),
  success: { status: 200, body: pageOf(ReleaseAdmin) },
  errors: [],
  handle: ({ query }, c: Needs<'table' | 'REVIEW_DUE_HOURS'>) => listReleasesForReview(c, query),
});
