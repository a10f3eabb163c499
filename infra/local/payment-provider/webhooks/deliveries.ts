import { createHmac, randomInt, randomUUID } from 'node:crypto';
import type { ProviderStore, Transaction } from '../objects/provider-store.ts';
import type { Delivery, DeliverySettings, Destination } from '../objects/records.ts';

export interface WebhookEndpoint {
  url: string;
  /** Signs the deliveries: the whole text, `whsec_…`. Read anew for each. */
  secret: string;
}

const usualSettings: DeliverySettings = { copies: 1, delayMs: 0, shuffleMs: 0, hold: false };
export const settingsOf = (tx: Transaction): DeliverySettings => tx.find('settings', 'settings') ?? usualSettings;

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

export type ReleaseOrder = 'made' | 'reverse' | 'random';

/** Lets held deliveries go, one after another in this order, some milliseconds apart. Returns how many. */
export function releaseHeld(tx: Transaction, order: ReleaseOrder): number {
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

/** `t=<unix>,v1=<hex>`, as the provider signs. */
function signatureOf(body: string, secret: string, at = Date.now()): string {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

const answerTimeoutMs = 10_000;
const giveUpAfterMs = 3 * 24 * 3600 * 1000;
const longestPauseMs = 60_000;
const pauseAfter = (attempts: number) => Math.min(longestPauseMs, 500 * 2 ** attempts);
const keptInLog = 200;
const mostInFlight = 20;

/**
 * Sends what is due, each delivery until its endpoint answers 2xx, with growing pauses.
 * What was not delivered when the process ended is due at once in the next.
 */
export function createDeliverer(store: ProviderStore, endpoints: Record<Destination, WebhookEndpoint>) {
  const inFlight = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  store.change((tx) => {
    for (const delivery of tx.list('delivery', ({ state }) => state === 'waiting')) {
      tx.put('delivery', delivery.id, { ...delivery, dueAt: Date.now() });
    }
  });

  async function attempt(delivery: Delivery): Promise<void> {
    const { url, secret } = endpoints[delivery.destination];
    const result = await post(url, delivery.body, secret);
    if (stopping.signal.aborted && !result.ok) return;
    store.change((tx) => record(tx, delivery.id, result));
  }

  async function post(url: string, body: string, secret: string): Promise<{ ok: boolean; outcome: string }> {
    try {
      const reply = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Stripe-Signature': signatureOf(body, secret),
          'User-Agent': 'fake-payment-provider/1.0',
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      await reply.arrayBuffer();
      return { ok: reply.ok, outcome: String(reply.status) };
    } catch {
      return { ok: false, outcome: 'no answer' };
    }
  }

  /** Starts whatever is due, and sleeps until the next is. */
  function wake(): void {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    const waiting = store.change((tx) => tx.list('delivery', ({ id, state }) => state === 'waiting' && !inFlight.has(id)));
    const now = Date.now();
    const due = waiting.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
    for (const delivery of due.slice(0, mostInFlight - inFlight.size)) {
      const run = attempt(delivery).finally(() => {
        inFlight.delete(delivery.id);
        wake();
      });
      inFlight.set(delivery.id, run);
    }
    // What is due but has to wait for its turn is started when another ends.
    const next = Math.min(...waiting.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now));
    if (Number.isFinite(next)) timer = setTimeout(wake, next - now);
  }

  return {
    wake,
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await Promise.all(inFlight.values());
    },
  };
}

function record(tx: Transaction, id: string, { ok, outcome }: { ok: boolean; outcome: string }): void {
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
