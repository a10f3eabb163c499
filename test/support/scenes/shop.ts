import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { routes as webhookRoutes } from '../../../functions/payment-webhooks/routes.ts';
import { createAuthorizePurchase } from '../../../functions/purchases/authorize-purchase.ts';
import { createResendLinks } from '../../../functions/purchases/resend-link.ts';
import { type PurchaseServices, routes as purchaseRoutes } from '../../../functions/purchases/routes.ts';
import { createCheckout } from '../../../functions/storefront/create-checkout.ts';
import type { StorefrontServices } from '../../../functions/storefront/routes.ts';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import { createAuditRepository } from '../../../shared/audit/audit-repository.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { createTableRateLimit } from '../../../shared/http/rate-limit.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { openLicenseKey } from '../../../shared/licenses/new-license.ts';
import { createLogger } from '../../../shared/logger.ts';
import { createCheckoutService } from '../../../shared/orders/checkout-service.ts';
import { createCheckoutSessions } from '../../../shared/payments/checkout-sessions.ts';
import { createStripeClient } from '../../../shared/payments/stripe-client.ts';
import { createFileDownloads } from '../../../shared/product-files/file-downloads.ts';
import type { ObjectStore } from '../../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../../shared/product-files/product-file-repository.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { createProductRepository } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { createSellerRepository } from '../../../shared/sellers/seller-repository.ts';
import { createCaller } from '../http/http-event.ts';
import { sampleAccount } from '../samples/sample-account.ts';
import { sampleProduct } from '../samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../samples/sample-seller.ts';
import { createProjectionBench, testKeyring } from './projection.ts';

export const platformSecrets = ['whsec_platform_new', 'whsec_platform_old'];
export const connectSecrets = ['whsec_connect'];

/** The provider's signature of a body, as its documents describe it. */
export function sign(body: string, secret: string, at = Date.now()): string {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

/** Checkout, webhooks and purchases behind real handlers, over the real table and a real fake payment provider. */
export async function openShop({
  checkoutsAMinute = 0,
  downloadsAMinute = 0,
  fileStore,
}: {
  checkoutsAMinute?: number;
  downloadsAMinute?: number;
  fileStore?: ObjectStore;
} = {}) {
  const nowhere = { url: 'http://127.0.0.1:9/webhook', secret: 'whsec_unused' };
  const standIn = await startPaymentProvider({ platformWebhook: nowhere, connectWebhook: nowhere });
  const provider = createStripeClient({ secretKey: 'sk_test_shop', apiBase: standIn.endpoint });
  const stripe = new Stripe('sk_test_shop', {
    host: '127.0.0.1',
    port: new URL(standIn.endpoint).port,
    protocol: 'http',
    telemetry: false,
  });
  const bench = await createProjectionBench({ provider });
  const { table, encryptionKeys, queue } = bench;
  const tokenKeys = testKeyring();
  const logged: string[] = [];
  const logger = createLogger({}, (line) => logged.push(line));
  let clock = 0;
  const now = () => new Date(Date.now() + clock);
  const products = createProductRepository({ table });
  const sellers = createSellerRepository({ table });

  const checkout = createCheckoutService({
    products,
    hasStock: async () => false,
    orders: bench.orders,
    checkoutSessions: createCheckoutSessions({ provider }),
    stage: 'local',
    publicBaseUrl: 'http://shop.test',
    feeBasisPoints: 1000,
    tokenKeys,
    now,
  });
  const limitRate = createTableRateLimit({ table, perWindow: { checkout: checkoutsAMinute, complete: 0, download: downloadsAMinute } });
  const checkoutRoutes: Endpoint<Pick<StorefrontServices, 'checkout'>>[] = [createCheckout];
  const purchases: PurchaseServices = {
    authorizePurchase: createAuthorizePurchase({ orders: bench.orders, tokenKeys, encryptionKeys, now }),
    licenses: bench.licenses,
    openLicenseKey: (license: License) => openLicenseKey(license, encryptionKeys),
    downloads: createFileDownloads({
      table,
      files: createProductFileRepository({ table }),
      products,
      sellers,
      audit: createAuditRepository({ table }),
      store: fileStore,
      now,
    }),
    resendLinks: createResendLinks({
      ...bench,
      sender: queue,
      limitResends: createTableRateLimit({ table, perWindow: { resend: 3 }, windowSeconds: 3600 }),
      now,
    }),
    now,
  };
  const webhooks = { receiveEvent: bench.receiveEvent, platformSecrets, connectSecrets, now };

  return {
    ...bench,
    standIn,
    tokenKeys,
    logged,
    checkoutCall: createCaller(createHandler({ routes: checkoutRoutes, services: { checkout }, logger, limitRate }), checkoutRoutes),
    purchaseCall: createCaller(createHandler({ routes: purchaseRoutes, services: purchases, logger, limitRate }), purchaseRoutes),
    webhookCall: createCaller(createHandler({ routes: webhookRoutes, services: webhooks, logger }), webhookRoutes),

    passTime(milliseconds: number) {
      clock += milliseconds;
    },

    /** A product on sale, with a seller whose account really takes charges. */
    async offer(product: Partial<ProductRecord> = {}, seller: Partial<SellerRecord> = {}): Promise<ProductRecord> {
      const account = await stripe.v2.core.accounts.create(sampleAccount);
      await turn(standIn.endpoint, `/test/accounts/${account.id}/onboarding`, { outcome: 'complete' });
      const owner = sampleSeller({ ...sellingSeller, paymentConnectedAccountId: account.id, ...seller });
      const offered = sampleProduct({ sellerId: owner.id, status: 'approved', ...product });
      await table.transact([...sellers.createSeller(owner), ...products.createProduct(offered)]);
      return offered;
    },

    sessionOf: (checkoutUrl: string) =>
      stripe.checkout.sessions.retrieve(new URL(checkoutUrl).pathname.split('/').at(-1) ?? '', { expand: ['payment_intent'] }),

    /** Pays at the hosted checkout, and delivers what the provider tells of it. */
    async pay(checkoutUrl: string, email = 'buyer@example.com'): Promise<void> {
      const session = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
      await turn(standIn.endpoint, `/test/checkout/${session}/pay`, { email });
      const paid = await stripe.checkout.sessions.retrieve(session);
      await bench.deliver({
        id: `evt_${session}`,
        object: 'event',
        type: 'checkout.session.completed',
        livemode: false,
        data: { object: paid },
      });
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

async function turn(endpoint: string, path: string, body: object): Promise<void> {
  const reply = await fetch(endpoint + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}
