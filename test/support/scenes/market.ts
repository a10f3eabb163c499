import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { type SettingName, settingNames } from '../../../shared/config.ts';
import type { SellerId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller, getSeller, recordReview } from '../../../shared/sellers/seller-repository.ts';
import type { Faults } from '../engines/faults.ts';
import { createTestTable } from '../engines/test-table.ts';
import type { RequestOptions } from '../http/http-event.ts';
import { createService } from '../http/service.ts';
import { sampleProduct } from '../samples/sample-product.ts';
import { sampleSeller } from '../samples/sample-seller.ts';
import { sampleSettings } from '../samples/sample-settings.ts';
import { createTestQueue } from './projection-harness.ts';

export type Environment = Partial<Record<SettingName, string>>;

export interface MarketOptions {
  faults?: Faults | undefined;
  environment?: Environment;
  /** Where its clock stands. */
  at?: string | number | undefined;
  /** In the place of a provider that cannot be reached. */
  provider?: ReturnType<typeof createStripeClient>;
}

/** The whole service, without a store, over a table of its own, at a time that the test moves. Nothing is on the table yet. */
export async function openMarket({ faults, environment = {}, at = '2026-02-01T00:00:00.000Z', provider }: MarketOptions = {}) {
  const place = await createTestTable({ faults });
  const { table, tableName, plain } = place;
  const clock = { at: new Date(at) };
  const now = () => clock.at;
  const logged: string[] = [];
  const logger = createLogger({}, (line) => logged.push(line));
  const queue = createTestQueue();
  const unreachable = createStripeClient({ secretKey: 'sk_test_unused', apiBase: 'http://127.0.0.1:9' });
  const settingsWith = (changes: Environment) => sampleSettings(settingNames, { TABLE_NAME: tableName, ...environment, ...changes });
  /** Other instances of its functions, with other settings. */
  const open = (changes: Environment = {}) =>
    createService({
      settings: settingsWith(changes),
      logger,
      table,
      now,
      sender: queue,
      store: undefined,
      provider: provider ?? unreachable,
    });
  let call = open();
  const as =
    (identity: Record<string, string>) =>
    (method: string, target: string, options: RequestOptions = {}) =>
      call(method, target, { ...options, headers: { ...identity, ...options.headers } });

  return {
    ...place,
    clock,
    now,
    logged,
    logger,
    queue,
    settingsWith,
    open,
    call: as({}),
    as,
    asUser: (userId: string) => as({ 'X-User-ID': userId }),
    adminCall: as({ 'X-User-ID': 'the-admin', 'X-User-Email': 'Admin@Example.com' }),
    /** Deploys all of it anew, with these settings beside its own. */
    reopen(changes: Environment) {
      call = open(changes);
    },
    pass(seconds: number) {
      clock.at = new Date(clock.at.getTime() + seconds * 1000);
    },

    async addSeller(fields: Partial<SellerRecord> = {}): Promise<SellerRecord> {
      const seller = sampleSeller({ internalReviewStatus: 'approved', ...fields });
      await plain.transact(addSeller(seller));
      return seller;
    },
    async addProduct(fields: Partial<ProductRecord> = {}): Promise<ProductRecord> {
      const product = sampleProduct({ status: 'approved', ...fields });
      await plain.transact(addProduct(product));
      return product;
    },
    async setSellerStatus(sellerId: SellerId, status: SellerRecord['internalReviewStatus'], through = table): Promise<void> {
      await through.write(recordReview({ now }, await getSeller(through, sellerId), { status }));
    },
    /** What was recorded about it, the newest first. */
    audited: async (targetId: string) => (await listAudit(plain, { targetId, limit: 100 })).items,
  };
}
