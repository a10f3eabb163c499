import type { Table } from '../../../shared/db/table.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { ObjectStore } from '../../../shared/product-files/storage/object-store.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createService } from '../http/service.ts';
import { pageAssets } from '../page-assets.ts';
import { sampleProduct } from '../samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../samples/sample-seller.ts';
import { createProjectionHarness } from './projection-harness.ts';
import { startQuietProvider } from './quiet-provider.ts';

/** Checkout, webhooks and purchases behind real handlers, over the real table and a real fake payment provider. */
export async function startSalesHarness({ fileStore, table: givenTable }: { fileStore?: ObjectStore; table?: Table } = {}) {
  const fakeProvider = await startQuietProvider();
  const provider = fakeProvider.client;
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
  const open = () => createService({ settings, logger, table, provider, store: fileStore, sender: queue, now, assets: pageAssets });

  /** Pays at the hosted checkout; the event with which the provider tells of it. */
  async function paidEvent(checkoutUrl: string, email = 'buyer@example.com') {
    const session = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
    await fakeProvider.turn(`/test/checkout/${session}/pay`, { email });
    const object = await provider.call(({ checkout }) => checkout.sessions.retrieve(session));
    return { id: `evt_${session}`, object: 'event', type: 'checkout.session.completed', livemode: false, data: { object } };
  }

  return {
    ...harness,
    fakeProvider,
    tokenKeys: settings.TOKEN_KEYS,
    logged,
    call: open(),
    open,

    /** Moves the clock, back too. */
    pass(milliseconds: number): void {
      clock += milliseconds;
    },

    /** From here on each reading of the clock is this much later than the one before it, as in a slow process. */
    tickBy(milliseconds: number) {
      tick = milliseconds;
    },

    /** A product on sale, with a seller whose account really takes charges. */
    async offer(product: Partial<ProductRecord> = {}, seller: Partial<SellerRecord> = {}): Promise<ProductRecord> {
      const owner = sampleSeller({ ...sellingSeller, paymentConnectedAccountId: await fakeProvider.openAccount(), ...seller });
      const offered = sampleProduct({ sellerId: owner.id, status: 'approved', ...product });
      await table.transact([...addSeller(owner), ...addProduct(offered)]);
      return offered;
    },

    sessionOf(checkoutUrl: string) {
      const id = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
      return provider.call(({ checkout }) => checkout.sessions.retrieve(id, { expand: ['payment_intent'] }));
    },

    paidEvent,

    /** Pays at the hosted checkout, and delivers the provider's event. */
    async pay(checkoutUrl: string, email?: string): Promise<void> {
      await harness.deliver(await paidEvent(checkoutUrl, email));
    },
  };
}

export type SalesHarness = Awaited<ReturnType<typeof startSalesHarness>>;
