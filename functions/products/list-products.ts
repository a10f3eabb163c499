import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Product, productStatuses } from '../../shared/products/product.ts';
import type { ProductService } from '../../shared/products/product-service.ts';
import { pageOf, pageQuery } from '../../shared/schemas.ts';

export const listProducts = endpoint({
  operationId: 'listProducts',
  method: 'GET',
  path: '/v1/products',
  tag: 'Products',
  summary: "Lists the caller's own products, newest first",
  description: 'In every state; `status` narrows it.',
  audience: 'seller',
  query: z.object({ ...pageQuery, status: z.optional(z.enum(productStatuses)) }),
  success: { status: 200, body: pageOf(Product) },
  errors: [],
  handle: ({ query, identity }, { products }: { products: ProductService }) => products.listProducts(identity.userId, query),
});
