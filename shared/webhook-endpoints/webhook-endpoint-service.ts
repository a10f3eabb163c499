import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type AuditEntry, createAuditRepository } from '../audit/audit-repository.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { sealText } from '../crypto/sealed-text.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { emptyPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type EndpointId, type EventId, lastIdBefore, newId } from '../ids.ts';
import type { TaskOf } from '../jobs/job.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import { createRecordEvent } from '../seller-events/event-record-repository.ts';
import { createSellerEventRepository } from '../seller-events/seller-event-repository.ts';
import { requireApproved, requireEligible, type SellerRecord } from '../sellers/seller.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import { Delivery, deliveryLeaseSeconds, eventIdOfMessage, messageIdOf } from './delivery.ts';
import { createDeliveryRepository } from './delivery-repository.ts';
import { isReplayed } from './replay.ts';
import { newSigningSecret, withSecret } from './signing-secret.ts';
import {
  auditedEndpoint,
  type CreateWebhookEndpointRequest,
  keptTypes,
  mayHear,
  revisedEndpoint,
  toWebhookEndpoint,
  type UpdateWebhookEndpointRequest,
  WebhookEndpoint,
  type WebhookEndpointRecord,
} from './webhook-endpoint.ts';
import { createWebhookEndpointRepository } from './webhook-endpoint-repository.ts';

/** An endpoint with its signing secret, which shows when it is made and never again. */
export const WebhookEndpointWithSecret = z.extend(WebhookEndpoint, { secret: z.string() });
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

/** A delivery as its seller sees it: known by the id that the receiver gets. */
export const EventDelivery = z.extend(Delivery, { eventId: z.string() });
export type EventDelivery = z.infer<typeof EventDelivery>;

/** What a seller asks to have sent again: the event of this message, or all since a time, or all that are kept. */
export interface ReplayEvents {
  since?: Date | undefined;
  eventId?: string | undefined;
}

/** How many events are read at once, to count them. */
const countedTogether = 1000;

/** What of a seller is counted: tests, replays and new URLs together, and rotated secrets. */
type Limit = 'endpoint-calls' | 'rotations';

interface Owned {
  seller: SellerRecord;
  endpoint: WebhookEndpointRecord;
}

export type WebhookEndpointService = ReturnType<typeof createWebhookEndpointService>;

