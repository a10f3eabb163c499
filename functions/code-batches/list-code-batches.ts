import * as z from 'zod/mini';
import { CodeBatch } from '../../shared/code-batches/code-batch.ts';
import type { CodeBatchService } from '../../shared/code-batches/code-batch-service.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/schemas.ts';

export const listCodeBatches = endpoint({
  operationId: 'listCodeBatches',
  method: 'GET',
  path: '/v1/products/{product_id}/code-batches',
  tag: 'Code batches',
  summary: 'Lists the imports of a product, newest first',
  description: 'Imports that still run are among them.',
  audience: 'seller',
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(CodeBatch) },
  errors: ['product_not_found', 'forbidden'],
  handle: ({ identity, params, query }, { codeBatches }: { codeBatches: CodeBatchService }) =>
    codeBatches.listBatches(identity.userId, params.productId, query),
});
