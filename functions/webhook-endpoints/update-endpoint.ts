import { endpoint } from '../../shared/http/endpoint.ts';
import {
  UpdateWebhookEndpointRequest,
  type updateEndpointRequest,
  WebhookEndpoint,
} from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import type { WebhookEndpointService } from '../../shared/webhook-endpoints/webhook-endpoint-service.ts';

interface Services {
  webhookEndpoints: WebhookEndpointService;
  /** The request with the URLs that the stage allows. */
  updateRequest: ReturnType<typeof updateEndpointRequest>;
}

export const updateEndpoint = endpoint({
  operationId: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  tag: 'Webhook endpoints',
  summary: 'Changes an own webhook endpoint',
  description:
    'A field left out keeps its value. Disabling stops what is being sent again; enabling sends what waited since. What happened meanwhile is sent by a replay. A changed URL counts like a new endpoint.',
  audience: 'seller',
  body: UpdateWebhookEndpointRequest,
  bodyFor: ({ updateRequest }: Services) => updateRequest,
  success: { status: 200, body: WebhookEndpoint },
  errors: ['endpoint_not_found', 'seller_not_eligible', 'rate_limited'],
  handle: ({ params, body, identity }, { webhookEndpoints }: Services) =>
    webhookEndpoints.updateEndpoint(identity.userId, params.endpointId, body),
});
