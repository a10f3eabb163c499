import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { MintedTestKey } from '../../shared/licenses/test-keys/test-key.ts';
import { mintTestKey } from '../../shared/licenses/test-keys/test-key-service.ts';

export const mintTestKeyRoute = endpoint({
  operationId: 'mintTestKey',
  method: 'POST',
  path: '/v1/products/{product_id}/test-keys',
  tag: 'Test keys',
  summary: 'Mints a license key to try an app with',
  description:
    'The license has the product’s present terms and lives for 90 days. It is marked `test: true` in replies to apps and in leases, and counts as no sale. The key shows this once. A product, in any state but suspended, has at most 20 test keys that are alive.',
  audience: 'seller',
  tokenScopes: ['test-keys:write'],
  success: { status: 201, body: MintedTestKey },
  errors: ['product_not_found', 'forbidden', 'seller_not_eligible', 'product_suspended', 'too_many_test_keys'],
  handle: ({ identity, params }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>) =>
    mintTestKey(c, identity, params.productId),
});
