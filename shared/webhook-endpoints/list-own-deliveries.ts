import * as z from 'zod/mini';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import type { EndpointId } from '../ids.ts';
import { Delivery, messageIdOf } from './deliveries/delivery.ts';
import { listDeliveries } from './deliveries/delivery-repository.ts';
import { getEndpointAndSeller } from './own-endpoint.ts';

/** A delivery as its seller sees it: known by the id that the receiver gets. */
export const EventDelivery = z.extend(Delivery, { eventId: z.string() });

export type EventDelivery = z.infer<typeof EventDelivery>;

/** What was or is to be sent to the endpoint, the latest event first. @throws AppError endpoint_not_found */
export async function listOwnDeliveries(
  table: Table,
  userId: string,
  endpointId: EndpointId,
  request: PageRequest,
): Promise<Page<EventDelivery>> {
  const { endpoint } = await getEndpointAndSeller(table, userId, endpointId);
  const page = await listDeliveries(table, endpoint.id, request);
  return { ...page, items: page.items.map((delivery) => ({ ...delivery, eventId: messageIdOf(delivery.eventId, endpoint.id) })) };
}
