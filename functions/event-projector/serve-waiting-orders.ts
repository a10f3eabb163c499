import type { Table } from '../../shared/db/table.ts';
import type { ProductId } from '../../shared/ids.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { WaitingOrderRepository } from '../../shared/orders/waiting-order-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';

/** Gives imported codes to the paid orders of a product that wait for one, the first paid first, while codes are left. */
export function createServeWaitingOrders(dependencies: {
  table: Table;
  waitingOrders: WaitingOrderRepository;
  jobs: JobRepository;
  applyPaymentUpdate: ApplyPaymentUpdate;
  hasStock: (productId: ProductId) => Promise<boolean>;
}): RunJob<'serve-waiting-orders'> {
  const { table, waitingOrders, jobs, applyPaymentUpdate, hasStock } = dependencies;
  return async (job) => {
    const { productId } = job.task;
    while (await hasStock(productId)) {
      const orderIds = await waitingOrders.listWaitingOrders(productId);
      if (orderIds.length === 0) break;
      const failures: unknown[] = [];
      for (const orderId of orderIds) {
        // One order that cannot be served must not hold up those behind it.
        await applyPaymentUpdate({ orderId }, []).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    }
    await table.transact([jobs.finishJob(job)]);
  };
}
