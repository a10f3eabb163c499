import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deleteEndpoint } from '../../shared/webhook-endpoints/delete-endpoint.ts';

export const deleteEndpointRoute = endpoint({
  operationId: 'deleteWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/delete',
  tag: 'Webhook endpoints',
  summary: 'Deletes a webhook endpoint',
  description: 'Nothing is sent there any more, what waits neither.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  success: { status: 200, body: z.object({}) },
  errors: ['endpoint_not_found', 'seller_not_eligible'],
  handle: async ({ params, identity }, c: Needs<'table' | 'now'>) => {
    await deleteEndpoint(c, identity, params.endpointId);
    return {};
  },
});
