import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../../shared/lists.ts';
import { reviewStatuses, Seller } from '../../../shared/sellers/seller.ts';
import { listSellersForReview } from '../../../shared/sellers/seller-reviews.ts';

export const listSellersRoute = endpoint({
  operationId: 'listSellers',
  method: 'GET',
  path: '/v1/admin/sellers',
  tag: 'Admin',
  summary: 'Lists sellers, oldest first',
  description: 'Those that wait for a decision have the `internal_review_status` `pending_review`.',
  audience: 'admin',
  query: z.object({ ...pageQuery, internalReviewStatus: z.optional(z.enum(reviewStatuses)) }),
  success: { status: 200, body: pageOf(Seller) },
  errors: [],
  handle: ({ query }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) => listSellersForReview(c, query),
});
