import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { sendTestEvent } from '../../shared/webhook-endpoints/send-test-event.ts';

export const sendTestEventRoute = endpoint({
  operationId: 'sendTestEvent',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/test',
  tag: 'Webhook endpoints',
  summary: 'Makes an event of the type test happen for an endpoint',
  description:
    'For this endpoint alone, whatever types it wants. While it is disabled the event is kept for a replay. It counts like a new endpoint.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  success: { status: 202, body: z.object({ eventIds: z.array(z.string()) }) },
  errors: ['endpoint_not_found', 'seller_not_eligible', 'rate_limited'],
  handle: async ({ params, identity }, c: Needs<'table' | 'now' | 'limitRate'>) => ({
    eventIds: [await sendTestEvent(c, identity, params.endpointId)],
  }),
});
