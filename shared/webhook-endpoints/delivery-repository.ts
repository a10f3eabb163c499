import { deliveriesOfEndpoint, deliveryKey, dueDeliveryKey } from '../db/keys.ts';
import { listOfPartition, type Page, type PageRequest } from '../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
import type { EndpointId } from '../ids.ts';
import type { SellerEvent } from '../seller-events/seller-event.ts';
import { Delivery } from './delivery.ts';

export type DeliveryRepository = ReturnType<typeof createDeliveryRepository>;

export function createDeliveryRepository({ table }: { table: Table }) {
  return {
    /** The event is to be sent to the endpoint, now. Known before → ConditionFailedError. */
    addDelivery(endpointId: EndpointId, event: SellerEvent, at: Date): Write[] {
      const nextAttemptAt = at.toISOString();
      const { id: eventId, type } = event;
      const delivery: Delivery = { eventId, type, status: 'pending', attempts: 0, nextAttemptAt, createdAt: nextAttemptAt };
      return [
        { put: { Item: { ...deliveryKey(endpointId, eventId), ...delivery }, ...ifAbsent } },
        { put: { Item: { ...dueDeliveryKey(endpointId, nextAttemptAt, eventId), eventId, nextAttemptAt } } },
      ];
    },

    /** What was or is to be sent to the endpoint, the latest event first. */
    async listDeliveries(endpointId: EndpointId, request: PageRequest): Promise<Page<Delivery>> {
      const range = deliveriesOfEndpoint(endpointId);
      const page = await listOfPartition(table, `deliveries-of-${endpointId}`, range, { ...request, newestFirst: true });
      return { ...page, items: page.items.map((item) => Delivery.parse(item)) };
    },
  };
}
