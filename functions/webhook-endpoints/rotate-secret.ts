import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { WebhookEndpointWithSecret } from '../../shared/webhook-endpoints/own-endpoint.ts';
import { rotateSecret } from '../../shared/webhook-endpoints/rotate-secret.ts';

export const rotateSecretRoute = endpoint({
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/rotate-secret',
  tag: 'Webhook endpoints',
  summary: 'Gives a webhook endpoint a new signing secret',
  description:
    'The old one signs too for 24 hours, so that receivers can change over. The new one is not shown again. A seller rotates at most 10 secrets an hour.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  sensitive: true,
  success: { status: 200, body: WebhookEndpointWithSecret },
  errors: ['endpoint_not_found', 'seller_not_eligible', 'rate_limited'],
  handle: ({ params, identity }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'limitRate'>) =>
    rotateSecret(c, identity, params.endpointId),
});
