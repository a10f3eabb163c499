import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { compose } from '../../../functions/sellers/compose.ts';
import { settingNames } from '../../../functions/sellers/declaration.ts';
import { routes } from '../../../functions/sellers/routes.ts';
import { newOrder } from '../../../shared/checkout/new-order.ts';
import { drawCode, stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import { newId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createOrder, removeOrderExpiry } from '../../../shared/orders/order-repository.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { getLiveFiles } from '../../../shared/product-files/live-file-repository.ts';
import type { ProductFileRecord } from '../../../shared/product-files/product-file.ts';
import { createFile, replaceFile } from '../../../shared/product-files/product-file-repository.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { encryptionKeys } from '../../support/samples/licenses.ts';
import { sampleFile } from '../../support/samples/sample-file.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

let store: TestTable;
let seller: SellerRecord;
let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  store = await createTestTable();
  const provider = createStripeClient({ secretKey: 'sk_test_none', apiBase: 'http://127.0.0.1:9' });
  call = createCaller(
    compose({ settings: sampleSettings(settingNames), logger: createLogger({}, () => undefined), provider, ...store }),
    routes,
  );
});
beforeEach(async () => {
  seller = sampleSeller(sellingSeller);
  await store.table.transact(addSeller(seller));
});

const nextSteps = async () => (await call('GET', '/v1/sellers/me', { headers: { 'X-User-ID': seller.ownerUserId } })).json.next_steps;
async function make(fields: Partial<ProductRecord>): Promise<ProductRecord> {
  const product = sampleProduct({ sellerId: seller.id, ...fields });
  await store.table.transact(addProduct(product));
  return product;
}
async function addFile({ id: productId }: ProductRecord, status: ProductFileRecord['status']) {
  const file = sampleFile({ productId, sellerId: seller.id, status: 'pending_review' });
  await store.table.transact(createFile(file, await getLiveFiles(store.table, productId), new Date(file.createdAt)));
  await store.table.transact(await replaceFile(store.table, file, { ...file, status }));
}

test('an applicant waits for a review, and can do the rest meanwhile', async () => {
  const body = {
    display_name: 'Shop',
    contact_email: 'a@example.com',
    support_email: 'a@example.com',
    site_url: 'https://shop.example.com',
  };
  const { status, json } = await call('POST', '/v1/sellers', { headers: { 'X-User-ID': 'applicant' }, body });
  expect([status, json.internal_review_status, json.next_steps]).toEqual([201, 'pending_review', ['payments', 'product']]);
});

test('a first product needs a file and a review; with both there is nothing left to do', async () => {
  expect(await nextSteps()).toEqual(['product']);
  await make({ status: 'draft' });
  expect(await nextSteps()).toEqual(['delivery', 'review']);
  const product = await make({ status: 'pending_review' });
  await addFile(product, 'rejected');
  expect(await nextSteps()).toEqual(['delivery']);
  await addFile(product, 'approved');
  store.takeRequestCounts();
  expect(await nextSteps()).toEqual([]);
  // The seller in two; the list of products, and the files of each of the two.
  expect(store.takeRequestCounts()).toEqual({ GetItem: 2, Query: 1 + 2, BatchGetItem: 1 });
});

test('codes are delivered while one is left, and were once one was paid', async () => {
  const product = await make({ status: 'approved', licenseIssuanceMode: 'imported_csv' });
  expect(await nextSteps()).toEqual(['delivery']);
  const stock = { table: store.table, randomBytes, settings: { ENCRYPTION_KEYS: encryptionKeys } };
  await store.table.write(stockCode(stock, { productId: product.id, codeHash: 'h', code: 'CODE-0001', batchId: newId('batch') }));
  expect(await nextSteps()).toEqual([]);
  await store.table.transact((await drawCode(stock, product.id))?.writes ?? []);

  const order = () =>
    newOrder(
      { now: () => new Date(), settings: { PLATFORM_FEE_BPS: 0, OPERATOR_NAME: '', OPERATOR_INVOICE_NUMBER: '' } },
      { product, seller },
      { kind: 'license', quantity: 1, unitAmount: 4800 },
      { destinationAccountId: 'acct_test', locale: 'ja' },
    );
  const [unpaid, paid] = [order(), order()];
  await store.table.transact([...createOrder(unpaid), ...createOrder(paid)]);
  expect(await nextSteps()).toEqual(['delivery']);
  await store.table.transact(removeOrderExpiry(paid, undefined));
  expect(await nextSteps()).toEqual([]);
});
