import { endpointKey } from '../../../../shared/db/keys.ts';
import type { Table } from '../../../../shared/db/table.ts';
import { newId, type SellerId } from '../../../../shared/ids.ts';
import type { WebhookEndpointRecord } from '../../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';

/** A disabled endpoint, older than all that happens: for it a seller's events are kept, and nothing is sent. */
export async function keepEventsOf(table: Table, sellerId: SellerId): Promise<void> {
  const then = new Date(0).toISOString();
  const url = 'https://hooks.example.com/';
  const id = newId('endpoint');
  const endpoint: WebhookEndpointRecord = {
    ...{ id, sellerId, url, sealedSecret: '', createdAt: then, updatedAt: then },
    enabled: false,
    revision: 1,
  };
  await table.write({ put: { Item: { ...endpointKey(sellerId, id), ...endpoint } } });
}
