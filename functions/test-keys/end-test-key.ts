import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idOf } from '../../shared/ids.ts';
import { endTestKey } from '../../shared/licenses/test-keys/test-key-service.ts';

export const endTestKeyRoute = endpoint({
  operationId: 'endTestKey',
  method: 'POST',
  path: '/v1/products/{product_id}/test-keys/{license_id}/end',
  tag: 'Test keys',
  summary: 'Ends a test key',
  description:
    'From the next call on apps are answered `license_revoked`. It works in every state of seller and product; again it changes nothing.',
  audience: 'seller',
  tokenScopes: ['test-keys:write'],
  success: { status: 200, body: z.object({ licenseId: idOf('license') }) },
  errors: ['product_not_found', 'forbidden', 'license_not_found'],
  handle: ({ identity, params }, c: Needs<'table' | 'now'>) => endTestKey(c, identity, params.productId, params.licenseId),
});
