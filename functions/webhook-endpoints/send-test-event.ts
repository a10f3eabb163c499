import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { WebhookEndpointService } from '../../shared/webhook-endpoints/webhook-endpoint-service.ts';

export const sendTestEvent = endpoint({
  operationId: 'sendTestEvent',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/test',
  tag: 'Webhook endpoints',
  summary: 'Makes an event of the type test happen for an endpoint',
  description: 'For this endpoint alone, whatever types it wants. While it is disabled the event is kept for a replay.',
  audience: 'seller',
  success: { status: 202, body: z.object({}) },
  errors: ['endpoint_not_found', 'seller_not_eligible'],
  handle: async ({ params, identity }, { webhookEndpoints }: { webhookEndpoints: WebhookEndpointService }) => {
    await webhookEndpoints.sendTestEvent(identity.userId, params.endpointId);
    return {};
  },
});
