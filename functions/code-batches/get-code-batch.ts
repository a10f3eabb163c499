import { CodeBatch } from '../../shared/code-batches/code-batch.ts';
import { getOwnBatch } from '../../shared/code-batches/code-batch-service.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const getCodeBatchRoute = endpoint({
  operationId: 'getCodeBatch',
  method: 'GET',
  path: '/v1/products/{product_id}/code-batches/{batch_id}',
  tag: 'Code batches',
  summary: 'Shows how far an import is',
  description: 'The counts grow while the import runs; at the end imported, duplicate and rejected add up to the rows of the file.',
  audience: 'seller',
  tokenScopes: ['products:read'],
  success: { status: 200, body: CodeBatch },
  errors: ['product_not_found', 'batch_not_found', 'forbidden'],
  handle: ({ identity, params }, c: Needs<'table'>) => getOwnBatch(c.table, identity, params.productId, params.batchId),
});
