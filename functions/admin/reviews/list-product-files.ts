import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { looseIdOf } from '../../../shared/ids.ts';
import { pageOf, pageQuery } from '../../../shared/lists.ts';
import { ProductFileHashStatus, ProductFileScanStatus, ProductFileStatus } from '../../../shared/product-files/product-file.ts';
import { listFilesForReview, ProductFileAdmin } from '../../../shared/product-files/product-file-reviews.ts';

export const listProductFilesRoute = endpoint({
  operationId: 'listProductFilesForReview',
  method: 'GET',
  path: '/v1/admin/product-files',
  tag: 'Admin',
  summary: 'Lists product files, oldest first',
  description:
    'Those that wait for review, unless `status` asks for others; `any` asks for all. A filtered page may be short and still have a next one.',
  audience: 'admin',
  query: z.object({
    ...pageQuery,
    status: z.optional(z.enum([...ProductFileStatus.options, 'any'])),
    productId: z.optional(looseIdOf('product')),
    sellerId: z.optional(looseIdOf('seller')),
    hashStatus: z.optional(ProductFileHashStatus),
    scanStatus: z.optional(ProductFileScanStatus),
  }),
  success: { status: 200, body: pageOf(ProductFileAdmin) },
  errors: [],
  handle: ({ query }, c: Needs<'table' | 'REVIEW_DUE_HOURS'>) => listFilesForReview(c, query),
});
