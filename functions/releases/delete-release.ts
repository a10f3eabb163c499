import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deleteRelease } from '../../shared/publishing/delete-release.ts';

export const deleteReleaseRoute = endpoint({
  operationId: 'deleteRelease',
  method: 'POST',
  path: '/v1/products/{product_id}/releases/{release_id}/delete',
  tag: 'Releases',
  summary: 'Deletes a draft',
  description: 'Its version and its files are free then. A file that no release uses for seven days is withdrawn.',
  audience: 'seller',
  tokenScopes: ['releases:write'],
  success: { status: 200, body: z.object({}) },
  errors: ['product_not_found', 'forbidden', 'release_not_found', 'seller_not_eligible', 'product_suspended', 'release_state_conflict'],
  handle: ({ params, identity }, c: Needs<'table' | 'now'>) => deleteRelease(c, identity, params.productId, params.releaseId),
});
