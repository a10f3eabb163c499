import { endpointKey, endpointsOfSeller } from '../db/keys.ts';
import type { Table, Write } from '../db/table.ts';
import { type EndpointId, isId, type SellerId } from '../ids.ts';
import { type WebhookEndpoint, WebhookEndpointRecord } from './webhook-endpoint.ts';

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

    /** Nothing but failures came back since then. Deleted, or failing since before → ConditionFailedError. */
    recordFailing({ sellerId, id }: WebhookEndpointRecord, at: Date): Write {
      return {
        update: {
          Key: endpointKey(sellerId, id),
          UpdateExpression: 'SET failingSince = :at',
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(failingSince)',
          ExpressionAttributeValues: { ':at': at.toISOString() },
        },
      };
    },

    /** An event was taken. Deleted → ConditionFailedError. */
    recordTaking({ sellerId, id }: WebhookEndpointRecord): Write {
      return {
        update: {
          Key: endpointKey(sellerId, id),
          UpdateExpression: 'REMOVE failingSince',
          ConditionExpression: 'attribute_exists(pk)',
        },
      };
    },

    /** Nothing is sent any more until its seller enables it. Changed since it was read → ConditionFailedError. */
    disableEndpoint({ sellerId, id, revision }: WebhookEndpointRecord, reason: WebhookEndpoint['disabledReason'], at: Date): Write {
      return {
        update: {
          Key: endpointKey(sellerId, id),
          UpdateExpression: 'SET #enabled = :no, disabledReason = :reason, updatedAt = :at REMOVE failingSince ADD revision :one',
          ConditionExpression: '#enabled = :yes AND revision = :revision',
          ExpressionAttributeNames: { '#enabled': 'enabled' },
          ExpressionAttributeValues: {
            ':no': false,
            ':yes': true,
            ':reason': reason,
            ':at': at.toISOString(),
            ':one': 1,
            ':revision': revision,
          },
        },
      };
    },
  };
}
