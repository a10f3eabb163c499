import type { Needs } from '../context.ts';
import { eventsOfSeller, sellerEventKey } from '../db/keys.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { type EventId, isId, type SellerId } from '../ids.ts';
import { eventKeptUntil, SellerEvent } from './seller-event.ts';

/** Keeps the event for as long as it can be sent again. Published before → ConditionFailedError. */
export function keepSellerEvent(event: SellerEvent): Write {
  const ttl = Math.floor(eventKeptUntil(event) / 1000);
  const item: Item = { ...sellerEventKey(event.sellerId, event.id), ...event, ttl };
  return { put: { Item: item, ...ifAbsent } };
}

/** The event, while it is kept. */
export async function findSellerEvent(c: Needs<'table' | 'now'>, sellerId: SellerId, eventId: EventId): Promise<SellerEvent | undefined> {
  const item = isId('event', eventId) ? await c.table.get(sellerEventKey(sellerId, eventId)) : undefined;
  return keptOf(c, item ? [item] : [])[0];
}

/** Those of the events that are kept, in no certain order. */
export async function findSellerEvents(
  c: Needs<'table' | 'now'>,
  sellerId: SellerId,
  eventIds: readonly EventId[],
): Promise<SellerEvent[]> {
  return keptOf(c, await c.table.batchGet(eventIds.map((id) => sellerEventKey(sellerId, id))));
}

/** At most `limit` of the seller's events after this one, in the order in which they happened, those that are gone too. */
export async function listEventsAfter(
  table: Table,
  sellerId: SellerId,
  eventId: EventId | undefined,
  limit: number,
): Promise<SellerEvent[]> {
  const { pk, prefix } = eventsOfSeller(sellerId);
  const after = eventId === undefined ? undefined : sellerEventKey(sellerId, eventId).sk;
  const { items } = await table.query({ partition: pk, prefix, after, limit });
  return items.map((item) => SellerEvent.parse(item));
}

/** The table may take days to delete what has expired. */
function keptOf(c: Needs<'now'>, items: readonly Item[]): SellerEvent[] {
  return items.map((item) => SellerEvent.parse(item)).filter((event) => eventKeptUntil(event) > c.now().getTime());
}
