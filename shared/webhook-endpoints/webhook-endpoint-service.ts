/** What sellers do with the endpoints of their systems. `userId` is the caller. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type AuditEntry, recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { sealText } from '../crypto/sealed-text.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { emptyPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { type EndpointId, type EventId, lastIdBefore, newId } from '../ids.ts';
import type { TaskOf } from '../jobs/job.ts';
import { wakeJob } from '../jobs/job-repository.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import { findSellerEvent, listEventsAfter } from '../seller-events/seller-event-repository.ts';
import { requireApproved, requireEligible, type SellerRecord } from '../sellers/seller.ts';
import { checkSellerApproved, checkSellerEligible, findSellerOfUser } from '../sellers/seller-repository.ts';
import { Delivery, deliveryLeaseSeconds, eventIdOfMessage, messageIdOf } from './deliveries/delivery.ts';
import { cancelReplay, listDeliveries, requestReplay } from './deliveries/delivery-repository.ts';
import { isReplayed } from './deliveries/replay.ts';
import { newSigningSecret, withSecret } from './endpoints/signing-secret.ts';
import {
  auditedEndpoint,
  type CreateWebhookEndpointRequest,
  mayReceive,
  revisedEndpoint,
  storedTypes,
  toWebhookEndpoint,
  type UpdateWebhookEndpointRequest,
  WebhookEndpoint,
  type WebhookEndpointRecord,
} from './endpoints/webhook-endpoint.ts';
import {
  addEndpoint,
  changeEndpoint,
  checkEndpointUnchanged,
  findEndpoint,
  listEndpointPage,
  removeEndpoint,
} from './endpoints/webhook-endpoint-repository.ts';

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

/** @throws AppError endpoint_not_found, of another's too */
async function getOwn(table: Table, userId: string, endpointId: EndpointId): Promise<Owned> {
  const seller = await findSellerOfUser(table, userId);
  const endpoint = seller && (await findEndpoint(table, seller.id, endpointId));
  if (!endpoint) throw new AppError('endpoint_not_found');
  return { seller, endpoint };
}

/** What everything that makes the service send needs of the seller. @throws AppError seller_not_eligible */
function rightsOf(seller: SellerRecord): Write {
  requireApproved(seller);
  return checkSellerApproved(seller.id);
}

/** Counts a call for its seller, once however often it is decided on. @throws AppError rate_limited */
function counting(c: Needs<'limitRate'>, limit: Limit) {
  let counted: Promise<void> | undefined;
  return ({ id }: SellerRecord) => {
    counted ??= c.limitRate(limit, `seller ${id}`);
    return counted;
  };
}

/** How many events of a replay are counted: a reply is waited for. */
const usuallyCounted = 100_000;

/** How many of the seller's events a replay of all since a time sends again; of very many, at least so many. */
async function countReplayed(
  c: Needs<'table' | 'now'>,
  endpoint: WebhookEndpointRecord,
  since: string,
  maxCounted: number,
): Promise<number> {
  const at = c.now();
  let count = 0;
  for (let after: EventId | undefined = lastIdBefore('event', new Date(since)); after && count < maxCounted; ) {
    const page = await listEventsAfter(c.table, endpoint.sellerId, after, countedTogether);
    count += page.filter((event) => isReplayed(endpoint, event, since, at)).length;
    after = page.length < countedTogether ? undefined : page.at(-1)?.id;
  }
  return count;
}

const record = (
  c: Needs<'now'>,
  actor: string,
  { id: targetId }: WebhookEndpointRecord,
  entry: Pick<AuditEntry, 'action' | 'before' | 'after'>,
) => recordAudit(c, { actor, targetId, ...entry });

function sealedSecret(c: Needs<'ENCRYPTION_KEYS'>, endpointId: EndpointId) {
  const secret = newSigningSecret(randomBytes);
  return { secret, sealed: sealText(secret, endpointId, c.settings.ENCRYPTION_KEYS) };
}

const deliveryTask = ({ sellerId, id: endpointId }: WebhookEndpointRecord): TaskOf<'deliver-events'> => ({
  kind: 'deliver-events',
  sellerId,
  endpointId,
});
/** A request implies that the receiver was fixed, so the endpoint no longer rests. */
const wake = (c: Needs<'now'>, endpoint: WebhookEndpointRecord) => wakeJob(c, deliveryTask(endpoint), deliveryLeaseSeconds, {});

