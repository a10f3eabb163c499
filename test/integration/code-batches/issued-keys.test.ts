import { beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { getBatch } from '../../../shared/code-batches/code-batch-repository.ts';
import { stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { Keyring } from '../../../shared/crypto/keyring.ts';
import { licenseKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId, type ProductId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { licenseLookups } from '../../../shared/licenses/license-lookup.ts';
import { getLicense } from '../../../shared/licenses/license-repository.ts';
import { openLicenseKey } from '../../../shared/licenses/new-license.ts';
import { beginMove } from '../../../shared/licenses/rekeying/license-move-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { addWaitingOrder } from '../../../shared/orders/waiting-order-repository.ts';
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

  beforeEach(async () => {
    engine = await createTestTable();
    world = await setUpCodeBatches(engine.table, { LICENSE_PEPPERS: textOf(peppers) });
    productId = await world.addProduct();
  });

  async function importInto(product: ProductId, codes: readonly string[]) {
    const batch = await world.accept(product, codes);
    const reply = await world.work(toSqsEvent([jobId({ kind: 'import-codes', productId: product, batchId: batch.id })]));
    expect(reply.batchItemFailures).toEqual([]);
    return getBatch(world.table, product, batch.id);
  }

  test.each([
    ['active', {}],
    ['refunded', { paymentHold: 'refunded' as const }],
    ['disputed', { paymentHold: 'disputed' as const }],
    ['revoked', { revokedAt: '2026-02-01T00:00:00.000Z' }],
    ['expired', { expiresAt: '2026-02-01T00:00:00.000Z' }],
  ])('counts the key of an %s license of the product as a duplicate, in any spelling', async (_, facts) => {
    const { key } = await issueTestLicense(engine.table, { productId, peppers, ...facts });
    const batch = await importInto(productId, ['GOOD-0001', key.toLowerCase().replaceAll('-', ' '), 'GOOD-0002']);
    expect(batch).toMatchObject({ status: 'completed', importedCount: 2, duplicateCount: 1 });
    expect(await world.sellAll(productId)).toEqual(['GOOD-0001', 'GOOD-0002']);
  });

  test('finds licenses under older peppers, and those that move from one to another', async () => {
    const old = await issueTestLicense(engine.table, { productId, peppers: oldPeppers });
    const moving = await issueTestLicense(engine.table, { productId, peppers: oldPeppers });
    const [target = ''] = licenseLookups(productId, normalizeLicenseKey(moving.key), peppers);
    await engine.table.transact(beginMove(moving.license, target, new Date()));
    expect(await importInto(productId, [old.key, moving.key, 'GOOD-0001'])).toMatchObject({ importedCount: 1, duplicateCount: 2 });
  });

  test('takes the key of a license of another product', async () => {
    const { key } = await issueTestLicense(engine.table, { productId: await world.addProduct(), peppers });
    expect(await importInto(productId, [key])).toMatchObject({ importedCount: 1, duplicateCount: 0 });
  });

  test('counts two spellings of such a key, and every one of many, in all pieces of an upload', async () => {
    const keys = await Promise.all(Array.from({ length: 3 }, () => issueTestLicense(engine.table, { productId, peppers })));
    const [first, second, third] = keys.map(({ key }) => key);
    const filler = (from: number, count: number) => Array.from({ length: count }, (_, at) => `FILL-${String(from + at).padStart(6, '0')}`);
    const codes = [first, ...filler(0, 120), second, second?.toLowerCase(), ...filler(200, 1000), third].map(String);
    expect(await importInto(productId, codes)).toMatchObject({ status: 'completed', importedCount: 1120, duplicateCount: 4 });
  });

  test('reads a hundred lookups a request', async () => {
    await importInto(
      productId,
      Array.from({ length: 1000 }, (_, at) => `CODE-${String(at).padStart(6, '0')}`),
    );
    engine.takeRequestCounts();
    await importInto(
      productId,
      Array.from({ length: 1000 }, (_, at) => `MORE-${String(at).padStart(6, '0')}`),
    );
    // Two peppers.
    expect(engine.takeRequestCounts()['BatchGetItem']).toBe(20);
  });
});

describe('the sale of a code that is a license key already', () => {
  const terms: Order['terms'] = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' };
  let engine: TestTable;
  let harness: ProjectionHarness;
  let productId: ProductId;

  beforeEach(async () => {
    engine = await createTestTable();
    harness = await createProjectionHarness({ table: engine.table, peppers });
    productId = newId('product');
  });

  const batchId = newId('batch');
  const putInStock = (code: string) => engine.table.write(stockCode(harness, { productId, batchId, code, codeHash: `hash-${code}` }));

  async function buy(service = harness): Promise<Order> {
    const order = await service.addOrder({ productId, terms });
    await service.deliver(sessionEvent(order, 'completed'));
    await work(service);
    return order;
  }
  /** Runs every job that was sent until none is left but mails. */
  async function work(service = harness): Promise<void> {
    for (;;) {
      const records = service.queue.take().Records.filter(({ body }) => !body.includes('send-mail'));
      if (records.length === 0) return;
      await service.project({ Records: records });
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

  test('when no other code is left the order waits, and is served by the next import', async () => {
    const { key } = await issueTestLicense(engine.table, { productId, peppers });
    await putInStock(key);
    const order = await buy();
    expect(await shown(order)).toEqual({ status: 'paid', waits: true, key: undefined });
    await putInStock('GOOD-0001');
    await engine.table.write(addJob(harness, { kind: 'serve-waiting-orders', productId }));
    await harness.queue.sendJob({ kind: 'serve-waiting-orders', productId });
    await work();
    expect(await shown(order)).toEqual({ status: 'paid', waits: false, key: 'GOOD-0001' });
  });

  test('of orders at once that draw such codes each gets a good one, and each such code is set aside once', async () => {
    for (let at = 0; at < 20; at += 1) await putInStock((await issueTestLicense(engine.table, { productId, peppers })).key);
    for (let at = 0; at < 5; at += 1) await putInStock(`GOOD-000${at}`);
    const orders = await Promise.all(Array.from({ length: 5 }, () => harness.addOrder({ productId, terms })));
    await Promise.all(orders.map((order) => harness.receiveEvent('platform', sessionEvent(order, 'completed'))));
    await work();
    const sold = await Promise.all(orders.map(async (order) => (await shown(order)).key));
    expect(sold.sort()).toEqual(['GOOD-0000', 'GOOD-0001', 'GOOD-0002', 'GOOD-0003', 'GOOD-0004']);
    expect((await asides()).length).toBeLessThanOrEqual(20);
  });

  test('a payment is recorded also when hundreds of such codes are in stock, and the buyer is served in the end', async () => {
    for (let at = 0; at < 120; at += 1) await putInStock((await issueTestLicense(engine.table, { productId, peppers })).key);
    const order = await harness.addOrder({ productId, terms });
    await harness.deliver(sessionEvent(order, 'completed'));
    expect((await harness.show(order.id)).order.status).toBe('paid');
    await putInStock('GOOD-0001');
    // Each run of the job sets some aside.
    for (let run = 0; run < 5; run += 1) {
      const due = otherThanEvents(await takeDueJobs(harness, { evenIfLeased: true }));
      await harness.project(toSqsEvent(due.map(({ id }) => id).filter((id) => !id.startsWith('send-mail'))));
    }
    expect(await shown(order)).toMatchObject({ key: 'GOOD-0001' });
  }, 60_000);

  test('a code that becomes a license key while it is being sold is set aside', async () => {
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
    const order = await service.addOrder({ productId, terms });
    await service.deliver(sessionEvent(order, 'completed'));
    const { license } = await service.show(order.id);
    expect(raced).toBe(1);
    expect(license && openLicenseKey(license, service.encryptionKeys)).toMatch(/^RACE-000[12]$/);
    expect(await hasStock(racing, productId)).toBe(false);
    expect(await asides()).toHaveLength(1);
  });
});

describe('a payment whose license cannot be issued', () => {
  /** A table that lets no license be written, in the way that `refuse` says, until it is mended. */
  function brokenTable(table: Table, refuse: (license: Record<string, unknown>) => Promise<void>) {
    const state = { broken: true };
    const broken: Table = {
      ...table,
      async transact(writes) {
        const license = writes.find((write) => 'put' in write && write.put.Item?.['sealedKey'] !== undefined);
        if (state.broken && license && 'put' in license) await refuse(license.put.Item ?? {});
        return table.transact(writes);
      },
    };
    return { broken, state };
  }
  const failures: [string, (table: Table) => (license: Record<string, unknown>) => Promise<void>][] = [
    ['fails for an unknown reason', () => () => Promise.reject(new Error('ValidationException'))],
    [
      'has a generated key that is always taken',
      (table) => async (license) => void (await table.write({ put: { Item: { ...license, id: newId('license') } } })),
    ],
  ];

  test.each(failures)('is recorded with its later facts, when the issuance %s, and its job issues it', async (_, refuseFor) => {
    const { table } = await createTestTable();
    const { broken, state } = brokenTable(table, refuseFor(table));
    const harness = await createProjectionHarness({ table: broken });
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed'));
    await harness.deliver(disputeEvent(order, 'created', 'needs_response'));
    await harness.deliver(refundEvent(order, 400));
    const { order: paid, license } = await harness.show(order.id);
    expect(paid).toMatchObject({ status: 'disputed', checkout: { paidAt: expect.any(String) } });
    expect(license).toBeUndefined();
    // The events are done; what is left is the license's own job, which fails and is postponed.
    const left = otherThanEvents(await takeDueJobs(harness, { evenIfLeased: true }));
    expect(left.map(({ id }) => id)).toEqual([`issue-license:${order.id}`]);
    await harness.project(toSqsEvent([`issue-license:${order.id}`]));
    expect((await harness.show(order.id)).license).toBeUndefined();

    state.broken = false;
    for (const { id } of otherThanEvents(await takeDueJobs(harness, { evenIfLeased: true }))) await harness.project(toSqsEvent([id, id]));
    const served = await harness.show(order.id);
    expect(served.license).toMatchObject({ orderId: order.id, paymentHold: 'disputed' });
    expect(served.mail?.state).toBe('pending');
    const rest = otherThanEvents(await takeDueJobs(harness, { evenIfLeased: true }));
    expect(rest.map(({ id }) => id)).toEqual([`send-mail:${order.id}/issuance`]);
    expect(await table.get(licenseKey(served.license?.lookup ?? ''))).toMatchObject({ orderId: order.id });
  });

  test('one that is taken once gets another generated key', async () => {
    const { table } = await createTestTable();
    const { broken, state } = brokenTable(table, async (license) => {
      state.broken = false;
      await table.write({ put: { Item: { ...license, id: newId('license') } } });
    });
    const harness = await createProjectionHarness({ table: broken });
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed'));
    expect((await harness.show(order.id)).license).toMatchObject({ orderId: order.id });
  });

  test('one that cannot be served does not hold up the orders that wait behind it', async () => {
    const { table } = await createTestTable();
    const poisoned = newId('order');
    const { broken } = brokenTable(table, (license) =>
      license['orderId'] === poisoned ? Promise.reject(new Error('ValidationException')) : Promise.resolve(),
    );
    const harness = await createProjectionHarness({ table: broken });
    const [productId, terms] = [newId('product'), { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' as const }];
    const orders = [await harness.addOrder({ id: poisoned, productId, terms, checkoutSessionId: 'cs_test_poisoned' })];
    orders.push(await harness.addOrder({ productId, terms }));
    for (const order of orders) await harness.deliver(sessionEvent(order, 'completed'));
    for (const code of ['CODE-0001', 'CODE-0002']) {
      await table.write(stockCode(harness, { productId, batchId: newId('batch'), code, codeHash: code }));
    }
    await harness.project(toSqsEvent([`serve-waiting-orders:${productId}`]));
    expect((await harness.show(orders[1]?.id ?? poisoned)).license).toBeDefined();
    const left = await takeDueJobs(harness, { evenIfLeased: true });
    expect(left.map(({ id }) => id)).toContain(`serve-waiting-orders:${productId}`);
  });

  test('many that cannot be served do not hold up the orders that wait behind them', async () => {
    const { table } = await createTestTable();
    const harness = await createProjectionHarness({ table });
    const [productId, terms] = [newId('product'), { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' as const }];
    const order = await harness.addOrder({ productId, terms });
    await harness.deliver(sessionEvent(order, 'completed'));
    for (let at = 0; at < 30; at += 1) {
      await table.write(addWaitingOrder({ productId, id: newId('order'), waitingSince: '2020-01-01T00:00:00.000Z' }));
    }
    await table.write(stockCode(harness, { productId, batchId: newId('batch'), code: 'CODE-0001', codeHash: 'CODE-0001' }));
    await harness.project(toSqsEvent([`serve-waiting-orders:${productId}`]));
    expect((await harness.show(order.id)).license).toBeDefined();
    const left = await takeDueJobs(harness, { evenIfLeased: true });
    expect(left.map(({ id }) => id)).toContain(`serve-waiting-orders:${productId}`);
  });
});
