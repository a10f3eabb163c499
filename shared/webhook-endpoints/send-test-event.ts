import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { type EndpointId, newId } from '../ids.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import { messageIdOf } from './deliveries/delivery.ts';
import { checkEndpointUnchanged } from './endpoints/webhook-endpoint-repository.ts';
import { getEndpointAndSeller, limitOf, sellerRights } from './own-endpoint.ts';

/** Makes an event happen for this endpoint alone; resolves to the id of its message. @throws AppError endpoint_not_found, seller_not_eligible, rate_limited */
export function sendTestEvent(c: Needs<'table' | 'now' | 'limitRate'>, userId: string, endpointId: EndpointId): Promise<string> {
  const count = limitOf(c, 'endpoint-calls');
  return retryOptimisticLock(async () => {
    const { seller, endpoint } = await getEndpointAndSeller(c.table, userId, endpointId);
    const writeConditions = sellerRights(seller);
    await count(seller);
    const eventId = newId('event', c.now());
    await c.table.transactOnce([
      writeConditions,
      checkEndpointUnchanged(endpoint),
      recordEvent(c, seller.id, { type: 'test', data: { endpointId: endpoint.id } }, endpoint.id, eventId),
    ]);
    return messageIdOf(eventId, endpoint.id);
  });
}
