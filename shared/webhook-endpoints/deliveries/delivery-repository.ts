import * as z from 'zod/mini';
import { deliveriesOfEndpoint, deliveryKey, dueDeliveries, dueDeliveryKey, replayKey } from '../../db/keys.ts';
import { listPartitionPage, type Page, type PageRequest } from '../../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import type { EndpointId, EventId } from '../../ids.ts';
import { eventKeptUntil, type SellerEvent } from '../../seller-events/seller-event.ts';
import { Delivery, PendingDelivery } from './delivery.ts';
import { Replay, type ReplayRequest } from './replay.ts';

/** The maximum number of single events, and of times, waiting for replay: they share one item. */
const maxReplayed = 1000;

/** A delivery as it was read, which its next record must follow. */
export const KnownDelivery = z.extend(Delivery, { ttl: z.optional(z.number()) });

export type KnownDelivery = z.infer<typeof KnownDelivery>;

/** The event is to be sent to the endpoint, now. Known before → ConditionFailedError. */
export function addDelivery(endpointId: EndpointId, event: SellerEvent, at: Date): Write[] {
  return moveDelivery(endpointId, undefined, newDelivery(event, at));
}

/** The event is to be sent to the endpoint again, as if it never was. Changed since it was read → ConditionFailedError. */
export function restartDelivery(endpointId: EndpointId, before: KnownDelivery | undefined, event: SellerEvent, at: Date): Write[] {
  const { createdAt, ...delivery } = newDelivery(event, at);
  return moveDelivery(endpointId, before, { ...delivery, createdAt: before?.createdAt ?? createdAt });
}

/** How an attempt went, or that there will be none. Changed since it was read → ConditionFailedError. */
export function recordDelivery(endpointId: EndpointId, before: KnownDelivery, after: KnownDelivery): Write[] {
  return moveDelivery(endpointId, before, after);
}

/** The place of a delivery among the pending ones, which it has no more. */
export function removePendingPlace(endpointId: EndpointId, { nextAttemptAt, eventId }: PendingDelivery): Write {
  return { delete: { Key: dueDeliveryKey(endpointId, nextAttemptAt, eventId) } };
}

/** At most `limit` of those that are to be sent, now or later, in the order in which they are due. */
export async function listPending(table: Table, endpointId: EndpointId, limit: number): Promise<PendingDelivery[]> {
  const { pk, prefix } = dueDeliveries(endpointId);
  const { items } = await table.query({ partition: pk, prefix, limit });
  return items.map((item) => PendingDelivery.parse(item));
}

/** What is known of the deliveries of these events, in no certain order. */
export async function findDeliveries(table: Table, endpointId: EndpointId, eventIds: readonly EventId[]): Promise<KnownDelivery[]> {
  const items = await table.batchGet(eventIds.map((eventId) => deliveryKey(endpointId, eventId)));
  return items.map((item) => KnownDelivery.parse(item));
}

/** What was or is to be sent to the endpoint, the latest event first. */
export async function listDeliveries(table: Table, endpointId: EndpointId, request: PageRequest): Promise<Page<Delivery>> {
  const range = deliveriesOfEndpoint(endpointId);
  const page = await listPartitionPage(table, `deliveries-of-${endpointId}`, range, { ...request, newestFirst: true });
  return { ...page, items: page.items.map((item) => Delivery.parse(item)) };
}

/**
 * One event, or all since a time, are to be sent to the endpoint again: those that it wants and that happened
 * before `at`. It adds to what was asked for before. Wake the endpoint's job after it. See "Replay" in shared/webhook-endpoints/deliveries.md
 *
 * @throws AppError rate_limited while a thousand of its kind wait
 */
export function requestReplay(endpointId: EndpointId, { since, eventId }: ReplayRequest, at: Date): Write[] {
  const requested = eventId === undefined ? ['sinces', since ?? new Date(0).toISOString()] : ['eventIds', eventId];
  return [
    {
      update: {
        Key: replayKey(endpointId),
        UpdateExpression: 'SET askedAt = :at ADD #wanted :wanted',
        ConditionExpression: 'attribute_not_exists(#wanted) OR size(#wanted) < :most',
        ExpressionAttributeNames: { '#wanted': requested[0] ?? '' },
        ExpressionAttributeValues: { ':at': at.toISOString(), ':wanted': new Set([requested[1]]), ':most': maxReplayed },
      },
      onConditionFailed: () => new AppError('rate_limited', 'Too much waits to be sent again already.', { retryAfterSeconds: 60 }),
    },
  ];
}

