import { compose } from '../../../../functions/pages/compose.ts';
import { settingNames } from '../../../../functions/pages/declaration.ts';
import { routes } from '../../../../functions/pages/routes.ts';
import type { SettingName } from '../../../../shared/config.ts';
import type { Table } from '../../../../shared/db/table.ts';
import { DiscountRecord } from '../../../../shared/discounts/discount.ts';
import { addDiscount, readyForDiscount } from '../../../../shared/discounts/discount-repository.ts';
import { newId } from '../../../../shared/ids.ts';
import { createLogger } from '../../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../../shared/payments/provider/stripe-client.ts';
import type { ProductRecord } from '../../../../shared/products/product.ts';
import { addProduct } from '../../../../shared/products/product-repository.ts';
import { addSeller } from '../../../../shared/sellers/seller-repository.ts';
import type { Faults } from '../../engines/faults.ts';
import { createTestTable, type TestTable } from '../../engines/test-table.ts';
import { createCaller } from '../../http/http-event.ts';
import { pageAssets } from '../../page-assets.ts';
import { sampleOffers } from '../../samples/sample-offers.ts';
import { sampleProduct } from '../../samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../samples/sample-seller.ts';
import { sampleSettings } from '../../samples/sample-settings.ts';
import { createTestQueue } from '../projection-harness.ts';
import { putPublished } from '../releases/published-releases.ts';

/** What some of the sample offers have published. */
const sampleNotes = new Map([
  [
    'waveform-editor-pro',
    [
      { version: '3.2.1', channel: 'stable', critical: true, notes: 'Fixes a crash when a file is **opened twice**.' },
      { version: '3.2.0', channel: 'stable', notes: '# New\n\n- Opens `.opus` files\n- Undo after saving\n\n# Fixed\n\nNo more hum.' },
      { version: '3.3.0-beta.2', channel: 'beta', notes: 'A new spectral view.' },
    ],
  ],
  [
    '波形エディター-pro',
    [
      { version: '3.2.1', channel: 'stable', critical: true, notes: '同じファイルを**2回開く**と終了する問題を修正しました。' },
      {
        version: '3.2.0',
        channel: 'stable',
        notes: '# 新機能\n\n- `.opus` ファイルに対応\n- 保存したあとの取り消し\n\n# 修正\n\nハムノイズの検出を改善。',
      },
      { version: '3.3.0-beta.2', channel: 'beta', notes: '新しいスペクトル表示を試せます。' },
    ],
  ],
]);

/** The discounts of the sample offer `team`. */
const sampleDiscounts: Partial<DiscountRecord>[] = [
  { code: 'SPRING-25', percentOff: 25 },
  { code: 'WHOLE', percentOff: 100 },
  { code: 'LAST-ONE', amountOff: 1000, maxRedemptions: 1 },
  { code: 'OVER', percentOff: 50, endsAt: '2026-01-01T00:00:00.000Z' },
];

const withoutLimits = { RATE_LIMIT_CHECKOUT: '0', RATE_LIMIT_COMPLETE: '0', RATE_LIMIT_QUOTE: '0' };

/** The pages function over a real table with the sample offers. Its checkouts are opened at `paymentApiBase`. */
export async function createPageHarness(options: {
  paymentApiBase: string;
  settings?: Partial<Record<SettingName, string>>;
  faults?: Faults;
  now?: (() => Date) | undefined;
  /** To share it with another harness. */
  engine?: TestTable;
}) {
  const { paymentApiBase, faults, now } = options;
  const engine = options.engine ?? (await createTestTable({ faults }));
  const { table } = engine;
  await offerSamples(table);
  const settings = sampleSettings(settingNames, { PAYMENT_API_BASE: paymentApiBase, ...withoutLimits, ...options.settings });
  const logged: string[] = [];
  const queue = createTestQueue();
  const handler = compose({
    settings,
    logger: createLogger({}, (line) => logged.push(line)),
    table,
    provider: createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: paymentApiBase }),
    sender: queue,
    assets: pageAssets,
    now,
  });
  return { ...engine, handler, call: createCaller(handler, routes), logged, queue, settings };
}

/** Each sample offer as a product with a seller of its own; one that is not on sale has a seller who cannot take payments. */
async function offerSamples(table: Table): Promise<void> {
  for (const { product, termsRevision, sellerName, registrationNumber, onSale } of sampleOffers.values()) {
    const selling = { ...sellingSeller, displayName: sellerName, invoiceRegistrationNumber: registrationNumber };
    const seller = sampleSeller({ ...selling, ...(!onSale && { paymentOnboardingStatus: 'restricted' }) });
    const offered = sampleProduct({ ...(product as Partial<ProductRecord>), termsRevision, sellerId: seller.id, status: 'approved' });
    await table.transact([...addSeller(seller), ...addProduct(offered)]);
    const releases = sampleNotes.get(product.slug);
    if (releases) await putPublished(table, offered.id, releases);
    if (product.slug === 'team') await putDiscounts(table, offered);
  }
}

async function putDiscounts(table: Table, { id: productId, sellerId, currency }: ProductRecord): Promise<void> {
  const at = '2025-01-01T00:00:00.000Z';
  await readyForDiscount(table, productId, new Date(at));
  for (const discount of sampleDiscounts) {
    const made = { id: newId('discount'), productId, sellerId, currency, startsAt: at, createdAt: at, redeemed: 0, taken: 0 };
    await table.transact(addDiscount(DiscountRecord.parse({ ...made, ...discount })));
  }
}

/** The payment provider as far as it opens hosted checkouts, each a page below `hostedBase` that is named for the product. */
export function createHostedCheckouts(hostedBase: string) {
  const sessions = new Map<string, object>();
  return {
    open(request: URLSearchParams): object {
      const product = new URL(request.get('cancel_url') ?? '').searchParams.get('product');
      const id = `cs_test_${request.get('client_reference_id')}`;
      const session = { id, object: 'checkout.session', status: 'open', url: `${hostedBase}/${product}` };
      sessions.set(id, session);
      return session;
    },
    find: (path = '') => sessions.get(path.split('/').at(-1) ?? ''),
  };
}
