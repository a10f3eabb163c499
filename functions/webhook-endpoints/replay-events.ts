import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { fault } from '../../shared/faults/fault.ts';
import * as rules from '../../shared/faults/rules.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { crossFieldRule, nonBlankText } from '../../shared/schemas.ts';
import { replayEvents } from '../../shared/webhook-endpoints/replay-events.ts';

export const ReplayEventsRequest = z
  .object({
    since: z.optional(
      z.pipe(
        z.iso.datetime({ offset: true }).check(z.maxLength(64)),
        z.transform((text: string) => new Date(text)),
      ),
    ),
    eventId: z.optional(nonBlankText(64)),
  })
  .check(
    crossFieldRule(['eventId', 'since'], ({ eventId, since }) =>
      eventId !== undefined && since !== undefined ? fault(rules.eventGiven) : undefined,
    ),
  );

export const replayEventsRoute = endpoint({
  operationId: 'replayEvents',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/replay',
  tag: 'Webhook endpoints',
  summary: 'Sends events again that are kept',
  description:
    'Events are kept for 30 days. Sent again is one event, by the id that any endpoint got it with; or all that the endpoint wants and that happened since a time; or, without either, all that are kept; none from before the endpoint was made. While the endpoint is disabled nothing is sent, and disabling it ends a replay. `count` is how many events that is. It counts like a new endpoint.',
  audience: 'seller',
  tokenScopes: ['endpoints:write'],
  bodyKind: 'optional-json',
  body: ReplayEventsRequest,
  success: { status: 202, body: z.object({ count: z.int() }) },
  errors: ['endpoint_not_found', 'event_not_found', 'seller_not_eligible', 'rate_limited'],
  handle: async ({ params, body, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'limitRate'>) => ({
    count: await replayEvents(c, identity, params.endpointId, body),
  }),
});
