import { emptyPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import type { EndpointId } from '../ids.ts';
import { findSellerOfUser } from '../sellers/seller-repository.ts';
import { toWebhookEndpoint, type WebhookEndpoint } from './endpoints/webhook-endpoint.ts';
import { listEndpointPage } from './endpoints/webhook-endpoint-repository.ts';
import { getEndpointAndSeller } from './own-endpoint.ts';

/** The caller's own endpoints, newest first. */
export async function listOwnEndpoints(table: Table, userId: string, request: PageRequest): Promise<Page<WebhookEndpoint>> {
  const seller = await findSellerOfUser(table, userId);
  if (!seller) return emptyPage(request);
  const page = await listEndpointPage(table, seller.id, request);
  return { ...page, items: page.items.map(toWebhookEndpoint) };
}

/** @throws AppError endpoint_not_found */
export const getOwnEndpoint = async (table: Table, userId: string, endpointId: EndpointId): Promise<WebhookEndpoint> =>
  toWebhookEndpoint((await getEndpointAndSeller(table, userId, endpointId)).endpoint);
