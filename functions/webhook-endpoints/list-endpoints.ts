import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/schemas.ts';
import { WebhookEndpoint } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import type { WebhookEndpointService } from '../../shared/webhook-endpoints/webhook-endpoint-service.ts';

export const listEndpoints = endpoint({
  operationId: 'listWebhookEndpoints',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  tag: 'Webhook endpoints',
  summary: "Lists the caller's own webhook endpoints, newest first",
  description: 'Without their secrets.',
  audience: 'seller',
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(WebhookEndpoint) },
  errors: [],
  handle: ({ query, identity }, { webhookEndpoints }: { webhookEndpoints: WebhookEndpointService }) =>
    webhookEndpoints.listEndpoints(identity.userId, query),
});
