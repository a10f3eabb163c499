import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { listOwnFiles, ProductFile } from '../../shared/product-files/own-file.ts';

export const listFilesRoute = endpoint({
  operationId: 'listProductFiles',
  method: 'GET',
  path: '/v1/products/{product_id}/files',
  tag: 'Product files',
  summary: 'Lists the files of an own product, newest first',
  description: 'Files of every state are shown, those that were rejected or withdrawn too.',
  audience: 'seller',
  tokenScopes: ['releases:read', 'products:read'],
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(ProductFile) },
  errors: ['forbidden', 'product_not_found'],
  handle: ({ query, params, identity }, c: Needs<'table' | 'REVIEW_DUE_HOURS'>) => listOwnFiles(c, identity, params.productId, query),
});
