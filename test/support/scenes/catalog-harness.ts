import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { compose as composeProducts } from '../../../functions/products/compose.ts';
import { settingNames as productSettings } from '../../../functions/products/declaration.ts';
import { routes as productRoutes } from '../../../functions/products/routes.ts';
import { compose as composeStorefront } from '../../../functions/storefront/compose.ts';
import { settingNames as storefrontSettings } from '../../../functions/storefront/declaration.ts';
import { routes as storefrontRoutes } from '../../../functions/storefront/routes.ts';
import type { SellerId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller, getSeller, recordReview } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../engines/test-table.ts';
import { createCaller, type RequestOptions } from '../http/http-event.ts';
import { sampleSeller } from '../samples/sample-seller.ts';
import { sampleSettings } from '../samples/sample-settings.ts';
import { createTestQueue } from './projection-harness.ts';

/** A product as a seller sends it. */
export const productRequest = {
  name: 'Photo Studio',
  description: 'Edits photos.',
  price_amount: 4800,
  currency: 'JPY',
  support_email: 'help@example.com',
  refund_policy: 'Within 14 days.',
  software_operating_environment: 'Windows 11',
};

/** Everything about products over one table: the endpoints of sellers, admins and the public behind real handlers. */
export async function createCatalogHarness() {
  const store = await createTestTable();
  const { table } = store;
  let clock = new Date('2026-01-31T09:00:00.000Z');
  const now = () => clock;
  const logged: string[] = [];
  const common = { table, logger: createLogger({}, (line) => logged.push(line)), now };
  // Nothing here reaches the payment provider.
  const provider = createStripeClient({ secretKey: 'sk_test_unused', apiBase: 'http://127.0.0.1:9' });
  const productFunction = composeProducts({ settings: sampleSettings(productSettings, { CURRENCIES: 'JPY,USD' }), ...common });
  const sellerCall = createCaller(productFunction, productRoutes);
  const adminCall = createCaller(
    composeAdmin({ settings: sampleSettings(adminSettings), ...common, sender: createTestQueue(), store: undefined }),
    adminRoutes,
  );
  const storefront = composeStorefront({ settings: sampleSettings(storefrontSettings), provider, ...common });
  const publicCall = createCaller(storefront, storefrontRoutes);

  return {
    ...store,
    logged,
    now,
    publicCall,
    pass(seconds: number) {
      clock = new Date(clock.getTime() + seconds * 1000);
    },
    /** A seller on the table, and calls in the name of its owner. */
    async newSeller(fields: Partial<SellerRecord> = {}) {
      const seller = sampleSeller({ internalReviewStatus: 'approved', ...fields });
      await table.transact(addSeller(seller));
      return { seller, call: asUser(seller.ownerUserId) };
    },
    async setSellerStatus(sellerId: SellerId, status: SellerRecord['internalReviewStatus']) {
      const seller = await getSeller(table, sellerId);
      await table.write(recordReview({ now }, seller, { status }));
    },
    asUser,
    adminCall: (method: string, target: string, options: RequestOptions = {}) =>
      adminCall(method, target, {
        ...options,
        headers: { 'X-User-ID': 'the-admin', 'X-User-Email': 'Admin@Example.com', ...options.headers },
      }),
  };

  function asUser(userId: string) {
    return (method: string, target: string, options: RequestOptions = {}) =>
      sellerCall(method, target, { ...options, headers: { 'X-User-ID': userId, ...options.headers } });
  }
}

export type CatalogHarness = Awaited<ReturnType<typeof createCatalogHarness>>;
