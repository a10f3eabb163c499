import { createServer } from 'node:http';
import Stripe from 'stripe';
import { serve } from '../../../infra/local/engines/engine.ts';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import { sampleAccount } from '../samples/sample-account.ts';
import { eventually } from './stack-harness.ts';

export const webhookSecrets = { platform: 'whsec_platform', connect: 'whsec_connect' };

/** The provider's own package, at this address. */
export const stripeAt = (endpoint: string) =>
  new Stripe('sk_test_local', {
    host: '127.0.0.1',
    port: new URL(endpoint).port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });

interface ReceivedWebhook {
  body: string;
  signature: string;
  event: {
    id: string;
    object: string;
    type: string;
    context?: string | null;
    data?: { object: Record<string, unknown> };
    related_object?: { id: string };
  };
}

/** A webhook endpoint on 127.0.0.1 that remembers what it got. */
async function startWebhookReceiver() {
  const received: ReceivedWebhook[] = [];
  let statusFor = (_body: string) => 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    received.push({ body, signature: String(request.headers['stripe-signature']), event: JSON.parse(body) });
    response.writeHead(statusFor(body)).end();
  });
  const { endpoint, stop } = await serve(server);
  return {
    url: `${endpoint}/webhook`,
    received,
    /** What to answer from now on: at first 200. */
    answerWith(next: typeof statusFor) {
      statusFor = next;
    },
    /** Waits until `count` webhooks of this type came that name `id`, and returns them. */
    until: (type: string, count = 1, id = '') =>
      eventually(`${count} of ${type} come`, 10, async () => {
        const matching = received.filter(({ event, body }) => event.type === type && body.includes(id));
        return matching.length >= count ? matching : undefined;
      }),
    stop,
  };
}

/** The fake payment provider, seen through the provider's own package, with an endpoint for each kind of its webhooks. */
export async function startProviderScene({ stateFile }: { stateFile?: string } = {}) {
  const [platform, connect] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
  const start = () =>
    startPaymentProvider({
      ...(stateFile !== undefined && { stateFile }),
      platformWebhook: { url: platform.url, secret: webhookSecrets.platform },
      connectWebhook: { url: connect.url, secret: webhookSecrets.connect },
    });
  let engine = await start();
  const { endpoint } = engine;
  const stripe = stripeAt(endpoint);

  /** Sets a test control; a refusal has its status. */
  async function control(path: string, body: object = {}): Promise<any> {
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(endpoint + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const json = (await reply.json()) as object;
    return reply.ok ? json : { status: reply.status, ...json };
  }

  return {
    ...{ platform, connect, endpoint, stripe, control },
    /** Sends a form of the hosted pages, as a browser does. */
    submit: (url: string, fields: Record<string, string>) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers: { Accept: 'text/html' } }),
    /** A new account, in this state where one is named. */
    async account(state?: string): Promise<string> {
      const { id } = await stripe.v2.core.accounts.create(sampleAccount);
      if (state !== undefined) await control(`/test/accounts/${id}/state`, { state });
      return id;
    },
    /** Ends the provider and starts it on the same state; resolves to its address. */
    async restart(): Promise<string> {
      await engine.stop();
      engine = await start();
      return engine.endpoint;
    },
    stop: () => Promise.all([engine.stop(), platform.stop(), connect.stop()]),
  };
}
export type ProviderScene = Awaited<ReturnType<typeof startProviderScene>>;
