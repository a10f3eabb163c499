import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const interleaver = createInterleaver();
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable({ faults: interleaver }));
});

describe('in every order of two events of one order at once', () => {
  let harness: ProjectionHarness;
  beforeAll(async () => {
    harness = await createProjectionHarness({ table });
  });

  /** Projects two received events at once, and again as long as a worker lost every race. */
  async function project(picks: Parameters<typeof interleaver.run>[0], events: readonly { id: string }[]) {
    for (const event of events) await harness.receiveEvent('platform', event);
    const { Records } = harness.queue.take();
    await interleaver.run(
      picks,
      Records.map((record) => () => harness.project({ Records: [record] })),
    );
    const left = harness.queue.take().Records.filter(({ body }) => body.includes('project-event'));
    await harness.project({ Records: left });
  }
  const issuedOf = async (order: Order) => {
    const { items } = await listAudit(harness.table, { targetId: order.licenseId ?? 'none', limit: 20 });
    return items.filter(({ action }) => action === 'license.issue').length;
  };

  test('two that say it is paid: one license, one mail', async () => {
    const orders = await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      await project(picks, [sessionEvent(order, 'completed'), sessionEvent(order, 'async_payment_succeeded')]);
      const { order: paid, license, mail } = await harness.show(order.id);
      expect(paid.status).toBe('paid');
      expect(license?.id).toBe(paid.licenseId);
      expect(await issuedOf(paid)).toBe(1);
      expect(mail?.state).toBe('pending');
    });
    expect(orders).toBeGreaterThanOrEqual(5);
  }, 60_000);

  test('its payment and its full refund: refunded, and the license held', async () => {
    await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      await project(picks, [sessionEvent(order, 'completed'), refundEvent(order, 1200)]);
      expect(await harness.show(order.id)).toMatchObject({ order: { status: 'refunded' }, license: { paymentHold: 'refunded' } });
    });
  }, 60_000);

  test('a won dispute and a full refund: refunded, and the license held', async () => {
    await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      await harness.deliver(sessionEvent(order, 'completed'));
      await harness.deliver(disputeEvent(order, 'created', 'needs_response'));
      harness.queue.take();
      await project(picks, [disputeEvent(order, 'closed', 'won'), refundEvent(order, 1200)]);
      expect(await harness.show(order.id)).toMatchObject({ order: { status: 'refunded' }, license: { paymentHold: 'refunded' } });
    });
  }, 60_000);

  test('the same one twice: its effect once', async () => {
    await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      const event = sessionEvent(order, 'completed');
      await harness.receiveEvent('platform', event);
      harness.queue.take();
      const message = toSqsEvent([jobId({ kind: 'project-event', eventId: event.id })]);
      await interleaver.run(picks, [() => harness.project(message), () => harness.project(message)]);
      const { order: paid } = await harness.show(order.id);
      expect(paid.revision).toBe(order.revision + 1);
      expect(await issuedOf(paid)).toBe(1);
    });
  });

  test('two orders that pay for the last imported code: one has it, the other waits', async () => {
    const terms = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' } as const;
    await inEveryOrder(async (picks) => {
      const productId = newId('product');
      const sold = await Promise.all([0, 1].map(() => harness.addOrder({ productId, terms })));
      const code = { productId, batchId: newId('batch'), code: 'CODE-0001', codeHash: 'hash' };
      await table.write(stockCode(harness, code));
      await project(
        picks,
        sold.map((order) => sessionEvent(order, 'completed')),
      );
      const shown = await Promise.all(sold.map(({ id }) => harness.show(id)));
      expect(shown.map(({ license }) => license !== undefined).toSorted()).toEqual([false, true]);
      expect(shown.map(({ order }) => order.waitingSince !== undefined).toSorted()).toEqual([false, true]);
    });
  }, 60_000);
});
