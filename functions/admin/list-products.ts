import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Product, productReviewStatuses, productStatuses } from '../../shared/products/product.ts';
import { filledText, pageOf, pageQuery } from '../../shared/schemas.ts';
import type { AdminServices } from './routes.ts';

export const listProducts = endpoint({
  operationId: 'listProductsForReview',
  method: 'GET',
  path: '/v1/admin/products',
  tag: 'Admin',
  summary: 'Lists products, oldest first',
  description: 'Those that wait for a decision have the status `pending_review`.',
  audience: 'admin',
  query: z.object({
    ...pageQuery,
    status: z.optional(z.enum(productStatuses)),
    reviewStatus: z.optional(z.enum(productReviewStatuses)),
    sellerId: z.optional(filledText(64)),
  }),
  success: { status: 200, body: pageOf(Product) },
  errors: [],
  handle: ({ query }, { productReviews }: AdminServices) => productReviews.listProducts(query),
});
