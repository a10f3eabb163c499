import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createEndpoint } from '../../shared/webhook-endpoints/create-endpoint.ts';
import { CreateWebhookEndpointRequest, createEndpointRequest } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { WebhookEndpointWithSecret } from '../../shared/webhook-endpoints/own-endpoint.ts';

type CreateNeeds = Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'limitRate' | 'STAGE' | 'PUBLIC_BASE_URL'>;

export const createEndpointRoute = endpoint({
  operationId: 'createWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints',
  tag: 'Webhook endpoints',
  summary: 'Has events sent to a URL of the seller’s own',
  description:
    'Of the types named, or of all. The reply has the secret that signs what is sent; it is not shown again. A seller has at most 5. Only approved sellers have endpoints, and none at the address of this service. New endpoints, changed URLs, tests and replays are at most 10 a minute together.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  body: CreateWebhookEndpointRequest,
  bodyFor: ({ settings }: CreateNeeds) => createEndpointRequest(settings.STAGE, settings.PUBLIC_BASE_URL),
  sensitive: true,
  success: { status: 201, body: WebhookEndpointWithSecret },
  errors: ['seller_required', 'too_many_endpoints', 'seller_not_eligible', 'rate_limited'],
  handle: ({ body, identity }, c: CreateNeeds) => createEndpoint(c, identity, body),
});
