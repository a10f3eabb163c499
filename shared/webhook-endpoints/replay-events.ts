import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { type EndpointId, type EventId, lastIdBefore } from '../ids.ts';
import { findSellerEvent, listEventsAfter } from '../seller-events/seller-event-repository.ts';
import { eventIdOfMessage } from './deliveries/delivery.ts';
import { requestReplay } from './deliveries/delivery-repository.ts';
import { isReplayed } from './deliveries/replay.ts';
import { mayReceive, type WebhookEndpointRecord } from './endpoints/webhook-endpoint.ts';
import { checkEndpointUnchanged } from './endpoints/webhook-endpoint-repository.ts';
import { decideOnEndpoint, deliveryTask, recordEndpointAudit, wakeSender } from './own-endpoint.ts';

/** What a seller asks to have sent again: the event of this message, or all since a time, or all that are kept. */
export interface ReplayEvents {
  since?: Date | undefined;
  eventId?: string | undefined;
}

/** How many events are read at once, to count them. */
const countedTogether = 1000;

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

/** The event of a message to this seller, if the endpoint may have it. @throws AppError event_not_found */
async function eventIdOfRequest(c: Needs<'table' | 'now'>, endpoint: WebhookEndpointRecord, messageId: string): Promise<EventId> {
  const eventId = eventIdOfMessage(messageId);
  const event = eventId && (await findSellerEvent(c, endpoint.sellerId, eventId));
  if (!event || !mayReceive(endpoint, event)) throw new AppError('event_not_found');
  return event.id;
}

/**
 * Has events sent to the endpoint again, once it is enabled; resolves to how many.
 *
 * @throws AppError invalid_request of a time to come; endpoint_not_found, event_not_found, seller_not_eligible, rate_limited
 */
export async function replayEvents(
  c: Needs<'table' | 'now' | 'sendJob' | 'limitRate'>,
  caller: Caller,
  endpointId: EndpointId,
  { since, eventId: messageId }: ReplayEvents,
  maxCounted = usuallyCounted,
): Promise<number> {
  if (since !== undefined && since > c.now()) throw invalidField('since', rules.inFuture);
  return decideOnEndpoint(c, 'endpoint-calls', caller, endpointId, async ({ endpoint, rights, count }) => {
    const eventId = messageId === undefined ? undefined : await eventIdOfRequest(c, endpoint, messageId);
    await count();
    const requested = { since: since && timeOf(since), eventId };
    // Counted before anything is written: a caller without a reply would retry.
    const replayed = eventId === undefined ? await countReplayed(c, endpoint, requested.since ?? timeOf(new Date(0)), maxCounted) : 1;
    await c.table.transactOnce([
      rights,
      checkEndpointUnchanged(endpoint),
      ...requestReplay(endpointId, requested, c.now()),
      wakeSender(c, endpoint),
      recordEndpointAudit(c, auditActorOf(caller), endpoint, {
        action: 'webhook_endpoint.replay',
        after: { ...(eventId && { eventId }), ...(requested.since && { since: requested.since }) },
      }),
    ]);
    await c.sendJob(deliveryTask(endpoint));
    return replayed;
  });
}

/** In the form of the times of events; of a time before there were any, the first. */
const timeOf = (since: Date) => new Date(Math.max(since.getTime(), 0)).toISOString();
