import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { getBatch } from '../../../shared/code-batches/code-batch-repository.ts';
import { stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { Keyring } from '../../../shared/crypto/keyring.ts';
import { licenseKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type BatchId, newId, type ProductId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { licenseLookups } from '../../../shared/licenses/license-lookup.ts';
import { getLicense } from '../../../shared/licenses/license-repository.ts';
import { openLicenseKey } from '../../../shared/licenses/new-license.ts';
import { beginMove } from '../../../shared/licenses/rekeying/license-move-repository.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { addWaitingOrder, listWaitingOrders } from '../../../shared/orders/waiting-order-repository.ts';
import { hasStock } from '../../../shared/products/code-stock.ts';
import { normalizeLicenseKey } from '../../../shared/text/license-key.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';
import { issueTestLicense, keyringOf } from '../../support/samples/licenses.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { otherThanEvents } from '../../support/scenes/events/event-log.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const textOf = ({ all }: Keyring) => all.map(({ version, secret }) => `${version}:${secret.export().toString('base64url')}`).join();
const peppers = keyringOf('2', '1');
const oldPeppers = keyringOf('1');

describe('the import of codes that are license keys already', () => {
  let engine: TestTable;
  let world: Awaited<ReturnType<typeof setUpCodeBatches>>;
  let productId: ProductId;
  beforeAll(async () => {
    engine = await createTestTable();
    world = await setUpCodeBatches(engine.table, { LICENSE_PEPPERS: textOf(peppers) });
  });
  beforeEach(async () => {
    productId = await world.addProduct();
  });
  const issue = async (facts: Parameters<typeof issueTestLicense>[1] = {}) =>
    (await issueTestLicense(engine.table, { productId, peppers, ...facts })).key;
  const otherSpelling = (key: string) => key.toLowerCase().replaceAll('-', ' ');
  let last = 0;
  const newCodes = (count: number) => Array.from({ length: count }, () => `CODE-${String(++last).padStart(6, '0')}`);

  async function importAll(codes: readonly string[]) {
    const batch = await world.accept(productId, codes);
    const reply = await world.work(toSqsEvent([jobId({ kind: 'import-codes', productId, batchId: batch.id })]));
    expect(reply.batchItemFailures).toEqual([]);
    return getBatch(world.table, productId, batch.id);
  }

  test('counts the key of a license of the product as a duplicate, whatever its state, in any spelling', async () => {
    const at = '2026-02-01T00:00:00.000Z';
    const states = [{}, { paymentHold: 'refunded' }, { paymentHold: 'disputed' }, { revokedAt: at }, { expiresAt: at }] as const;
    const good = newCodes(2);
    const batch = await importAll([...good, ...(await Promise.all(states.map((facts) => issue(facts)))).map(otherSpelling)]);
    expect(batch).toMatchObject({ status: 'completed', importedCount: 2, duplicateCount: 5 });
    expect(await world.sellAll(productId)).toEqual(good);
  });

  test('finds licenses under older peppers, and those that move from one to another, but takes keys of other products', async () => {
    const old = await issue({ peppers: oldPeppers });
    const moving = await issueTestLicense(engine.table, { productId, peppers: oldPeppers });
    const [target = ''] = licenseLookups(productId, normalizeLicenseKey(moving.key), peppers);
    await engine.table.transact(beginMove(moving.license, target, new Date()));
    const elsewhere = await issue({ productId: await world.addProduct() });
    expect(await importAll([old, moving.key, elsewhere])).toMatchObject({ importedCount: 1, duplicateCount: 2 });
  });

  test('counts two spellings of such a key, and every one in all pieces of an upload, and reads a hundred lookups a request', async () => {
    const [first = '', second = '', third = ''] = [await issue(), await issue(), await issue()];
    const codes = [first, ...newCodes(120), second, otherSpelling(second), ...newCodes(1000), third];
    engine.takeRequestCounts();
    expect(await importAll(codes)).toMatchObject({ status: 'completed', importedCount: 1120, duplicateCount: 4 });
    // Two peppers.
    expect(engine.takeRequestCounts()['BatchGetItem']).toBeLessThanOrEqual(2 * 12 + 2);
  });
});

describe('the sale of imported codes', () => {
  const terms: Order['terms'] = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' };
  let engine: TestTable;
  let harness: ProjectionHarness;
  let productId: ProductId;

  let batchId: BatchId;
  beforeAll(async () => {
    engine = await createTestTable();
    harness = await createProjectionHarness({ table: engine.table, peppers });
  });
  beforeEach(() => {
    [productId, batchId] = [newId('product'), newId('batch')];
  });

  const putInStock = (code: string) => engine.table.write(stockCode(harness, { productId, batchId, code, codeHash: `hash-${code}` }));

  async function buy(service = harness): Promise<Order> {
    const order = await service.sell({ productId, terms });
    await work(service);
    return order;
  }
  /** Runs every job that was sent, all at once, until none is left but mails. */
  async function work(service = harness): Promise<void> {
    for (;;) {
      const records = service.queue.take().Records.filter(({ body }) => !body.includes('send-mail'));
      if (records.length === 0) return;
      await Promise.all(records.map((record) => service.project({ Records: [record] })));
    }
  }
  const shown = async ({ id }: Order) => {
    const { order, license } = await harness.show(id);
    return {
      status: order.status,
      waits: order.waitingSince !== undefined,
      key: license && openLicenseKey(license, harness.encryptionKeys),
    };
  };
  const asides = async () => {
    const { items } = await listAudit(harness.table, { targetId: batchId, limit: 100 });
    return items.filter(({ action }) => action === 'code_batch.set_aside_code');
  };

  const addOrders = (count: number) => Promise.all(Array.from({ length: count }, () => harness.addOrder({ productId, terms })));
  const pay = (order: Order) => harness.receiveEvent('platform', sessionEvent(order, 'completed'));
  let lastCode = 0;
  async function putGoodInStock(count: number): Promise<void> {
    for (let added = 0; added < count; added += 1) await putInStock(`GOOD-${String(++lastCode).padStart(4, '0')}`);
  }
  /** What an import leaves to do when it is complete. */
  async function completeImport(): Promise<void> {
    await engine.table.write(addJob(harness, { kind: 'serve-waiting-orders', productId }));
    await harness.queue.sendJob({ kind: 'serve-waiting-orders', productId });
    await work();
  }
  const waitingIds = () => listWaitingOrders(engine.table, productId, 25);
  const keyOf = async (order: Order) => (await shown(order)).key;
  const served = async (orders: readonly Order[]) => (await Promise.all(orders.map(keyOf))).map((key) => key !== undefined);

  test('to orders that are paid at once share the codes, each for one, and the others wait for the next', async () => {
    await putGoodInStock(3);
    const orders = await addOrders(5);
    await Promise.all(orders.map(pay));
    await work();
    const keys = (await Promise.all(orders.map(keyOf))).filter((key) => key !== undefined);
    expect([keys.length, new Set(keys).size]).toEqual([3, 3]);
    await putGoodInStock(2);
    await completeImport();
    expect(new Set(await Promise.all(orders.map(keyOf))).size).toBe(5);
  });

  test('to orders that wait are served by the time they were paid, before those that are paid while an import runs', async () => {
    const orders = await addOrders(3);
    for (const order of orders) {
      await pay(order);
      await work();
    }
    await putGoodInStock(1);
    const [late] = await addOrders(1);
    orders.push(late!);
    await pay(late!);
    for (let count = 1; count <= 4; count += 1) {
      await completeImport();
      expect(await served(orders)).toEqual(orders.map((_, at) => at < count));
      expect(await waitingIds()).toEqual(orders.slice(count).map(({ id }) => id));
      await putGoodInStock(1);
    }
  });

  test('to orders that were paid back wait no more, and take no code', async () => {
    const [refunded, other] = await addOrders(2);
    if (!refunded || !other) throw new Error('There are no orders.');
    await pay(refunded);
    await work();
    await harness.receiveEvent('platform', refundEvent(refunded, refunded.amount));
    await pay(other);
    await work();
    expect(await waitingIds()).toEqual([other.id]);
    await putGoodInStock(1);
    await completeImport();
    expect(await served([refunded, other])).toEqual([false, true]);
    expect((await harness.show(refunded.id)).order).toMatchObject({ status: 'refunded' });
  });

  test.each([
    ['the current pepper', peppers],
    ['an older pepper', oldPeppers],
  ])('gives the buyer another code, and sets that one aside, for a license under %s', async (_, usedPeppers) => {
    const { key, license } = await issueTestLicense(engine.table, { productId, peppers: usedPeppers });
    await putInStock(key);
    await putInStock('GOOD-0001');
    // Whichever is drawn first, the buyer gets the good one.
    const order = await buy();
    expect(await shown(order)).toEqual({ status: 'paid', waits: false, key: 'GOOD-0001' });
    const next = await buy();
    expect(await shown(next)).toEqual({ status: 'paid', waits: true, key: undefined });
    expect(await asides()).toMatchObject([{ actor: 'event-projector', after: { productId } }]);
    expect(JSON.stringify(await asides())).not.toContain(key);
    expect(await hasStock(engine.table, productId)).toBe(false);
    expect((await getLicense(harness.table, license.id)).orderId).toBe(license.orderId);
  });

  test('of orders at once that draw such codes each gets a good one, and each such code is set aside once', async () => {
    for (let at = 0; at < 6; at += 1) await putInStock((await issueTestLicense(engine.table, { productId, peppers })).key);
    for (let at = 0; at < 3; at += 1) await putInStock(`GOOD-000${at}`);
    const orders = await addOrders(3);
    await Promise.all(orders.map(pay));
    await work();
    const sold = await Promise.all(orders.map(keyOf));
    expect(sold.sort()).toEqual(['GOOD-0000', 'GOOD-0001', 'GOOD-0002']);
    expect((await asides()).length).toBeLessThanOrEqual(6);
  });

  test('a payment is recorded also when hundreds of such codes are in stock, and the buyer is served in the end', async () => {
    for (let at = 0; at < 120; at += 1) await putInStock((await issueTestLicense(engine.table, { productId, peppers })).key);
    const order = await harness.sell({ productId, terms });
    expect((await harness.show(order.id)).order.status).toBe('paid');
    await putInStock('GOOD-0001');
    // Each run of the job sets some aside.
    for (let run = 0; run < 5; run += 1) {
      const due = otherThanEvents(await takeDueJobs(harness, { evenIfLeased: true }));
      await harness.project(toSqsEvent(due.map(({ id }) => id).filter((id) => !id.startsWith('send-mail'))));
    }
    expect(await shown(order)).toMatchObject({ key: 'GOOD-0001' });
  }, 60_000);

  test('of a code that becomes a license key while it is being sold sets it aside', async () => {
    let raced = 0;
    const racing: Table = {
      ...engine.table,
      async transact(writes) {
        const license = writes.find((write) => 'put' in write && write.put.Item?.['sealedKey'] !== undefined);
        if (raced === 0 && license && 'put' in license) {
          raced += 1;
          await engine.table.write({ put: { Item: { ...license.put.Item, id: newId('license') } } });
        }
        return engine.table.transact(writes);
      },
    };
    const service = await createProjectionHarness({ table: racing, peppers });
    for (const code of ['RACE-0001', 'RACE-0002']) await racing.write(stockCode(service, { productId, batchId, code, codeHash: code }));
    const order = await service.sell({ productId, terms });
    const { license } = await service.show(order.id);
    expect(raced).toBe(1);
    expect(license && openLicenseKey(license, service.encryptionKeys)).toMatch(/^RACE-000[12]$/);
    expect(await hasStock(racing, productId)).toBe(false);
    expect(await asides()).toHaveLength(1);
  });
});

describe('a payment whose license cannot be issued', () => {
  type Refuse = (license: Record<string, unknown>) => Promise<unknown>;
  /** A harness over a table that lets no license be written, in the way that `refuseOn` says, until it is mended. */
  async function openBroken(refuseOn: (table: Table) => Refuse) {
    const { table } = await createTestTable();
    const refuse = refuseOn(table);
    const state = { broken: true };
    const transact: Table['transact'] = async (writes) => {
      const license = writes.find((write) => 'put' in write && write.put.Item?.['sealedKey'] !== undefined);
      if (state.broken && license && 'put' in license) await refuse(license.put.Item ?? {});
      return table.transact(writes);
    };
    const logged: string[] = [];
    const logger = createLogger({}, (line) => logged.push(JSON.parse(line).message));
    const harness = await createProjectionHarness({ table: { ...table, transact }, logger });
    const dueIds = async () => otherThanEvents(await takeDueJobs(harness, { evenIfLeased: true })).map(({ id }) => id);
    return { ...harness, state, table, dueIds, logged };
  }
  const fail = () => () => Promise.reject(new Error('ValidationException'));
  const take = (table: Table) => (license: Record<string, unknown>) => table.write({ put: { Item: { ...license, id: newId('license') } } });

  test.each<[string, (table: Table) => Refuse]>([
    ['fails for an unknown reason', fail],
    ['has a generated key that is always taken', take],
  ])('is recorded with its later facts, when the issuance %s, and its job issues it', async (_, refuseOn) => {
    const harness = await openBroken(refuseOn);
    const order = await harness.sell();
    await harness.deliver(disputeEvent(order, 'created', 'needs_response'));
    await harness.deliver(refundEvent(order, 400));
    const { order: paid, license } = await harness.show(order.id);
    expect(paid).toMatchObject({ status: 'disputed', checkout: { paidAt: expect.any(String) } });
    expect([license, harness.logged.includes('license_not_issued')]).toEqual([undefined, true]);
    // The events are done; what is left is the license's own job, which fails and is postponed.
    expect(await harness.dueIds()).toEqual([`issue-license:${order.id}`]);
    await harness.project(toSqsEvent([`issue-license:${order.id}`]));
    expect((await harness.show(order.id)).license).toBeUndefined();

    harness.state.broken = false;
    for (const id of await harness.dueIds()) await harness.project(toSqsEvent([id, id]));
    const served = await harness.show(order.id);
    expect(served.license).toMatchObject({ orderId: order.id, paymentHold: 'disputed' });
    expect(served.mail?.state).toBe('pending');
    expect(await harness.dueIds()).toEqual([`send-mail:${order.id}/issuance`]);
    expect(await harness.table.get(licenseKey(served.license?.lookup ?? ''))).toMatchObject({ orderId: order.id });
  });

  test('gets another generated key where one is taken once', async () => {
    const harness = await openBroken((table) => async (license) => {
      harness.state.broken = false;
      await take(table)(license);
    });
    const order = await harness.sell();
    expect((await harness.show(order.id)).license).toMatchObject({ orderId: order.id });
  });

  const terms = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' as const };
  test.each([
    ['that cannot be served', 1],
    ['of a whole page that cannot be served', 30],
  ])('does not hold up, as one %s, the orders that wait behind it', async (_, count) => {
    const poisoned = newId('order');
    const harness = await openBroken(
      () =>
        async ({ orderId }) =>
          orderId === poisoned ? fail()() : undefined,
    );
    const productId = newId('product');
    if (count === 1) await harness.sell({ id: poisoned, productId, terms, checkoutSessionId: 'cs_test_poisoned' });
    const order = await harness.sell({ productId, terms });
    for (let at = 1; at < count; at += 1) {
      await harness.table.write(addWaitingOrder({ productId, id: newId('order'), waitingSince: '2020-01-01T00:00:00.000Z' }));
    }
    for (const code of ['CODE-0001', 'CODE-0002']) {
      await harness.table.write(stockCode(harness, { productId, batchId: newId('batch'), code, codeHash: code }));
    }
    await harness.project(toSqsEvent([`serve-waiting-orders:${productId}`]));
    expect((await harness.show(order.id)).license).toBeDefined();
    expect(await harness.dueIds()).toContain(`serve-waiting-orders:${productId}`);
  });
});
