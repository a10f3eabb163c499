import { expect } from '@jest/globals';
import { sellerEventTypes } from '../../../shared/seller-events/seller-event.ts';
import { messageIdOf } from '../../../shared/webhook-endpoints/delivery.ts';
import type { Marketplace, Shop } from '../../support/scenes/marketplace.ts';
import { ok, type Row } from './rows.ts';

const ofEndpoint = ({ endpoint }: Shop) => ({ ids: { endpoint_id: endpoint.id } });
const shown = ({ endpoint, userId }: Shop, { at }: Marketplace) => ({
  id: endpoint.id,
  url: `https://hooks.example.com/${userId}`,
  event_types: sellerEventTypes,
  enabled: true,
  created_at: at,
});
const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
const refused = (status: number, code: string) => () => ({
  status,
  json: { code, message: expect.any(String), request_id: expect.any(String) },
});
const toNobodysSeller = refused(404, 'endpoint_not_found');

/** Of the endpoints at which sellers hear what happens. */
export const eventRows: Record<string, Row> = {
  'webhook-endpoints: createWebhookEndpoint': {
    ask: () => ({ body: { url: 'https://hooks.example.com/', event_types: ['order.paid'], description: 'Ours' } }),
    reply: (_, { at }) =>
      ok(
        {
          id: expect.stringMatching(/^whe_[0-9A-Z]{26}$/),
          url: 'https://hooks.example.com/',
          event_types: ['order.paid'],
          description: 'Ours',
          enabled: true,
          created_at: at,
          secret,
        },
        201,
      ),
    toNobodysSeller: refused(400, 'seller_required'),
  },
  'webhook-endpoints: listWebhookEndpoints': {
    reply: (shop, market) => ok({ items: [shown(shop, market)] }),
    toNobodysSeller: () => ok({ items: [] }),
  },
  'webhook-endpoints: getWebhookEndpoint': { ask: ofEndpoint, reply: (shop, market) => ok(shown(shop, market)), toNobodysSeller },
  'webhook-endpoints: updateWebhookEndpoint': {
    ask: (shop) => ({ ...ofEndpoint(shop), body: { enabled: false } }),
    reply: (shop, market) => ok({ ...shown(shop, market), enabled: false }),
    toNobodysSeller,
  },
  'webhook-endpoints: rotateWebhookSecret': {
    ask: ofEndpoint,
    reply: (shop, market) => ok({ ...shown(shop, market), secret }),
    toNobodysSeller,
  },
  'webhook-endpoints: deleteWebhookEndpoint': { ask: ofEndpoint, reply: () => ok({}), toNobodysSeller },
  'webhook-endpoints: sendTestEvent': {
    ask: ofEndpoint,
    reply: () => ok({ event_ids: [expect.stringMatching(/^evt_/)] }, 202),
    toNobodysSeller,
  },
  'webhook-endpoints: replayEvents': {
    ask: (shop) => ({ ...ofEndpoint(shop), body: { since: shop.soldAt } }),
    reply: () => ok({ count: 0 }, 202),
    toNobodysSeller,
  },
  'webhook-endpoints: listWebhookDeliveries': {
    ask: ofEndpoint,
    reply: ({ endpoint, eventId }, { at }) =>
      ok({
        items: [
          {
            event_id: messageIdOf(eventId, endpoint.id),
            type: 'order.paid',
            status: 'pending',
            attempts: 0,
            next_attempt_at: at,
            created_at: at,
          },
        ],
      }),
    toNobodysSeller,
  },
};