/** What sellers do with the endpoints of their systems. `userId` is the caller. */
export function createWebhookEndpointService(options: {
  table: Table;
  /** Tells the sender of a committed job. */
  sendJob: (task: TaskOf<'deliver-events'>) => Promise<void>;
  encryptionKeys: Keyring;
  /** Spends from what the caller may do in a while. @throws AppError rate_limited when it is used up */
  limitRate: (limit: Limit, caller: string) => Promise<void>;
  /** How many events of a replay are counted: a reply is waited for. */
  mostCounted?: number;
  now?: (() => Date) | undefined;
}) {
  const { table, sendJob, encryptionKeys, limitRate, mostCounted = 100_000, now = () => new Date() } = options;
  const sellers = createSellerRepository({ table, now });
  const endpoints = createWebhookEndpointRepository({ table });
  const deliveries = createDeliveryRepository({ table });
  const events = createSellerEventRepository({ table, now });
  const recordEvent = createRecordEvent({ now });
  const jobs = createJobRepository({ table, now });
  const audit = createAuditRepository({ table, now });

  /** @throws AppError endpoint_not_found, of another's too */
  async function getOwn(userId: string, endpointId: EndpointId): Promise<Owned> {
    const seller = await sellers.findSellerOfUser(userId);
    const endpoint = seller && (await endpoints.findEndpoint(seller.id, endpointId));
    if (!endpoint) throw new AppError('endpoint_not_found');
    return { seller, endpoint };
  }

  /** What everything that makes the service send needs of the seller. @throws AppError seller_not_eligible */
  function rightsOf(seller: SellerRecord): Write {
    requireApproved(seller);
    return sellers.sellerApproved(seller.id);
  }

  /** Counts a call for its seller, once however often it is decided on. @throws AppError rate_limited */
  function counting(limit: Limit) {
    let counted: Promise<void> | undefined;
    return ({ id }: SellerRecord) => {
      counted ??= limitRate(limit, `seller ${id}`);
      return counted;
    };
  }

  /** How many of the seller's events a replay of all since a time sends again; of very many, at least so many. */
  async function countReplayed(endpoint: WebhookEndpointRecord, since: string): Promise<number> {
    const at = now();
    let count = 0;
    for (let after: EventId | undefined = lastIdBefore('event', new Date(since)); after && count < mostCounted; ) {
      const page = await events.listEventsAfter(endpoint.sellerId, after, countedTogether);
      count += page.filter((event) => isReplayed(endpoint, event, since, at)).length;
      after = page.length < countedTogether ? undefined : page.at(-1)?.id;
    }
    return count;
  }

  const record = (actor: string, { id: targetId }: WebhookEndpointRecord, entry: Pick<AuditEntry, 'action' | 'before' | 'after'>) =>
    audit.recordAudit({ actor, targetId, ...entry });

  const sealedSecret = (endpointId: EndpointId) => {
    const secret = newSigningSecret(randomBytes);
    return { secret, sealed: sealText(secret, endpointId, encryptionKeys) };
  };

  const deliveryTask = ({ sellerId, id: endpointId }: WebhookEndpointRecord): TaskOf<'deliver-events'> => ({
    kind: 'deliver-events',
    sellerId,
    endpointId,
  });
  /** Whoever asks has mended the receiver: it rests no longer. */
  const wake = (endpoint: WebhookEndpointRecord) => jobs.wakeJob(deliveryTask(endpoint), deliveryLeaseSeconds, {});

  /** The event of a message to this seller, if the endpoint may have it. @throws AppError event_not_found */
  async function getEventId(endpoint: WebhookEndpointRecord, messageId: string): Promise<EventId> {
    const eventId = eventIdOfMessage(messageId);
    const event = eventId && (await events.findEvent(endpoint.sellerId, eventId));
    if (!event || !mayHear(endpoint, event)) throw new AppError('event_not_found');
    return event.id;
  }

  return {
    /** @throws AppError seller_required, seller_not_eligible, rate_limited, too_many_endpoints */
    async createEndpoint(userId: string, request: CreateWebhookEndpointRequest): Promise<WebhookEndpointWithSecret> {
      const seller = await sellers.findSellerOfUser(userId);
      if (!seller) throw new AppError('seller_required');
      const rights = rightsOf(seller);
      await limitRate('endpoint-calls', `seller ${seller.id}`);
      const at = now();
      const id = newId('endpoint', at);
      const { secret, sealed } = sealedSecret(id);
      const endpoint: WebhookEndpointRecord = {
        ...request,
        id,
        sellerId: seller.id,
        eventTypes: keptTypes(request.eventTypes),
        enabled: true,
        sealedSecret: sealed,
        createdAt: at.toISOString(),
        updatedAt: at.toISOString(),
        revision: 1,
      };
      await table.transact([
        rights,
        ...endpoints.createEndpoint(endpoint),
        record(userId, endpoint, { action: 'webhook_endpoint.create', after: auditedEndpoint(endpoint) }),
      ]);
      return { ...toWebhookEndpoint(endpoint), secret };
    },

    /** The caller's own endpoints, newest first. */
    async listEndpoints(userId: string, request: PageRequest): Promise<Page<WebhookEndpoint>> {
      const seller = await sellers.findSellerOfUser(userId);
      if (!seller) return emptyPage(request);
      const page = await endpoints.listPage(seller.id, request);
      return { ...page, items: page.items.map(toWebhookEndpoint) };
    },

    /** @throws AppError endpoint_not_found */
    getEndpoint: async (userId: string, endpointId: EndpointId): Promise<WebhookEndpoint> =>
      toWebhookEndpoint((await getOwn(userId, endpointId)).endpoint),

    /**
     * Changes what was sent and differs. Enabled, it is sent what is still to be sent; disabled, no replay goes on.
     *
     * @throws AppError endpoint_not_found, seller_not_eligible, rate_limited where the URL is another
     */
    updateEndpoint(userId: string, endpointId: EndpointId, request: UpdateWebhookEndpointRequest): Promise<WebhookEndpoint> {
      const count = counting('endpoint-calls');
      return retryOptimisticLock(async () => {
        const { seller, endpoint } = await getOwn(userId, endpointId);
        const rights = rightsOf(seller);
        const { next, changed, isDisabled, beginsAnew } = revisedEndpoint(endpoint, request, now());
        if (changed.length === 0) return toWebhookEndpoint(endpoint);
        if (next.url !== endpoint.url) await count(seller);
        await table.transactOnce([
          rights,
          endpoints.changeEndpoint(endpoint, next),
          ...(beginsAnew ? [wake(endpoint)] : []),
          ...(isDisabled ? [deliveries.cancelReplay(endpointId)] : []),
          record(userId, endpoint, {
            action: 'webhook_endpoint.update',
            before: auditedEndpoint(endpoint),
            after: { ...auditedEndpoint(next), changed: changed.join(' ') },
          }),
        ]);
        if (beginsAnew) await sendJob(deliveryTask(endpoint));
        return toWebhookEndpoint(next);
      });
    },

    /**
     * Gives the endpoint another secret; those that it had sign too for 24 hours each.
     *
     * @throws AppError endpoint_not_found, seller_not_eligible, rate_limited
     */
    rotateSecret(userId: string, endpointId: EndpointId): Promise<WebhookEndpointWithSecret> {
      const count = counting('rotations');
      return retryOptimisticLock(async () => {
        const { seller, endpoint } = await getOwn(userId, endpointId);
        const rights = rightsOf(seller);
        await count(seller);
        const at = now();
        const { secret, sealed } = sealedSecret(endpointId);
        const next = { ...endpoint, ...withSecret(endpoint, sealed, at), updatedAt: at.toISOString() };
        await table.transactOnce([
          rights,
          endpoints.changeEndpoint(endpoint, next),
          record(userId, endpoint, { action: 'webhook_endpoint.rotate_secret' }),
        ]);
        return { ...toWebhookEndpoint(next), secret };
      });
    },

    /** Nothing is sent there any more, for good. @throws AppError endpoint_not_found, seller_not_eligible */
    deleteEndpoint: (userId: string, endpointId: EndpointId): Promise<void> =>
      retryOptimisticLock(async () => {
        const { seller, endpoint } = await getOwn(userId, endpointId);
        requireEligible(seller);
        await table.transactOnce([
          sellers.sellerEligible(seller.id),
          ...endpoints.deleteEndpoint(endpoint),
          deliveries.cancelReplay(endpointId),
          record(userId, endpoint, { action: 'webhook_endpoint.delete', before: auditedEndpoint(endpoint) }),
        ]);
      }),

    /** Makes an event happen for this endpoint alone; resolves to the id of its message. @throws AppError endpoint_not_found, seller_not_eligible, rate_limited */
    sendTestEvent(userId: string, endpointId: EndpointId): Promise<string> {
      const count = counting('endpoint-calls');
      return retryOptimisticLock(async () => {
        const { seller, endpoint } = await getOwn(userId, endpointId);
        const rights = rightsOf(seller);
        await count(seller);
        const eventId = newId('event', now());
        await table.transactOnce([
          rights,
          endpoints.endpointUnchanged(endpoint),
          recordEvent(seller.id, { type: 'test', data: { endpointId: endpoint.id } }, endpoint.id, eventId),
        ]);
        return messageIdOf(eventId, endpoint.id);
      });
    },

    /**
     * Has events sent to the endpoint again, once it is enabled; resolves to how many.
     *
     * @throws AppError invalid_request of a time to come; endpoint_not_found, event_not_found, seller_not_eligible, rate_limited
     */
    async replayEvents(userId: string, endpointId: EndpointId, { since, eventId: messageId }: ReplayEvents): Promise<number> {
      const count = counting('endpoint-calls');
      if (since !== undefined && since > now()) throw new AppError('invalid_request', 'since must not be in the future');
      return retryOptimisticLock(async () => {
        const { seller, endpoint } = await getOwn(userId, endpointId);
        const rights = rightsOf(seller);
        const eventId = messageId === undefined ? undefined : await getEventId(endpoint, messageId);
        await count(seller);
        const asked = { since: since && timeOf(since), eventId };
        // Before anything is written: who is not told how many asks again.
        const replayed = eventId === undefined ? await countReplayed(endpoint, asked.since ?? timeOf(new Date(0))) : 1;
        await table.transactOnce([
          rights,
          endpoints.endpointUnchanged(endpoint),
          ...deliveries.requestReplay(endpointId, asked, now()),
          wake(endpoint),
          record(userId, endpoint, {
            action: 'webhook_endpoint.replay',
            after: { ...(eventId && { eventId }), ...(asked.since && { since: asked.since }) },
          }),
        ]);
        await sendJob(deliveryTask(endpoint));
        return replayed;
      });
    },

    /** What was or is to be sent to the endpoint, the latest event first. @throws AppError endpoint_not_found */
    async listDeliveries(userId: string, endpointId: EndpointId, request: PageRequest): Promise<Page<EventDelivery>> {
      const { endpoint } = await getOwn(userId, endpointId);
      const page = await deliveries.listDeliveries(endpoint.id, request);
      return { ...page, items: page.items.map((delivery) => ({ ...delivery, eventId: messageIdOf(delivery.eventId, endpoint.id) })) };
    },
  };
}

/** In the form of the times of events; of a time before there were any, the first. */
const timeOf = (since: Date) => new Date(Math.max(since.getTime(), 0)).toISOString();
