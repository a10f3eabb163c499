import * as z from 'zod/mini';
import type { Caller } from '../audit/caller.ts';
import { emptyPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import type { EndpointId } from '../ids.ts';
import { findSellerOfUser } from '../sellers/seller-repository.ts';
import { Delivery, messageIdOf } from './deliveries/delivery.ts';
import { listDeliveries } from './deliveries/delivery-repository.ts';
import { toWebhookEndpoint, type WebhookEndpoint } from './endpoints/webhook-endpoint.ts';
import { listEndpointPage } from './endpoints/webhook-endpoint-repository.ts';
import { getEndpointAndSeller } from './own-endpoint.ts';

/** A delivery as its seller sees it: known by the id that the receiver gets. */
export const EventDelivery = z.extend(Delivery, { eventId: z.string() });
type EventDelivery = z.infer<typeof EventDelivery>;

/** The caller's own endpoints, newest first. */
export async function listOwnEndpoints(table: Table, caller: Caller, request: PageRequest): Promise<Page<WebhookEndpoint>> {
  const seller = await findSellerOfUser(table, caller.userId);
  if (!seller) return emptyPage(request);
  const page = await listEndpointPage(table, seller.id, request);
  return { ...page, items: page.items.map(toWebhookEndpoint) };
}

/** @throws AppError endpoint_not_found */
export const getOwnEndpoint = async (table: Table, caller: Caller, endpointId: EndpointId): Promise<WebhookEndpoint> =>
  toWebhookEndpoint((await getEndpointAndSeller(table, caller, endpointId)).endpoint);

/** What was or is to be sent to the endpoint, the latest event first. @throws AppError endpoint_not_found */
export async function listOwnDeliveries(
  table: Table,
  caller: Caller,
  endpointId: EndpointId,
  request: PageRequest,
): Promise<Page<EventDelivery>> {
  const { endpoint } = await getEndpointAndSeller(table, caller, endpointId);
  const page = await listDeliveries(table, endpoint.id, request);
  return { ...page, items: page.items.map((delivery) => ({ ...delivery, eventId: messageIdOf(delivery.eventId, endpoint.id) })) };
}
