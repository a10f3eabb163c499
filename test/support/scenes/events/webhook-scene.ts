import { jobKey } from '../../../../shared/db/keys.ts';
import type { EndpointId, SellerId } from '../../../../shared/ids.ts';
import { recordEvent } from '../../../../shared/seller-events/event-record-repository.ts';
import type { NewEvent } from '../../../../shared/seller-events/seller-event.ts';
import { listEventsAfter } from '../../../../shared/seller-events/seller-event-repository.ts';
import type { SellerRecord } from '../../../../shared/sellers/seller.ts';
import { findEndpoint } from '../../../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { ok, type RequestOptions } from '../../http/http-event.ts';
import { encryptionKeys, keyringText } from '../../samples/licenses.ts';
import { type MarketOptions, openMarket } from '../market.ts';
import { createEventLog } from './event-log.ts';

export type WebhookScene = Awaited<ReturnType<typeof openWebhookScene>>;
const own = { RATE_LIMIT_ENDPOINT_CALLS: '0', RATE_LIMIT_ROTATIONS: '0', ENCRYPTION_KEYS: keyringText('e1') };
export const receiver = 'https://hooks.example.com/events?token=of-the-receiver';

/** Sellers with their webhook endpoints, and the worker that publishes their events; the clock stands still. */
export async function openWebhookScene({ environment = {}, ...options }: MarketOptions = {}) {
  const market = await openMarket({ ...options, environment: { ...own, ...environment } });
  const { table, plain, queue, logger, now } = market;

  return {
    ...market,
    encryptionKeys,
    log: createEventLog({ table, stream: plain, sender: queue, logger, now }),

    /** A seller on the table, and calls in the name of its owner. */
    async newSeller(fields: Partial<SellerRecord> = {}) {
      const seller = await market.addSeller(fields);
      const call = market.asUser(seller.ownerUserId);
      const ask = (method: string, target = '', options: RequestOptions = {}) => call(method, `/v1/webhook-endpoints${target}`, options);
      return {
        seller,
        ask,
        /** A new endpoint; the whole reply's body. */
        add: async (fields: Record<string, unknown> = {}) => ok(await ask('POST', '', { body: { url: receiver, ...fields } })).json,
        stored: (endpointId: EndpointId) => findEndpoint(plain, seller.id, endpointId),
        setStatus: (status: SellerRecord['internalReviewStatus']) => market.setSellerStatus(seller.id, status, plain),
        /** As one of the causes does it. */
        happen: (happening: NewEvent, endpointId?: EndpointId) => plain.write(recordEvent({ now }, seller.id, happening, endpointId)),
      };
    },

    keptOf: (sellerId: SellerId) => listEventsAfter(plain, sellerId, undefined, 1000),

    async audited(targetId: string) {
      const items = await market.audited(targetId);
      return items.map(({ actor, action, before, after }) => ({ actor, action, before, after })).reverse();
    },

    job: (id: string) => plain.get(jobKey(id)),
  };
}
