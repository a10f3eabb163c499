import { beforeEach, describe, expect, test } from '@jest/globals';
import { stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import { newId, type ProductId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { listWaitingOrders } from '../../../shared/orders/waiting-order-repository.ts';
import { refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';

const terms: Order['terms'] = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' };

describe('orders for imported codes', () => {
  let harness: ProjectionHarness;
  let productId: ProductId;
  let lastCode: number;

  beforeEach(async () => {
    harness = await createProjectionHarness();
    productId = newId('product');
    lastCode = 0;
  });

  const addOrders = (count: number) => Promise.all(Array.from({ length: count }, () => harness.addOrder({ productId, terms })));
  const pay = async (order: Order) => harness.receiveEvent('platform', sessionEvent(order, 'completed'));

  /** Puts codes into stock, as the transactions of an import do. */
  async function stockCodes(count: number): Promise<void> {
    for (let added = 0; added < count; added += 1) {
      lastCode += 1;
      const code = `CODE-${String(lastCode).padStart(4, '0')}`;
      await harness.table.write(stockCode(harness, { productId, batchId: newId('batch'), code, codeHash: `hash-${lastCode}` }));
    }
  }

  /** What an import leaves to do when it is complete. */
  async function completeImport(): Promise<void> {
    await harness.table.write(addJob(harness, { kind: 'serve-waiting-orders', productId }));
    await harness.queue.sendJob({ kind: 'serve-waiting-orders', productId });
    await work();
  }

  /** Runs every job that was sent, all at once, until none is left but mails. */
  async function work(): Promise<void> {
    for (;;) {
      const records = harness.queue.take().Records.filter(({ body }) => !body.includes('send-mail'));
      if (records.length === 0) return;
      await Promise.all(records.map((record) => harness.project({ Records: [record] })));
    }
  }

  const waitingIds = () => listWaitingOrders(harness.table, productId, 25);
  const keyOf = async ({ id }: Order) => (await harness.show(id)).license?.lookup;
  const served = async (orders: readonly Order[]) => (await Promise.all(orders.map(keyOf))).map((key) => key !== undefined);

  test('that are paid at once share the codes, each for one, and the others wait for the next', async () => {
    await stockCodes(3);
    const orders = await addOrders(5);
    await Promise.all(orders.map(pay));
    await work();
    const keys = (await Promise.all(orders.map(keyOf))).filter((key) => key !== undefined);
    expect([keys.length, new Set(keys).size]).toEqual([3, 3]);
    await stockCodes(2);
    await completeImport();
    expect(new Set(await Promise.all(orders.map(keyOf))).size).toBe(5);
  });

  test('that wait are served by the time they were paid, before those that are paid while an import runs', async () => {
    const orders = await addOrders(3);
    for (const order of orders) {
      await pay(order);
      await work();
    }
    await stockCodes(1);
    const [late] = await addOrders(1);
    orders.push(late!);
    await pay(late!);
    for (let count = 1; count <= 4; count += 1) {
      await completeImport();
      expect(await served(orders)).toEqual(orders.map((_, at) => at < count));
      expect(await waitingIds()).toEqual(orders.slice(count).map(({ id }) => id));
      await stockCodes(1);
    }
  });

  test('that were paid back wait no more, and take no code', async () => {
    const [refunded, other] = await addOrders(2);
    if (!refunded || !other) throw new Error('There are no orders.');
    await pay(refunded);
    await work();
    await harness.receiveEvent('platform', refundEvent(refunded, refunded.amount));
    await pay(other);
    await work();
    expect(await waitingIds()).toEqual([other.id]);
    await stockCodes(1);
    await completeImport();
    expect(await served([refunded, other])).toEqual([false, true]);
    expect((await harness.show(refunded.id)).order).toMatchObject({ status: 'refunded' });
  });
});
