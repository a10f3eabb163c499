import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { TestKey } from '../../shared/licenses/test-keys/test-key.ts';
import { listOwnTestKeys } from '../../shared/licenses/test-keys/test-key-service.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';

export const listTestKeysRoute = endpoint({
  operationId: 'listTestKeys',
  method: 'GET',
  path: '/v1/products/{product_id}/test-keys',
  tag: 'Test keys',
  summary: 'Lists the test keys of a product, newest first',
  description: 'Those that ended or expired are among them. The keys themselves do not show again.',
  audience: 'seller',
  tokenScopes: ['test-keys:write'],
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(TestKey) },
  errors: ['product_not_found', 'forbidden'],
  handle: ({ identity, params, query }, c: Needs<'table'>) => listOwnTestKeys(c.table, identity, params.productId, query),
});
