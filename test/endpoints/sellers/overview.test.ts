import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newOrder } from '../../../shared/checkout/new-order.ts';
import { drawCode, stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import { endpointKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { findHeldOrders, moveHeldOrder } from '../../../shared/orders/held-order-repository.ts';
import { createOrder, removeOrderExpiry } from '../../../shared/orders/order-repository.ts';
import { addWaitingOrder } from '../../../shared/orders/waiting-order-repository.ts';
import { getLiveFiles } from '../../../shared/product-files/live-file-repository.ts';
import { liveFileOf, type ProductFileRecord } from '../../../shared/product-files/product-file.ts';
import { createFile } from '../../../shared/product-files/product-file-repository.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import type { ReleaseRecord } from '../../../shared/releases/release.ts';
import { addToIndex, readIndex } from '../../../shared/releases/release-index-repository.ts';
import { createDraft } from '../../../shared/releases/release-repository.ts';
import { newDraft } from '../../../shared/releases/release-request.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { encryptionKeys } from '../../support/samples/licenses.ts';
import { sampleFile } from '../../support/samples/sample-file.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sellingSeller } from '../../support/samples/sample-seller.ts';
import { type CatalogHarness, createCatalogHarness, type Owner } from '../../support/scenes/catalog-harness.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

let store: CatalogHarness;
let owner: Owner;
const daysAgo = (days: number) => new Date(store.now().getTime() - days * 24 * 3600_000).toISOString();
beforeAll(async () => {
  store = await createCatalogHarness();
});
beforeEach(() => open({}));

async function open(changes: Partial<SellerRecord>): Promise<void> {
  owner = await store.newSeller({ ...sellingSeller, ...changes });
}
const get = async (path = '/v1/overview') => (await owner.call('GET', path)).json;
async function make(fields: Partial<ProductRecord>): Promise<ProductRecord> {
  const product = sampleProduct({ sellerId: owner.seller.id, ...fields });
  await store.table.transact(addProduct(product));
  return product;
}
async function addFile({ id: productId }: ProductRecord, changes: Partial<ProductFileRecord>) {
  const file = sampleFile({ productId, sellerId: owner.seller.id, ...changes });
  const live = liveFileOf(file) && (await getLiveFiles(store.table, productId));
  await store.table.transact(createFile(file, live, new Date(file.createdAt)));
  return file;
}
async function addRelease({ id: productId }: ProductRecord, version: string, changes: Partial<ReleaseRecord> = {}) {
  const ids = { id: newId('release'), productId, sellerId: owner.seller.id };
  const release = { ...newDraft({ version, channel: 'stable', notes: 'New.' }, ids, daysAgo(20)), ...changes };
  await store.table.transact(createDraft(release));
  if (release.publishedAt === undefined) return release;
  await store.table.transact(addToIndex((await readIndex(store.table, productId)).index, release));
  return release;
}
const stock = { randomBytes, settings: { ENCRYPTION_KEYS: encryptionKeys } };
async function addCodes({ id: productId }: ProductRecord, count: number) {
  const codes = Array.from({ length: count }, (_, at) => ({ codeHash: `${productId}-${at}`, code: `CODE-000${at}` }));
  await store.table.transact(codes.map((code) => stockCode(stock, { productId, batchId: newId('batch'), ...code })));
}

test('tells all that needs a seller, the newest first, from what is there', async () => {
  await open({ paymentRequirementsDue: ['id'], paymentDueSince: daysAgo(8) });
  const rejected = await make({ status: 'rejected', rejectedAt: daysAgo(3) });
  const onSale = await make({
    status: 'approved',
    pending: { status: 'rejected', changes: { priceAmount: 1 }, rejectedAt: daysAgo(2), updatedAt: daysAgo(1) },
  });
  const failed = await addFile(onSale, { status: 'pending_review', hashStatus: 'mismatch', uploadedAt: daysAgo(4) });
  await addFile(onSale, { status: 'approved', hashStatus: 'verified', scanTrustedClean: true });
  const turnedDown = await addFile(rejected, { status: 'rejected', rejectedAt: daysAgo(5) });
  await addRelease(onSale, '1.0.0', { status: 'published', publishedAt: daysAgo(19) });
  await addRelease(onSale, '1.1.0');
  const release = await addRelease(onSale, '1.2.0', { rejectionReason: 'It does not start.', rejectedAt: daysAgo(6) });
  const codes = await make({ status: 'published', licenseIssuanceMode: 'imported_csv', reviewedAt: daysAgo(9) });
  await addCodes(codes, 9);
  const endpoint = { id: newId('endpoint'), sellerId: owner.seller.id, url: 'https://hooks.example.com', createdAt: daysAgo(30) };
  const disabled = { enabled: false, disabledReason: 'gone', disabledAt: daysAgo(7), updatedAt: daysAgo(1) };
  const Item = { ...endpointKey(owner.seller.id, endpoint.id), ...endpoint, ...disabled, sealedSecret: 'x', revision: 2 };
  await store.table.write({ put: { Item } });

  const heldBy = { orderId: newId('order'), why: 'refunded', since: daysAgo(3.5) } as const;
  const paid = { status: 'paid', paymentStatus: 'succeeded', checkout: { paidAt: daysAgo(9) } } as const;
  const held = sampleOrder({ sellerId: owner.seller.id, ...paid, heldBy });
  const longHeld = sampleOrder({ sellerId: owner.seller.id, ...paid, heldBy: { ...heldBy, since: daysAgo(8.5) } });
  for (const one of [longHeld, held]) await store.table.transact(moveHeldOrder({ ...one, heldBy: undefined }, one));
  expect(await findHeldOrders(store.table, owner.seller.id, 1)).toEqual([{ orderId: held.id, since: daysAgo(3.5) }]);

  store.takeRequestCounts();
  const overview = await get();
  // The seller in two. Its products in two, orders, endpoints, upgrades that are held; files of three, a full shard and seven of codes, orders that wait;
  // the indexes of releases, then the versions of one product and those that were never published.
  expect(store.takeRequestCounts()).toEqual({ GetItem: 2, Query: 4 + 3 + 8 + 1 + 1, BatchGetItem: 1 + 2 });
  expect(overview).toEqual({
    seller: await get('/v1/sellers/me'),
    tasks: [
      { id: 'apply', state: 'done' },
      { id: 'payments', state: 'done' },
      { id: 'product', state: 'done', target_id: rejected.id },
      { id: 'delivery', state: 'done', target_id: onSale.id },
      { id: 'review', state: 'done', target_id: onSale.id },
      { id: 'sale', state: 'waiting', target_id: onSale.id },
    ],
    attention: [
      { kind: 'revision_rejected', target_id: onSale.id, since: daysAgo(2) },
      { kind: 'product_rejected', target_id: rejected.id, since: daysAgo(3) },
      { kind: 'paid_but_held', target_id: held.id, since: daysAgo(3.5) },
      { kind: 'file_failed', target_id: failed.id, since: daysAgo(4) },
      { kind: 'file_rejected', target_id: turnedDown.id, since: daysAgo(5) },
      { kind: 'release_rejected', target_id: release.id, since: daysAgo(6) },
      { kind: 'endpoint_disabled', target_id: endpoint.id, since: daysAgo(7) },
      { kind: 'payment_due', target_id: owner.seller.id, since: daysAgo(8) },
      { kind: 'paid_but_held', target_id: longHeld.id, since: daysAgo(8.5) },
      { kind: 'codes_short', target_id: codes.id, since: daysAgo(9) },
    ],
  });
});

test('a seller that is suspended sees it too, of products whose codes ran out since an order waits', async () => {
  await open({ internalReviewStatus: 'suspended', returnedAt: daysAgo(2) });
  const product = await make({ status: 'draft', licenseIssuanceMode: 'imported_csv' });
  const order = { productId: product.id, id: newId('order'), waitingSince: daysAgo(1) };
  await store.table.transact([addWaitingOrder(order), addWaitingOrder({ ...order, waitingSince: daysAgo(0.5) })]);
  await addCodes(product, 10);
  const { tasks, attention } = await get();
  const states = ['blocked', 'blocked', 'done', 'done', 'todo', 'blocked'];
  expect(tasks.map(({ state }: { state: string }) => state)).toEqual(states);
  expect(attention).toEqual([{ kind: 'codes_short', target_id: product.id, since: daysAgo(1) }]);
});

test('however many files a product has, the newest are read and those that are live', async () => {
  const product = await make({});
  await addFile(product, { status: 'approved', hashStatus: 'verified' });
  // More than the megabyte that a request reads.
  const contentType = 'x'.repeat(40_000);
  await Promise.all(Array.from({ length: 40 }, () => addFile(product, { purpose: 'release', status: 'disabled', contentType })));
  const turnedDown = await addFile(product, { purpose: 'release', status: 'rejected', rejectedAt: daysAgo(1) });
  store.takeRequestCounts();
  const { tasks, attention } = await get();
  expect(store.takeRequestCounts()).toEqual({ GetItem: 2, Query: 4 + 1, BatchGetItem: 1 + 1 + 2 });
  expect(tasks[3]).toEqual({ id: 'delivery', state: 'done', target_id: product.id });
  expect(attention).toEqual([{ kind: 'file_rejected', target_id: turnedDown.id, since: daysAgo(1) }]);
});

test('next steps are read of codes while one is left, and of orders once one was paid', async () => {
  const nextSteps = async () => (await get('/v1/sellers/me')).next_steps;
  expect(await nextSteps()).toEqual(['product']);
  const product = await make({ status: 'approved', licenseIssuanceMode: 'imported_csv' });
  expect(await nextSteps()).toEqual(['delivery']);
  await addCodes(product, 1);
  store.takeRequestCounts();
  expect(await nextSteps()).toEqual([]);
  // The seller in two; the list of products, the shards of codes.
  expect(store.takeRequestCounts()).toMatchObject({ GetItem: 2, BatchGetItem: 1 });
  await store.table.transact((await drawCode({ ...stock, table: store.table }, product.id))?.writes ?? []);
  const settings = { PLATFORM_FEE_BPS: 0, OPERATOR_NAME: '', OPERATOR_INVOICE_NUMBER: '' };
  const order = () =>
    newOrder(
      { now: store.now, settings },
      { product, seller: owner.seller },
      { kind: 'license', quantity: 1, unitAmount: 4800 },
      { destinationAccountId: 'acct_test', locale: 'ja' },
    );
  const [unpaid, paid] = [order(), order()];
  await store.table.transact([...createOrder(unpaid), ...createOrder(paid)]);
  expect(await nextSteps()).toEqual(['delivery']);
  await store.table.transact(removeOrderExpiry(paid, undefined));
  expect(await nextSteps()).toEqual([]);
});
