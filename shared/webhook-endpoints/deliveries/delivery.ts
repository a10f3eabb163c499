import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type EndpointId, type EventId, idOf, isId } from '../../ids.ts';
import { dateTime } from '../../schemas.ts';
import { sellerEventTypes } from '../../seller-events/seller-event.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** An event on its way to one endpoint, or how it got there. */
export const Delivery = z.object({
  eventId: idOf('event'),
  type: z.enum(sellerEventTypes),
  status: z.enum(deliveryStatuses),
  /** How often it was sent since it was last asked for. */
  attempts: z.int(),
  lastStatusCode: z.optional(z.int()),
  /** Why the last attempt failed: a code, never what the receiver said. */
  lastError: z.optional(z.string()),
  nextAttemptAt: z.optional(dateTime),
  createdAt: dateTime,
});
export type Delivery = z.infer<typeof Delivery>;

/** The place of a delivery that is to be sent among those of its endpoint. */
export const PendingDelivery = z.pick(z.required(Delivery), { eventId: true, type: true, nextAttemptAt: true });
export type PendingDelivery = z.infer<typeof PendingDelivery>;

/** How long one run of deliveries to an endpoint may hold their job: longer than the function that runs them lives. */
export const deliveryLeaseSeconds = 60;

/** Why an attempt failed. Nothing that the receiver said is part of it. */
export const attemptErrors = [
  'url_not_allowed',
  'name_not_resolved',
  'address_not_public',
  'connection_failed',
  'tls_failed',
  'timeout',
  'reply_malformed',
  'redirected',
  'status',
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** How an attempt went: without an error the receiver took the event. */
export interface AttemptOutcome {
  statusCode?: number;
  error?: AttemptError;
}

/** Seconds from a failed attempt to the next; there is none after the last. See "Retry schedule" in shared/webhook-endpoints/deliveries.md */
const retryDelays = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];
/** So that what failed together does not come again together. */
const jitter = 0.1;

/** The delivery after an attempt that ended at `at`; `random` is a number in [0, 1). */
export function afterAttempt<Known extends Delivery>(
  delivery: Known,
  { statusCode, error }: AttemptOutcome,
  at: Date,
  random: number,
): Known {
  const attempts = delivery.attempts + 1;
  const attempted = { ...delivery, attempts, lastStatusCode: statusCode, lastError: error, nextAttemptAt: undefined };
  if (error === undefined) return { ...attempted, status: 'delivered' };
  const delay = retryDelays[delivery.attempts];
  if (delay === undefined) return { ...attempted, status: 'failed' };
  const wait = delay * (1 + jitter * (2 * random - 1));
  return { ...attempted, nextAttemptAt: new Date(at.getTime() + wait * 1000).toISOString() };
}

/** The id of the message: the same in every attempt, and of one endpoint alone. */
export function messageIdOf(eventId: EventId, endpointId: EndpointId): string {
  return `${eventId}_${createHash('sha256').update(endpointId).digest('base64url').slice(0, 8)}`;
}

const messageIdForm = /^(evt_[0-9A-Z]{26})(?:_[\w-]{8})?$/;

/** Of which event the message was, to whatever endpoint; the id of the event itself is taken too. Undefined: of none. */
export function eventIdOfMessage(text: string): EventId | undefined {
  const id = messageIdForm.exec(text)?.[1];
  return id !== undefined && isId('event', id) ? id : undefined;
}
