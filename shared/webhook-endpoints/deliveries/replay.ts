import * as z from 'zod/mini';
import { type EventId, idOf, lastIdBefore } from '../../ids.ts';
import { dateTime } from '../../schemas.ts';
import { eventKeptUntil, type SellerEvent } from '../../seller-events/seller-event.ts';
import { isSubscribed, type WebhookEndpointRecord } from '../endpoints/webhook-endpoint.ts';

/** What a seller asks to have sent again: the one event, or all since then, or all that are kept. */
export interface ReplayRequest {
  since?: string | undefined;
  eventId?: EventId | undefined;
}

/** What is to be sent to an endpoint again, and how far that came. */
export const Replay = z.object({
  /** When it was last asked for: what happens later is sent anyway. */
  askedAt: dateTime,
  /** Single events. */
  eventIds: z.optional(z.set(idOf('event'))),
  /** Times from which on everything is asked for, and that are not yet looked at. */
  sinces: z.optional(z.set(dateTime)),
  /** Everything from then on … */
  since: z.optional(dateTime),
  /** … up to this event was made due. */
  position: z.optional(idOf('event')),
});
export type Replay = z.infer<typeof Replay>;

/** The events that are left of it: those after `position` that happened from `since` on. */
export interface ReplayRange {
  since: string;
  position: EventId;
}

/** What of it is a range; undefined when single events are all. One that is asked for twice begins anew. */
export function replayRangeOf({ since, sinces, position }: Replay): ReplayRange | undefined {
  const requestedSince = [...(sinces ?? [])].toSorted()[0];
  const started = since !== undefined && position !== undefined ? { since, position } : undefined;
  if (requestedSince === undefined) return started;
  const fresh = { since: requestedSince, position: lastIdBefore('event', new Date(requestedSince)) };
  if (started === undefined) return fresh;
  return { since: earlierOf(fresh.since, started.since), position: earlierOf(fresh.position, started.position) };
}

/** Whether the event is sent again where all since a time is asked for. */
export function isReplayed(endpoint: WebhookEndpointRecord, event: SellerEvent, since: string, at: Date): boolean {
  return event.at >= since && eventKeptUntil(event) > at.getTime() && isSubscribed(endpoint, event);
}

function earlierOf<Text extends string>(one: Text, other: Text): Text {
  if (other < one) return other;
  return one;
}
