import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import type { Redemption } from '../../shared/discounts/discount.ts';
import { createRedemptionRepository, OverRedeemedError } from '../../shared/discounts/redemption-repository.ts';
import { FailedJobError, type Job, longestDelay, ThrottledJobError } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Order } from '../../shared/orders/order.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createCheckoutSessions } from '../../shared/payments/checkout-sessions.ts';
import type { StripeClient } from '../../shared/payments/stripe-client.ts';
import type { JobEnd, RunJob } from '../../shared/queue/create-worker.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';
import { settledStateOf } from './settle-later.ts';

/** For so long after the end of its session an order's events are waited for, before the provider is asked. */
const eventsAwaitedMs = 10 * 60_000;

/**
 * Settles the redemption that an order holds: counts it once the order was paid, and gives it back once it cannot be paid any
 * more, which without an event the provider is asked. See "Redemptions" in shared/discounts/README.md
 */
export function createSettleRedemption(options: {
  table: Table;
  provider: StripeClient;
  logger: Logger;
  applyPaymentUpdate: ApplyPaymentUpdate;
  now: () => Date;
}): RunJob<'settle-redemption'> {
  const { table, provider, logger, applyPaymentUpdate, now } = options;
  const redemptions = createRedemptionRepository({ table });
  const orders = createOrderRepository({ table });
  const jobs = createJobRepository({ table, now });
  const checkoutSessions = createCheckoutSessions({ provider });

  async function redeem(job: Job, redemption: Redemption): Promise<void> {
    const commit = (limit?: { isOver: boolean }) => table.transact([jobs.finishJob(job), ...redemptions.redeem(redemption, limit)]);
    try {
      await commit();
    } catch (error) {
      if (!(error instanceof OverRedeemedError)) throw error;
      // An alarm counts this message: told before it is recorded, so that a crash repeats it and does not lose it.
      logger.error('discount_over_redeemed', { orderId: redemption.orderId, discountId: redemption.discountId });
      await commit({ isOver: true });
    }
  }

  /** The order's fate is not known: waits for its events, then asks. What that tells is recorded, which leaves it to the job anew. */
  async function askForEnd(order: Order): Promise<JobEnd> {
    const awaitedMs = Date.parse(order.expiresAt) + eventsAwaitedMs - now().getTime();
    if (awaitedMs > 0) throw new ThrottledJobError('events_awaited', Math.min(longestDelay, Math.ceil(awaitedMs / 1000)));
    const { id: orderId, checkoutSessionId } = order;
    if (checkoutSessionId !== undefined && (await checkoutSessions.isComplete(checkoutSessionId)))
      throw new FailedJobError('payment_awaited');
    await applyPaymentUpdate({ orderId, checkout: { expiredAt: now().toISOString() } }, []);
    return { outcome: 'expired' };
  }

  async function settle(job: Job<'settle-redemption'>): Promise<JobEnd> {
    const { orderId } = job.task;
    const [redemption, order] = await Promise.all([redemptions.findRedemption(orderId), orders.findOrder(orderId)]);
    const state = settledStateOf(order);
    if (redemption && order && state === 'reserved' && redemption.isLimited) return askForEnd(order);
    if (redemption && state === 'redeemed' && redemption.state !== 'redeemed') await redeem(job, redemption);
    else if (redemption && state === 'returned' && redemption.state === 'reserved')
      await table.transact([jobs.finishJob(job), ...redemptions.returnRedemption(redemption)]);
    else await table.transact([jobs.finishJob(job)]);
    return { outcome: redemption ? state : 'without redemption' };
  }

  return (job) => retryOptimisticLock(() => settle(job));
}
