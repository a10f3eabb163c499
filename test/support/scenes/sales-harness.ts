import Stripe from 'stripe';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import type { Table } from '../../../shared/db/table.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import type { ObjectStore } from '../../../shared/product-files/storage/object-store.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createService } from '../http/service.ts';
import { sampleAccount } from '../samples/sample-account.ts';
import { sampleProduct } from '../samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../samples/sample-seller.ts';
import { createProjectionHarness } from './projection-harness.ts';

/** Checkout, webhooks and purchases behind real handlers, over the real table and a real fake payment provider. */
export async function startSalesHarness({ fileStore, table: givenTable }: { fileStore?: ObjectStore; table?: Table } = {}) {
  const nowhere = { url: 'http://127.0.0.1:9/webhook', secret: 'whsec_unused' };
  const fakeProvider = await startPaymentProvider({ platformWebhook: nowhere, connectWebhook: nowhere });
  const provider = createStripeClient({ secretKey: 'sk_test_shop', apiBase: fakeProvider.endpoint });
  const stripe = new Stripe('sk_test_shop', {
    host: '127.0.0.1',
    port: new URL(fakeProvider.endpoint).port,
    protocol: 'http',
    telemetry: false,
  });
  const logged: string[] = [];
  const logger = createLogger({}, (line) => logged.push(line));
  let clock = 0;
  let tick = 0;
  const now = () => {
    clock += tick;
    return new Date(Date.now() + clock);
  };
  const harness = await createProjectionHarness({ provider, logger, now, ...(givenTable && { table: givenTable }) });
  const { table, queue, settings } = harness;
  /** Instances of their own, which have found no product yet. */
  const open = () => createService({ settings, logger, table, provider, store: fileStore, sender: queue, now });

  /** Pays at the hosted checkout; the event with which the provider tells of it. */
  async function paidEvent(checkoutUrl: string, email = 'buyer@example.com') {
    const session = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
    await turn(fakeProvider.endpoint, `/test/checkout/${session}/pay`, { email });
    const object = await stripe.checkout.sessions.retrieve(session);
    return { id: `evt_${session}`, object: 'event', type: 'checkout.session.completed', livemode: false, data: { object } };
  }

  return {
    ...harness,
    fakeProvider,
    stripe,
    tokenKeys: settings.TOKEN_KEYS,
    logged,
    call: open(),
    open,

    /** From here on each reading of the clock is this much later than the one before it, as in a slow process. */
    tickBy(milliseconds: number) {
      tick = milliseconds;
    },

    /** A product on sale, with a seller whose account really takes charges. */
    async offer(product: Partial<ProductRecord> = {}, seller: Partial<SellerRecord> = {}): Promise<ProductRecord> {
      const account = await stripe.v2.core.accounts.create(sampleAccount);
      await turn(fakeProvider.endpoint, `/test/accounts/${account.id}/onboarding`, { outcome: 'complete' });
      const owner = sampleSeller({ ...sellingSeller, paymentConnectedAccountId: account.id, ...seller });
      const offered = sampleProduct({ sellerId: owner.id, status: 'approved', ...product });
      await table.transact([...addSeller(owner), ...addProduct(offered)]);
      return offered;
    },

    sessionOf: (checkoutUrl: string) =>
      stripe.checkout.sessions.retrieve(new URL(checkoutUrl).pathname.split('/').at(-1) ?? '', { expand: ['payment_intent'] }),

    paidEvent,

    /** Pays at the hosted checkout, and delivers the provider's event. */
    async pay(checkoutUrl: string, email?: string): Promise<void> {
      await harness.deliver(await paidEvent(checkoutUrl, email));
    },
  };
}

export type SalesHarness = Awaited<ReturnType<typeof startSalesHarness>>;

async function turn(endpoint: string, path: string, body: object): Promise<void> {
  const reply = await fetch(endpoint + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}
