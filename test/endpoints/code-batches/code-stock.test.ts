import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../functions/code-batches/routes.ts';
import { stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { ProductId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';
import { refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const terms: Order['terms'] = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' };
const error = (status: number, code: string) => ({ status, json: { code } });

let store: TestTable;
let world: Awaited<ReturnType<typeof setUpCodeBatches>>;
let harness: ProjectionHarness;
let call: ReturnType<typeof createCaller>;
let productId: ProductId;
let last = 0;
beforeAll(async () => {
  store = await createTestTable();
  world = await setUpCodeBatches(store.table);
  const { LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys } = world.settings;
  harness = await createProjectionHarness({ table: store.table, peppers, encryptionKeys });
  call = createCaller(world.handler, routes);
});
beforeEach(async () => {
  productId = await world.addProduct();
});

const ask = (id: string = productId, userId = 'alice') =>
  call('GET', `/v1/products/${id}/code-stock`, { headers: { 'X-User-ID': userId } });
const expectStock = async (available: number, sold: number, waiting_orders: number) =>
  expect(await ask()).toMatchObject({ status: 200, json: { available, sold, waiting_orders } });

const code = (number: number) => `CODE-${String(number).padStart(6, '0')}`;

/** New codes, imported to the end. */
async function importCodes(count: number, codes: readonly string[] = []): Promise<void> {
  const fresh = Array.from({ length: count }, () => {
    last += 1;
    return code(last);
  });
  await world.accept(productId, [...fresh, ...codes]);
  await world.work(toSqsEvent(world.sent.splice(0)));
  await harness.project(toSqsEvent(world.sent.splice(0)));
}
async function buy(): Promise<Order> {
  const order = await harness.addOrder({ productId, terms });
  await harness.deliver(sessionEvent(order, 'completed'));
  return order;
}

describe('the stock of a product', () => {
  test('counts what imports of the product brought, what was sold, and who waits', async () => {
    await expectStock(0, 0, 0);
    await importCodes(3);
    await expectStock(3, 0, 0);
    const order = await buy();
    await expectStock(2, 1, 0);
    await importCodes(60);
    await expectStock(62, 1, 0);
    await importCodes(0, [code(last), 'oops']);
    await expectStock(62, 1, 0);
    // A code that was sold stays so.
    await harness.deliver(refundEvent(order, order.amount));
    await expectStock(62, 1, 0);
    expect((await ask(await world.addProduct())).json).toEqual({ available: 0, sold: 0, waiting_orders: 0 });
  });

  test('counts orders that wait until they are served or refunded', async () => {
    await importCodes(1);
    await buy();
    await buy();
    const refunded = await buy();
    await expectStock(0, 1, 2);
    await harness.deliver(refundEvent(refunded, refunded.amount));
    await expectStock(0, 1, 1);
    await importCodes(2);
    await expectStock(1, 2, 0);
  });

  test('counts a code that was set aside as neither available nor sold', async () => {
    await importCodes(3);
    const { LICENSE_PEPPERS: peppers } = world.settings;
    for (const key of [code(last - 1), code(last)]) await issueTestLicense(store.table, { productId, peppers, key });
    await buy();
    await buy();
    await expectStock(0, 1, 1);
    await importCodes(2);
    await expectStock(1, 2, 0);
  });

  test('is counted to the end where one read does not hold it', async () => {
    const { id: batchId } = await world.accept(productId, ['CODE-SAMPLE-1']);
    await world.work(toSqsEvent(world.sent.splice(0)));
    // The first page of a shard ends at 1 MB.
    for (let number = 0; number < 32; number += 1) {
      const write = stockCode(world, { productId, batchId, code: 'CODE-SAMPLE', codeHash: `hash-${number}` });
      await store.table.write({ put: { Item: { ...('put' in write && write.put.Item), filler: 'x'.repeat(380_000) } } });
    }
    store.takeRequestCounts();
    expect((await ask()).json).toEqual({ available: 33, sold: 0, waiting_orders: 0 });
    expect(store.takeRequestCounts()['Query']).toBeGreaterThan(8 + 3);
  });
});

describe('who sees it', () => {
  test('of a product that generates its keys nobody', async () => {
    const generated = await world.addProduct('alice', { licenseIssuanceMode: 'generated_server_validated' });
    expect(await ask(generated)).toMatchObject(error(400, 'wrong_issuance_mode'));
    expect(await ask(generated, 'bob')).toMatchObject(error(403, 'forbidden'));
  });

  test('the seller of the product, suspended or not', async () => {
    await importCodes(1);
    await world.suspendSeller('alice');
    await expectStock(1, 0, 0);
  });
});
