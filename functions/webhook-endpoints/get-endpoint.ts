import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { WebhookEndpoint } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { getOwnEndpoint } from '../../shared/webhook-endpoints/read-endpoints.ts';

export const getEndpointRoute = endpoint({
  operationId: 'getWebhookEndpoint',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  tag: 'Webhook endpoints',
  summary: 'Shows an own webhook endpoint',
  description: '`disabled_reason` says why nothing is sent, where it was not the seller who disabled it.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  success: { status: 200, body: WebhookEndpoint },
  errors: ['endpoint_not_found'],
  handle: ({ params, identity }, c: Needs<'table'>) => getOwnEndpoint(c.table, identity, params.endpointId),
});
