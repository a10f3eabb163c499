import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { type EndpointId, newId } from '../ids.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import { messageIdOf } from './deliveries/delivery.ts';
import { checkEndpointUnchanged } from './endpoints/webhook-endpoint-repository.ts';
import { decideOnEndpoint } from './own-endpoint.ts';

/** Makes an event happen for this endpoint alone; resolves to the id of its message. @throws AppError endpoint_not_found, seller_not_eligible, rate_limited */
export function sendTestEvent(c: Needs<'table' | 'now' | 'limitRate'>, caller: Caller, endpointId: EndpointId): Promise<string> {
  return decideOnEndpoint(c, 'endpoint-calls', caller, endpointId, async ({ seller, endpoint, rights, count }) => {
    await count();
    const eventId = newId('event', c.now());
    await c.table.transactOnce([
      rights,
      checkEndpointUnchanged(endpoint),
      recordEvent(c, seller.id, { type: 'test', data: { endpointId: endpoint.id } }, endpoint.id, eventId),
    ]);
    return messageIdOf(eventId, endpoint.id);
  });
}
