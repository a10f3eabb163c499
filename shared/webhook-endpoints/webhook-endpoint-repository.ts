import { endpointKey, endpointsOfSeller } from '../db/keys.ts';
import type { Table } from '../db/table.ts';
import { type EndpointId, isId, type SellerId } from '../ids.ts';
import { WebhookEndpointRecord } from './webhook-endpoint.ts';

export type WebhookEndpointRepository = ReturnType<typeof createWebhookEndpointRepository>;

export function createWebhookEndpointRepository({ table }: { table: Table }) {
  return {
    async findEndpoint(sellerId: SellerId, endpointId: EndpointId): Promise<WebhookEndpointRecord | undefined> {
      const item = isId('endpoint', endpointId) ? await table.get(endpointKey(sellerId, endpointId)) : undefined;
      return item && WebhookEndpointRecord.parse(item);
    },

    /** All of the seller's, in the order in which they were made. */
    async listEndpoints(sellerId: SellerId): Promise<WebhookEndpointRecord[]> {
      const { pk, prefix } = endpointsOfSeller(sellerId);
      const { items } = await table.query({ partition: pk, prefix });
      return items.map((item) => WebhookEndpointRecord.parse(item));
    },
  };
}
