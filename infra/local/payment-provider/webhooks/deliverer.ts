import Stripe from 'stripe';
import type { ProviderStore } from '../store/provider-store.ts';
import type { Delivery, Destination } from '../store/records.ts';
import { makeAllDue, recordAttempt } from './deliveries.ts';

export interface WebhookEndpoint {
  url: string;
  /** Signs the deliveries: the whole text, `whsec_…`. Read anew for each. */
  secret: string;
}

const answerTimeoutMs = 10_000;
const mostInFlight = 20;

/** Sends what is due, each delivery until its endpoint answers 2xx, with growing pauses. */
export function createDeliverer(store: ProviderStore, endpoints: Record<Destination, WebhookEndpoint>) {
  const inFlight = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  store.change(makeAllDue);

  async function attempt(delivery: Delivery): Promise<void> {
    const result = await post(endpoints[delivery.destination], delivery.body, stopping.signal);
    if (stopping.signal.aborted && !result.ok) return;
    store.change((tx) => recordAttempt(tx, delivery.id, result));
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

async function post({ url, secret }: WebhookEndpoint, body: string, stopping: AbortSignal): Promise<{ ok: boolean; outcome: string }> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': Stripe.webhooks.generateTestHeaderString({ payload: body, secret }),
        'User-Agent': 'fake-payment-provider/1.0',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(answerTimeoutMs)]),
    });
    await reply.arrayBuffer();
    return { ok: reply.ok, outcome: String(reply.status) };
  } catch {
    return { ok: false, outcome: 'no answer' };
  }
}
