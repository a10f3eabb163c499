import { expect } from '@jest/globals';
import { sellerEventTypes } from '../../../shared/seller-events/seller-event.ts';
import { messageIdOf } from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
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

const day = 24 * 3600_000;
const tokenOf = ({ apiToken: { token: _, ...shown } }: Shop) => shown;

/** Of the endpoints at which sellers hear what happens, and of their build machines' tokens. */
export const eventRows: Record<string, Row> = {
  'api-tokens: createApiToken': {
    ask: ({ product }) => ({
      body: { name: 'CI', scopes: ['releases:write', 'releases:write'], product_ids: [product.id, product.id], expires_in_days: 366 },
    }),
    reply: ({ product }, { at }) =>
      ok(
        {
          id: expect.stringMatching(/^tok_[0-9A-Z]{26}$/),
          name: 'CI',
          scopes: ['releases:write'],
          product_ids: [product.id],
          expires_in_days: 366,
          created_at: at,
          expires_at: new Date(Date.parse(at) + 366 * day).toISOString(),
          token: expect.stringMatching(/^lst_[0-9A-Z]{26}_[\w-]{43}$/),
        },
        201,
      ),
    toNobodysSeller: refused(400, 'seller_required'),
  },
  'api-tokens: listApiTokens': { reply: (shop) => ok({ items: [tokenOf(shop)] }), toNobodysSeller: () => ok({ items: [] }) },
  'api-tokens: revokeApiToken': {
    ask: ({ apiToken }) => ({ ids: { token_id: apiToken.id } }),
    reply: (shop, { at }) => ok({ ...tokenOf(shop), revoked_at: at }),
    toNobodysSeller: refused(404, 'token_not_found'),
  },
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