/** Nothing is to be sent again any more. */
export function cancelReplay(endpointId: EndpointId): Write {
  return { delete: { Key: replayKey(endpointId) } };
}

export async function findReplay(table: Table, endpointId: EndpointId): Promise<Replay | undefined> {
  const item = await table.get(replayKey(endpointId));
  return item && Replay.parse(item);
}

/** Records that the event was made due. No longer requested → ConditionFailedError. */
export function recordEventReplayed(endpointId: EndpointId, eventId: EventId): Write {
  return {
    update: {
      Key: replayKey(endpointId),
      UpdateExpression: 'DELETE eventIds :done',
      ConditionExpression: 'contains(eventIds, :eventId)',
      ExpressionAttributeValues: { ':done': new Set([eventId]), ':eventId': eventId },
    },
  };
}

/** Every event up to this one was made due. Cancelled, or moved by another run → ConditionFailedError. */
export function recordReplayedUpTo(endpointId: EndpointId, { position, sinces }: Replay, since: string, eventId: EventId): Write {
  return {
    update: {
      Key: replayKey(endpointId),
      UpdateExpression: `SET #since = :since, #position = :eventId${sinces ? ' DELETE sinces :sinces' : ''}`,
      ConditionExpression: `attribute_exists(pk) AND ${position ? '#position = :position' : 'attribute_not_exists(#position)'}`,
      ExpressionAttributeNames: { '#since': 'since', '#position': 'position' },
      ExpressionAttributeValues: {
        ':since': since,
        ':eventId': eventId,
        ...(sinces && { ':sinces': sinces }),
        ...(position && { ':position': position }),
      },
    },
  };
}

/** All of it was made due. Something else was asked for since it was read → ConditionFailedError. */
export function endReplay(endpointId: EndpointId, { askedAt, sinces }: Replay): Write {
  return {
    delete: {
      Key: replayKey(endpointId),
      ConditionExpression: `askedAt = :askedAt AND attribute_not_exists(eventIds) AND ${sinces ? 'sinces = :sinces' : 'attribute_not_exists(sinces)'}`,
      ExpressionAttributeValues: { ':askedAt': askedAt, ...(sinces && { ':sinces': sinces }) },
    },
  };
}

function newDelivery(event: SellerEvent, at: Date): KnownDelivery {
  const nextAttemptAt = at.toISOString();
  const ttl = Math.floor(eventKeptUntil(event) / 1000);
  return { eventId: event.id, type: event.type, status: 'pending', attempts: 0, nextAttemptAt, createdAt: nextAttemptAt, ttl };
}

/** A delivery has a place among the pending ones of its endpoint exactly while it is pending. */
function moveDelivery(endpointId: EndpointId, before: KnownDelivery | undefined, after: KnownDelivery): Write[] {
  const { eventId, type, nextAttemptAt, ttl } = after;
  const former = before?.nextAttemptAt === nextAttemptAt ? undefined : before?.nextAttemptAt;
  const pending = nextAttemptAt === undefined ? undefined : { eventId, type, nextAttemptAt, ttl };
  return [
    { put: { Item: { ...deliveryKey(endpointId, eventId), ...after }, ...(before ? unchanged(before) : ifAbsent) } },
    ...(former === undefined ? [] : [{ delete: { Key: dueDeliveryKey(endpointId, former, eventId) } }]),
    ...(pending ? [{ put: { Item: { ...dueDeliveryKey(endpointId, pending.nextAttemptAt, eventId), ...pending } } }] : []),
  ];
}

function unchanged({ status, attempts, nextAttemptAt }: KnownDelivery) {
  return {
    ConditionExpression: `#status = :status AND attempts = :attempts AND ${nextAttemptAt ? 'nextAttemptAt = :next' : 'attribute_not_exists(nextAttemptAt)'}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status, ':attempts': attempts, ...(nextAttemptAt && { ':next': nextAttemptAt }) },
  };
}
