import { randomInt, randomUUID } from 'node:crypto';
import type { Transaction } from '../store/provider-store.ts';
import type { Delivery, DeliverySettings, Destination } from '../store/records.ts';

const defaultSettings: DeliverySettings = { copies: 1, delayMs: 0, shuffleMs: 0, hold: false };
export const settingsOf = (tx: Transaction): DeliverySettings => tx.find('settings', 'settings') ?? defaultSettings;

/** Puts an event on its way to one endpoint, by the present settings. */
export function queueDelivery(tx: Transaction, event: { id: string; type: string; body: unknown }, destination: Destination): void {
  const { copies, delayMs, shuffleMs, hold } = settingsOf(tx);
  const madeAt = Date.now();
  for (let copy = 0; copy < copies; copy += 1) {
    const delivery: Delivery = {
      id: randomUUID(),
      eventId: event.id,
      type: event.type,
      destination,
      body: JSON.stringify(event.body),
      state: hold ? 'held' : 'waiting',
      attempts: 0,
      dueAt: madeAt + delayMs + (shuffleMs > 0 ? randomInt(shuffleMs + 1) : 0),
      madeAt,
    };
    tx.put('delivery', delivery.id, delivery);
  }
}

export type SendOrder = 'made' | 'reverse' | 'random';

/** Lets held deliveries go, one after another in this order, some milliseconds apart. Returns how many. */
export function sendHeld(tx: Transaction, order: SendOrder): number {
  const held = tx.list('delivery', ({ state }) => state === 'held');
  const ordered = order === 'reverse' ? held.reverse() : order === 'random' ? shuffled(held) : held;
  ordered.forEach((delivery, index) => {
    tx.put('delivery', delivery.id, { ...delivery, state: 'waiting', dueAt: Date.now() + index * 20 });
  });
  return held.length;
}

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((value) => ({ value, rank: randomInt(2 ** 32) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);

/** What was not delivered when the process ended is due at once in the next. */
export function makeAllDue(tx: Transaction): void {
  for (const delivery of tx.list('delivery', ({ state }) => state === 'waiting')) {
    tx.put('delivery', delivery.id, { ...delivery, dueAt: Date.now() });
  }
}

const giveUpAfterMs = 3 * 24 * 3600 * 1000;
const maxPauseMs = 60_000;
const pauseAfter = (attempts: number) => Math.min(maxPauseMs, 500 * 2 ** attempts);
const keptInLog = 200;

/** What comes of an attempt: it is delivered, given up, or due again after a pause that grows. */
export function recordAttempt(tx: Transaction, id: string, { ok, outcome }: { ok: boolean; outcome: string }): void {
  const delivery = tx.find('delivery', id);
  if (!delivery) return;
  const attempts = delivery.attempts + 1;
  const tried: Delivery = { ...delivery, attempts, lastOutcome: outcome };
  const givenUp = !ok && Date.now() - delivery.madeAt > giveUpAfterMs;
  if (!ok && !givenUp) {
    tx.put('delivery', id, { ...tried, dueAt: Date.now() + pauseAfter(attempts) });
    return;
  }
  tx.remove('delivery', id);
  tx.put('delivered', id, { ...tried, state: ok ? 'delivered' : 'given_up' });
  const log = tx.ids('delivered');
  for (const old of log.slice(0, Math.max(0, log.length - keptInLog))) tx.remove('delivered', old);
}
