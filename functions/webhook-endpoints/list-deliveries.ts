import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { EventDelivery, listOwnDeliveries } from '../../shared/webhook-endpoints/read-endpoints.ts';

export const listDeliveriesRoute = endpoint({
  operationId: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpoint_id}/deliveries',
  tag: 'Webhook endpoints',
  summary: 'Lists what was or is to be sent to an endpoint, the latest event first',
  description: '`event_id` is the header `webhook-id` of what was sent. What the receiver answered is kept as its status alone.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(EventDelivery) },
  errors: ['endpoint_not_found'],
  handle: ({ params, query, identity }, c: Needs<'table'>) => listOwnDeliveries(c.table, identity, params.endpointId, query),
});
