import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import { newId } from '../../../shared/ids.ts';
import { statusOf } from '../../../shared/licenses/license.ts';
import { revokeLicense } from '../../../shared/licenses/license-service.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, meetingsOf } from '../../support/interleave.ts';
import { disputed, type EventOf, paid, refunded, sessionEvent, won } from '../../support/samples/provider-events.ts';
import { createEventLog } from '../../support/scenes/events/event-log.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';
import { expectSerializable } from '../../support/serializable.ts';

const interleaver = createInterleaver();
let harness: ProjectionHarness;
let log: ReturnType<typeof createEventLog>;
beforeAll(async () => {
  const { table } = await createTestTable({ faults: interleaver });
  harness = await createProjectionHarness({ table });
  log = createEventLog({ table });
});

/** Receives the event, and returns the work of the projector on it. */
async function projectionOf(event: unknown) {
  harness.queue.take();
  await harness.receiveEvent('platform', event);
  const message = harness.queue.take();
  return () => harness.project(message);
}
/** What is left to a worker that lost every race. */
async function projectTheRest() {
  const { Records } = harness.queue.take();
  await harness.project({ Records: Records.filter(({ body }) => body.includes('project-event')) });
}
async function shown({ id }: Order) {
  const { order, license, mail } = await harness.show(id);
  const { items } = await listAudit(harness.table, { targetId: license?.id ?? 'none', limit: 20 });
  const told = await log.take(id);
  return {
    order: [order.status, order.waitingSince !== undefined],
    license: license && [statusOf(license, new Date()), license.paymentHold, license.id === order.licenseId],
    mail: mail?.state,
    audits: items.map(({ action }) => action).toSorted(),
    told: told.map(({ type, data }) => [type, data['previousStatus'], data['status']].join(' ')).toSorted(),
  };
}

describe('in every order of two events of one order at once, they come to what they come to one after the other:', () => {
  test.each<[string, EventOf[], EventOf[]]>([
    ['two that say it is paid', [], [paid, (order) => sessionEvent(order, 'async_payment_succeeded')]],
    ['its payment and its full refund', [], [paid, refunded(1200)]],
    ['a won dispute and a full refund', [paid, disputed], [won, refunded(1200)]],
  ])('%s', async (_, before, events) => {
    await expectSerializable(meetingsOf(interleaver), async () => {
      const order = await harness.addOrder();
      for (const eventOf of before) await harness.deliver(eventOf(order));
      const one = await projectionOf(events[0]?.(order));
      const other = await projectionOf(events[1]?.(order));
      return { tasks: [one, other], end: () => projectTheRest().then(() => shown(order)) };
    });
  });

  test('the same one twice', async () => {
    await expectSerializable(meetingsOf(interleaver), async () => {
      const order = await harness.addOrder();
      const project = await projectionOf(paid(order));
      return {
        tasks: [project, project],
        end: async () => [(await harness.show(order.id)).order.revision - order.revision, await shown(order)],
      };
    });
  });

  test('a dispute, and a revocation by an admin', async () => {
    await expectSerializable(meetingsOf(interleaver), async () => {
      const order = await harness.sell();
      const { licenseId = newId('license') } = (await harness.show(order.id)).order;
      const project = await projectionOf(disputed(order));
      const revoke = async () => void (await revokeLicense(harness, 'admin', licenseId));
      return { tasks: [project, revoke], end: () => projectTheRest().then(() => shown(order)) };
    });
  });

  test('two orders that pay for the last imported code: one has it, the other waits', async () => {
    const terms = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' } as const;
    await expectSerializable(meetingsOf(interleaver), async () => {
      const productId = newId('product');
      const orders = [await harness.addOrder({ productId, terms }), await harness.addOrder({ productId, terms })] as const;
      await harness.table.write(stockCode(harness, { productId, batchId: newId('batch'), code: 'CODE-0001', codeHash: 'hash' }));
      const one = await projectionOf(paid(orders[0]));
      const other = await projectionOf(paid(orders[1]));
      return {
        tasks: [one, other],
        async end() {
          await projectTheRest();
          const ends = [];
          for (const order of orders) ends.push(await shown(order));
          expect(ends.map(({ order: [, waits] }) => waits).toSorted()).toEqual([false, true]);
          return ends;
        },
      };
    });
  });
});
