import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { WebhookEndpoint } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { listOwnEndpoints } from '../../shared/webhook-endpoints/read-endpoints.ts';

export const listEndpointsRoute = endpoint({
  operationId: 'listWebhookEndpoints',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  tag: 'Webhook endpoints',
  summary: "Lists the caller's own webhook endpoints, newest first",
  description: 'Without their secrets.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(WebhookEndpoint) },
  errors: [],
  handle: ({ query, identity }, c: Needs<'table'>) => listOwnEndpoints(c.table, identity, query),
});
