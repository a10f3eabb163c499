import type { Needs } from '../context.ts';
import { ifAbsent, type Write } from '../db/table.ts';
import { type EndpointId, type EventId, newId, type SellerId } from '../ids.ts';
import { newJob } from '../jobs/new-job.ts';
import type { NewEvent, SellerEvent } from './seller-event.ts';

/**
 * Records that it happened; part of the transaction that makes it happen. One write, of the job that will
 * publish it: the table's stream tells the publisher, so that nobody waits. See "From cause to endpoint" in README.md
 */
export function recordEvent(c: Needs<'now'>, sellerId: SellerId, { type, data }: NewEvent, endpointId?: EndpointId, id?: EventId): Write {
  const at = c.now();
  const payload: SellerEvent = { id: id ?? newId('event', at), sellerId, type, at: at.toISOString(), data, endpointId };
  return { put: { Item: { ...newJob({ kind: 'publish-event', eventId: payload.id }, at), payload }, ...ifAbsent } };
}
