import type { OrderId } from '../../shared/ids.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { listWaitingOrders } from '../../shared/orders/waiting-order-repository.ts';
import { hasStock } from '../../shared/products/code-stock.ts';
import { applyPaymentUpdate, type UpdateNeeds } from './apply-payment-update.ts';

const ordersAtATime = 25;

/** Gives imported codes to the paid orders of a product that wait for one, the first paid first, while codes are left. */
export async function serveWaitingOrders(c: UpdateNeeds, job: Job<'serve-waiting-orders'>) {
  const { productId } = job.task;
  // Orders that cannot be served must not hold up those behind them.
  const failures = new Map<OrderId, unknown>();
  while (await hasStock(c.table, productId)) {
    const waiting = await listWaitingOrders(c.table, productId, ordersAtATime + failures.size);
    const orderIds = waiting.filter((orderId) => !failures.has(orderId));
    if (orderIds.length === 0) break;
    for (const orderId of orderIds) {
      await applyPaymentUpdate(c, { orderId }, []).catch((error) => failures.set(orderId, error));
    }
  }
  for (const error of failures.values()) throw error;
  await c.table.transact([finishJob(job)]);
}
