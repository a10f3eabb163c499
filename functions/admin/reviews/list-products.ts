import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { looseIdOf } from '../../../shared/ids.ts';
import { pageOf, pageQuery } from '../../../shared/lists.ts';
import { Product, productReviewStatuses, productStatuses } from '../../../shared/products/product.ts';
import { listProductsForReview } from '../../../shared/products/product-review.ts';
import { nonBlankText } from '../../../shared/schemas.ts';

export const listProductsRoute = endpoint({
  operationId: 'listProductsForReview',
  method: 'GET',
  path: '/v1/admin/products',
  tag: 'Admin',
  summary: 'Lists products, oldest first',
  description:
    'With `review_status=pending_review` those that wait for a decision: the products, and the products on sale whose `pending` revision does. With `slug` the one product that has it, had it, or waits for it.',
  audience: 'admin',
  query: z.object({
    ...pageQuery,
    status: z.optional(z.enum(productStatuses)),
    reviewStatus: z.optional(z.enum(productReviewStatuses)),
    sellerId: z.optional(looseIdOf('seller')),
    slug: z.optional(nonBlankText(500)),
  }),
  success: { status: 200, body: pageOf(Product) },
  errors: [],
  handle: ({ query }, c: Needs<'table' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>) => listProductsForReview(c, query),
});