/** The event of a message to this seller, if the endpoint may have it. @throws AppError event_not_found */
async function eventIdOfRequest(c: Needs<'table' | 'now'>, endpoint: WebhookEndpointRecord, messageId: string): Promise<EventId> {
  const eventId = eventIdOfMessage(messageId);
  const event = eventId && (await findSellerEvent(c, endpoint.sellerId, eventId));
  if (!event || !mayReceive(endpoint, event)) throw new AppError('event_not_found');
  return event.id;
}

/** @throws AppError seller_required, seller_not_eligible, rate_limited, too_many_endpoints */
export async function createEndpoint(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'limitRate'>,
  userId: string,
  request: CreateWebhookEndpointRequest,
): Promise<WebhookEndpointWithSecret> {
  const seller = await findSellerOfUser(c.table, userId);
  if (!seller) throw new AppError('seller_required');
  const writeConditions = rightsOf(seller);
  await c.limitRate('endpoint-calls', `seller ${seller.id}`);
  const at = c.now();
  const id = newId('endpoint', at);
  const { secret, sealed } = sealedSecret(c, id);
  const endpoint: WebhookEndpointRecord = {
    ...request,
    id,
    sellerId: seller.id,
    eventTypes: storedTypes(request.eventTypes),
    enabled: true,
    sealedSecret: sealed,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    revision: 1,
  };
  await c.table.transact([
    writeConditions,
    ...addEndpoint(endpoint),
    record(c, userId, endpoint, { action: 'webhook_endpoint.create', after: auditedEndpoint(endpoint) }),
  ]);
  return { ...toWebhookEndpoint(endpoint), secret };
}

/** The caller's own endpoints, newest first. */
export async function listOwnEndpoints(table: Table, userId: string, request: PageRequest): Promise<Page<WebhookEndpoint>> {
  const seller = await findSellerOfUser(table, userId);
  if (!seller) return emptyPage(request);
  const page = await listEndpointPage(table, seller.id, request);
  return { ...page, items: page.items.map(toWebhookEndpoint) };
}

/** @throws AppError endpoint_not_found */
export const getOwnEndpoint = async (table: Table, userId: string, endpointId: EndpointId): Promise<WebhookEndpoint> =>
  toWebhookEndpoint((await getOwn(table, userId, endpointId)).endpoint);

/**
 * Changes what was sent and differs. Enabled, it is sent what is still to be sent; disabled, no replay goes on.
 *
 * @throws AppError endpoint_not_found, seller_not_eligible, rate_limited where the URL is another
 */
export function updateEndpoint(
  c: Needs<'table' | 'now' | 'sendJob' | 'limitRate'>,
  userId: string,
  endpointId: EndpointId,
  request: UpdateWebhookEndpointRequest,
): Promise<WebhookEndpoint> {
  const count = counting(c, 'endpoint-calls');
  return retryOptimisticLock(async () => {
    const { seller, endpoint } = await getOwn(c.table, userId, endpointId);
    const writeConditions = rightsOf(seller);
    const { next, changed, isDisabled, beginsAnew } = revisedEndpoint(endpoint, request, c.now());
    if (changed.length === 0) return toWebhookEndpoint(endpoint);
    if (next.url !== endpoint.url) await count(seller);
    await c.table.transactOnce([
      writeConditions,
      changeEndpoint(endpoint, next),
      ...(beginsAnew ? [wake(c, endpoint)] : []),
      ...(isDisabled ? [cancelReplay(endpointId)] : []),
      record(c, userId, endpoint, {
        action: 'webhook_endpoint.update',
        before: auditedEndpoint(endpoint),
        after: { ...auditedEndpoint(next), changed: changed.join(' ') },
      }),
    ]);
    if (beginsAnew) await c.sendJob(deliveryTask(endpoint));
    return toWebhookEndpoint(next);
  });
}

/**
 * Gives the endpoint another secret; those that it had sign too for 24 hours each.
 *
 * @throws AppError endpoint_not_found, seller_not_eligible, rate_limited
 */
