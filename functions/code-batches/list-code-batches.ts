import * as z from 'zod/mini';
import { CodeBatch } from '../../shared/code-batches/code-batch.ts';
import { listOwnBatches } from '../../shared/code-batches/code-batch-service.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';

export const listCodeBatchesRoute = endpoint({
  operationId: 'listCodeBatches',
  method: 'GET',
  path: '/v1/products/{product_id}/code-batches',
  tag: 'Code batches',
  summary: 'Lists the imports of a product, newest first',
  description: 'Imports that still run are among them.',
  audience: 'seller',
  tokenScopes: ['products:read'],
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(CodeBatch) },
  errors: ['product_not_found', 'forbidden'],
  handle: ({ identity, params, query }, c: Needs<'table'>) => listOwnBatches(c.table, identity, params.productId, query),
});
