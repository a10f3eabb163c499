import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { Product, productStatuses } from '../../shared/products/product.ts';
import { listOwnProducts } from '../../shared/products/product-service.ts';

export const listProductsRoute = endpoint({
  operationId: 'listProducts',
  method: 'GET',
  path: '/v1/products',
  tag: 'Products',
  summary: "Lists the caller's own products, newest first",
  description: 'In every state; `status` narrows it.',
  audience: 'seller',
  tokenScopes: ['products:read'],
  query: z.object({ ...pageQuery, status: z.optional(z.enum(productStatuses)) }),
  success: { status: 200, body: pageOf(Product) },
  errors: [],
  handle: ({ query, identity }, c: Needs<'table' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>) => listOwnProducts(c, identity, query),
});