export function rotateSecret(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'limitRate'>,
  userId: string,
  endpointId: EndpointId,
): Promise<WebhookEndpointWithSecret> {
  const count = counting(c, 'rotations');
  return retryOptimisticLock(async () => {
    const { seller, endpoint } = await getOwn(c.table, userId, endpointId);
    const writeConditions = rightsOf(seller);
    await count(seller);
    const at = c.now();
    const { secret, sealed } = sealedSecret(c, endpointId);
    const next = { ...endpoint, ...withSecret(endpoint, sealed, at), updatedAt: at.toISOString() };
    await c.table.transactOnce([
      writeConditions,
      changeEndpoint(endpoint, next),
      record(c, userId, endpoint, { action: 'webhook_endpoint.rotate_secret' }),
    ]);
    return { ...toWebhookEndpoint(next), secret };
  });
}

/** Nothing is sent there any more, for good. @throws AppError endpoint_not_found, seller_not_eligible */
export const deleteEndpoint = (c: Needs<'table' | 'now'>, userId: string, endpointId: EndpointId): Promise<void> =>
  retryOptimisticLock(async () => {
    const { seller, endpoint } = await getOwn(c.table, userId, endpointId);
    requireEligible(seller);
    await c.table.transactOnce([
      checkSellerEligible(seller.id),
      ...removeEndpoint(endpoint),
      cancelReplay(endpointId),
      record(c, userId, endpoint, { action: 'webhook_endpoint.delete', before: auditedEndpoint(endpoint) }),
    ]);
  });

/** Makes an event happen for this endpoint alone; resolves to the id of its message. @throws AppError endpoint_not_found, seller_not_eligible, rate_limited */
export function sendTestEvent(c: Needs<'table' | 'now' | 'limitRate'>, userId: string, endpointId: EndpointId): Promise<string> {
  const count = counting(c, 'endpoint-calls');
  return retryOptimisticLock(async () => {
    const { seller, endpoint } = await getOwn(c.table, userId, endpointId);
    const writeConditions = rightsOf(seller);
    await count(seller);
    const eventId = newId('event', c.now());
    await c.table.transactOnce([
      writeConditions,
      checkEndpointUnchanged(endpoint),
      recordEvent(c, seller.id, { type: 'test', data: { endpointId: endpoint.id } }, endpoint.id, eventId),
    ]);
    return messageIdOf(eventId, endpoint.id);
  });
}

/**
 * Has events sent to the endpoint again, once it is enabled; resolves to how many.
 *
 * @throws AppError invalid_request of a time to come; endpoint_not_found, event_not_found, seller_not_eligible, rate_limited
 */
export async function replayEvents(
  c: Needs<'table' | 'now' | 'sendJob' | 'limitRate'>,
  userId: string,
  endpointId: EndpointId,
  { since, eventId: messageId }: ReplayEvents,
  maxCounted = usuallyCounted,
): Promise<number> {
  const count = counting(c, 'endpoint-calls');
  if (since !== undefined && since > c.now()) throw invalidField('since', rules.inFuture);
  return retryOptimisticLock(async () => {
    const { seller, endpoint } = await getOwn(c.table, userId, endpointId);
    const writeConditions = rightsOf(seller);
    const eventId = messageId === undefined ? undefined : await eventIdOfRequest(c, endpoint, messageId);
    await count(seller);
    const requested = { since: since && timeOf(since), eventId };
    // Counted before anything is written: a caller without a reply would retry.
    const replayed = eventId === undefined ? await countReplayed(c, endpoint, requested.since ?? timeOf(new Date(0)), maxCounted) : 1;
    await c.table.transactOnce([
      writeConditions,
      checkEndpointUnchanged(endpoint),
      ...requestReplay(endpointId, requested, c.now()),
      wake(c, endpoint),
      record(c, userId, endpoint, {
        action: 'webhook_endpoint.replay',
        after: { ...(eventId && { eventId }), ...(requested.since && { since: requested.since }) },
      }),
    ]);
    await c.sendJob(deliveryTask(endpoint));
    return replayed;
  });
}

/** What was or is to be sent to the endpoint, the latest event first. @throws AppError endpoint_not_found */
export async function listOwnDeliveries(
  table: Table,
  userId: string,
  endpointId: EndpointId,
  request: PageRequest,
): Promise<Page<EventDelivery>> {
  const { endpoint } = await getOwn(table, userId, endpointId);
  const page = await listDeliveries(table, endpoint.id, request);
  return { ...page, items: page.items.map((delivery) => ({ ...delivery, eventId: messageIdOf(delivery.eventId, endpoint.id) })) };
}

/** In the form of the times of events; of a time before there were any, the first. */
const timeOf = (since: Date) => new Date(Math.max(since.getTime(), 0)).toISOString();
