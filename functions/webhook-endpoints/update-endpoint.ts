import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  UpdateWebhookEndpointRequest,
  updateEndpointRequest,
  WebhookEndpoint,
} from '../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { updateEndpoint } from '../../shared/webhook-endpoints/update-endpoint.ts';

type UpdateNeeds = Needs<'table' | 'now' | 'sendJob' | 'limitRate' | 'STAGE' | 'PUBLIC_BASE_URL'>;

export const updateEndpointRoute = endpoint({
  operationId: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  tag: 'Webhook endpoints',
  summary: 'Changes an own webhook endpoint',
  description:
    'A field left out keeps its value. Disabling stops what is being sent again; enabling sends what waited since. What happened meanwhile is sent by a replay. A changed URL counts like a new endpoint.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  body: UpdateWebhookEndpointRequest,
  bodyFor: ({ settings }: UpdateNeeds) => updateEndpointRequest(settings.STAGE, settings.PUBLIC_BASE_URL),
  success: { status: 200, body: WebhookEndpoint },
  errors: ['endpoint_not_found', 'seller_not_eligible', 'rate_limited'],
  handle: ({ params, body, identity }, c: UpdateNeeds) => updateEndpoint(c, identity, params.endpointId, body),
});
