import { createHasStock } from '../../shared/code-batches/code-stock-repository.ts';
import type { Table } from '../../shared/db/table.ts';
import type { OrderId } from '../../shared/ids.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createWaitingOrderRepository } from '../../shared/orders/waiting-order-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';

const ordersAtATime = 25;

/** Gives imported codes to the paid orders of a product that wait for one, the first paid first, while codes are left. */
export function createServeWaitingOrders(options: {
  table: Table;
  applyPaymentUpdate: ApplyPaymentUpdate;
  now: () => Date;
}): RunJob<'serve-waiting-orders'> {
  const { table, applyPaymentUpdate, now } = options;
  const waitingOrders = createWaitingOrderRepository({ table });
  const hasStock = createHasStock({ table });
  const jobs = createJobRepository({ table, now });
  return async (job) => {
    const { productId } = job.task;
    // Orders that cannot be served must not hold up those behind them.
    const failures = new Map<OrderId, unknown>();
    while (await hasStock(productId)) {
      const waiting = await waitingOrders.listWaitingOrders(productId, ordersAtATime + failures.size);
      const orderIds = waiting.filter((orderId) => !failures.has(orderId));
      if (orderIds.length === 0) break;
      for (const orderId of orderIds) {
        await applyPaymentUpdate({ orderId }, []).catch((error) => failures.set(orderId, error));
      }
    }
    for (const error of failures.values()) throw error;
    await table.transact([jobs.finishJob(job)]);
  };
}
