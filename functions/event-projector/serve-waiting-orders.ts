import type { Job } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { OrderRepository } from '../../shared/orders/order-repository.ts';
import type { WaitingOrderRepository } from '../../shared/orders/waiting-order-repository.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';

/** Gives imported codes to the paid orders of a product that wait for one, the first paid first, while there are any. */
export function createServeWaitingOrders(dependencies: {
  orders: OrderRepository;
  waitingOrders: WaitingOrderRepository;
  jobs: JobRepository;
  applyPaymentUpdate: ApplyPaymentUpdate;
  hasStock: (productId: string) => Promise<boolean>;
}): (job: Job) => Promise<void> {
  const { orders, waitingOrders, jobs, applyPaymentUpdate, hasStock } = dependencies;
  return async (job) => {
    const productId = job.ref;
    while (await hasStock(productId)) {
      const orderIds = await waitingOrders.listWaitingOrders(productId);
      if (orderIds.length === 0) break;
      for (const orderId of orderIds) {
        await applyPaymentUpdate({ orderId }, []);
      }
    }
    await orders.commit([jobs.finishJob(job)]);
  };
}
