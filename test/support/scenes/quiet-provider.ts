import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { sampleAccount } from '../samples/sample-account.ts';

/** The fake payment provider, which tells nobody of what happens there. */
export async function startQuietProvider() {
  const nowhere = { url: 'http://127.0.0.1:9/webhook', secret: 'whsec_unused' };
  const engine = await startPaymentProvider({ platformWebhook: nowhere, connectWebhook: nowhere });
  const client = createStripeClient({ secretKey: 'sk_test_sample', apiBase: engine.endpoint });

  /** Sets a test control; what it answers. */
  async function turn(path: string, body: object = {}): Promise<any> {
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(engine.endpoint + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }

  return {
    ...engine,
    client,
    turn,
    /** A connected account that takes charges and pays out. */
    async openAccount(): Promise<string> {
      const { id } = await client.call((api) => api.v2.core.accounts.create(sampleAccount));
      await turn(`/test/accounts/${id}/onboarding`, { outcome: 'complete' });
      return id;
    },
  };
}
