import { endpoint } from '../../shared/http/endpoint.ts';
import { WebhookEndpoint } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import type { WebhookEndpointService } from '../../shared/webhook-endpoints/webhook-endpoint-service.ts';

export const getEndpoint = endpoint({
  operationId: 'getWebhookEndpoint',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  tag: 'Webhook endpoints',
  summary: 'Shows an own webhook endpoint',
  description: '`disabled_reason` says why nothing is sent, where it was not the seller who disabled it.',
  audience: 'seller',
  success: { status: 200, body: WebhookEndpoint },
  errors: ['endpoint_not_found'],
  handle: ({ params, identity }, { webhookEndpoints }: { webhookEndpoints: WebhookEndpointService }) =>
    webhookEndpoints.getEndpoint(identity.userId, params.endpointId),
});
