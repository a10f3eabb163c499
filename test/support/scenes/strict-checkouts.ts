import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as settle } from 'node:timers/promises';
import { serve } from '../../../infra/local/engines/engine.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import type { Faults } from '../engines/faults.ts';
import { sellingSeller } from '../samples/sample-seller.ts';
import { openMarket } from './market.ts';

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** How a request to open a session ends: as it should, with this refusal, or so that nobody learns what became of it. */
type Mood = 'open' | 'lose the answer' | Answer;

const refusal = (error: Record<string, unknown>, status = 400): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', message: 'private text', ...error } },
});

/**
 * The provider's hosted checkouts, as strict as they are in earnest: half an hour must be left when a request arrives,
 * an idempotency key keeps its answer, errors too, and takes no other parameters.
 */
export async function startCheckouts(now = () => new Date()) {
  const answers = new Map<string, { params: string; answer: Answer }>();
  const sessions = new Map<string, Record<string, unknown>>();
  const opened: { key: string; params: URLSearchParams }[] = [];
  const waiting: (() => void)[] = [];
  let mood: Mood = 'open';
  let shown: Answer | undefined;
  let holding = false;
  let reads = 0;

  function newSession(params: URLSearchParams): Answer {
    if (Number(params.get('expires_at')) < now().getTime() / 1000 + 1800) return refusal({ param: 'expires_at' });
    const id = `cs_test_${sessions.size + 1}`;
    const session = { id, object: 'checkout.session', status: 'open', url: `https://checkout.stripe.com/c/pay/${id}`, mode: 'payment' };
    sessions.set(id, session);
    return { status: 200, body: session };
  }

  async function open(request: IncomingMessage): Promise<Answer | undefined> {
    const text = await readText(request);
    const key = String(request.headers['idempotency-key']);
    opened.push({ key, params: new URLSearchParams(text) });
    const ending = mood;
    const known = answers.get(key);
    if (known && ending !== 'lose the answer') {
      if (holding) await new Promise<void>((resolve) => waiting.push(resolve));
      return known.params === text ? known.answer : refusal({ type: 'idempotency_error' });
    }
    const answer = typeof ending === 'object' ? ending : newSession(new URLSearchParams(text));
    if (answer.status !== 400) answers.set(key, { params: text, answer: structuredClone(answer) });
    if (holding) await new Promise<void>((resolve) => waiting.push(resolve));
    return ending === 'lose the answer' ? undefined : answer;
  }

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = /\/v1\/checkout\/sessions\/(\w+)$/.exec(request.url ?? '')?.[1];
    if (id !== undefined) reads += 1;
    const session = id === undefined ? undefined : sessions.get(id);
    const found = shown ?? (session ? { status: 200, body: session } : refusal({ code: 'resource_missing' }, 404));
    const answer = id === undefined ? await open(request) : found;
    if (!answer) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    response.end(JSON.stringify(answer.body));
  }

  const server = createServer((request, response) => void reply(request, response));
  const { endpoint, stop } = await serve(server);
  return {
    endpoint,
    stop,
    opened,
    sessions,
    /** How often a session was looked at since the last call. */
    takeReads() {
      const taken = reads;
      reads = 0;
      return taken;
    },
    answerWith(next: Mood) {
      mood = next;
    },
    /** Answers every look at a session, as it is again with undefined. */
    showWith(answer: Answer | undefined) {
      shown = answer;
    },
    /** What idempotency keys stand for. */
    forget: () => answers.clear(),
    /** Lets requests arrive, and keeps their answers until `release`. */
    hold() {
      holding = true;
    },
    release() {
      holding = false;
      for (const go of waiting.splice(0)) go();
    },
    /** Gives the one answer that was kept first. */
    releaseFirst: () => waiting.shift()?.(),
    /** Until as many answers are kept. */
    async untilHeld(requests: number): Promise<void> {
      while (waiting.length < requests) await settle();
    },
  };
}

/** A market with such a provider, at a time that the test moves. */
export async function startStrictCheckouts({ faults }: { faults?: Faults } = {}) {
  const provider = await startCheckouts(() => market.now());
  const client = createStripeClient({ secretKey: 'sk_test_strict', apiBase: provider.endpoint });
  const environment = { PUBLIC_BASE_URL: 'http://shop.test', RATE_LIMIT_CHECKOUT: '0', RATE_LIMIT_QUOTE: '0' };
  const market = await openMarket({ faults, at: Date.now(), environment, provider: client });
  const { call } = market;
  return {
    ...market,
    provider,
    passTime: (milliseconds: number) => market.pass(milliseconds / 1000),
    async offer(change: Partial<ProductRecord> = {}): Promise<ProductRecord> {
      const seller = await market.addSeller(sellingSeller);
      return market.addProduct({ sellerId: seller.id, ...change });
    },
    checkout: (slug: string, { key, body }: { key?: string; body?: unknown } = {}) =>
      call('POST', `/v1/public/products/${slug}/checkout`, { body, headers: key === undefined ? {} : { 'Idempotency-Key': key } }),
  };
}

export type Checkouts = Awaited<ReturnType<typeof startCheckouts>>;
export type StrictCheckouts = Awaited<ReturnType<typeof startStrictCheckouts>>;
