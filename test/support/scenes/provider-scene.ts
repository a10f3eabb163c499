import Stripe from 'stripe';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import { sampleAccount } from '../samples/sample-account.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

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
