import { ConditionFailedError, type Table, type Write } from '../../db/table.ts';
import type { EventId } from '../../ids.ts';
import type { SellerEvent } from '../../seller-events/seller-event.ts';
import { findSellerEvent, listEventsAfter } from '../../seller-events/seller-event-repository.ts';
import type { WebhookEndpointRecord } from '../endpoints/webhook-endpoint.ts';
import { endReplay, findDeliveries, findReplay, recordEventReplayed, recordReplayedUpTo, restartDelivery } from './delivery-repository.ts';
import { isReplayed, type Replay, type ReplayRange, replayRangeOf } from './replay.ts';

export type Replayer = ReturnType<typeof createReplayer>;

const readTogether = 50;

/** Makes events due again that a seller asked for, one at a time. It reads ahead: make one for each run. */
export function createReplayer({ table, now = () => new Date() }: { table: Table; now?: (() => Date) | undefined }) {
  let ahead: { after: EventId; events: SellerEvent[] } | undefined;

  /** Events in order after the position, whether the endpoint wants them or not; none when there are no more. */
  async function eventsAfter({ sellerId }: WebhookEndpointRecord, position: EventId): Promise<SellerEvent[]> {
    if (ahead?.after !== position || ahead.events.length === 0) {
      ahead = { after: position, events: await listEventsAfter(table, sellerId, position, readTogether) };
    }
    return ahead.events;
  }

  async function restart(endpoint: WebhookEndpointRecord, event: SellerEvent, progress: Write): Promise<void> {
    const [before] = await findDeliveries(table, endpoint.id, [event.id]);
    await table.transact([progress, ...restartDelivery(endpoint.id, before, event, now())]);
  }

  async function restartOne(endpoint: WebhookEndpointRecord, eventId: EventId): Promise<void> {
    const event = await findSellerEvent({ table, now }, endpoint.sellerId, eventId);
    const progress = recordEventReplayed(endpoint.id, eventId);
    await (event ? restart(endpoint, event, progress) : table.write(progress));
  }

  /** Whether any event of the range was left. */
  async function restartNext(endpoint: WebhookEndpointRecord, replay: Replay, { since, position }: ReplayRange): Promise<boolean> {
    const following = (await eventsAfter(endpoint, position)).filter(({ at }) => at < replay.askedAt);
    const skipped = following.findIndex((event) => isReplayed(endpoint, event, since, now()));
    const event = following[skipped];
    const last = event ?? following.at(-1);
    if (!last) return false;
    const progress = recordReplayedUpTo(endpoint.id, replay, since, last.id);
    await (event ? restart(endpoint, event, progress) : table.write(progress));
    ahead = { after: last.id, events: event ? following.slice(skipped + 1) : [] };
    return true;
  }

  return {
    /** Makes the next event due, or looks through a page of those that are not wanted. False when nothing is left of the replay. */
    async makeNextDue(endpoint: WebhookEndpointRecord): Promise<boolean> {
      const replay = await findReplay(table, endpoint.id);
      if (!replay) return false;
      try {
        const [single] = [...(replay.eventIds ?? [])].toSorted();
        const range = replayRangeOf(replay);
        if (single !== undefined) await restartOne(endpoint, single);
        else if (!range || !(await restartNext(endpoint, replay, range))) await table.write(endReplay(endpoint.id, replay));
      } catch (error) {
        // Cancelled, or asked for anew: the next look tells.
        if (!(error instanceof ConditionFailedError)) throw error;
      }
      return true;
    },
  };
}
