import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Redemption } from '../../shared/discounts/discount.ts';
import { findRedemption, redeem, returnRedemption, TooManyRedemptionsError } from '../../shared/discounts/redemption-repository.ts';
import type { OrderId } from '../../shared/ids.ts';
import { FailedJobError, type Job, maxDelaySeconds, ThrottledJobError } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import type { Order } from '../../shared/orders/order.ts';
import { findOrder } from '../../shared/orders/order-repository.ts';
import { findSessionState } from '../../shared/payments/provider/checkout-sessions.ts';
import type { JobOutcome } from '../../shared/queue/create-worker.ts';
import { applyPaymentUpdate, type UpdateNeeds } from './apply-payment-update.ts';
import { redemptionStateOfOrder } from './queue-settlement.ts';

/** For so long after the end of its session an order's events are waited for, before the provider is asked. */
const eventsAwaitedMs = 10 * 60_000;
/** Until a session is asked for again that should have ended. */
const openSessionSeconds = 60;

async function redeemOrder(c: Needs<'table' | 'logger'>, job: Job, redemption: Redemption): Promise<void> {
  const commit = (limit?: { isOver: boolean }) => c.table.transact([finishJob(job), ...redeem(redemption, limit)]);
  try {
    await commit();
  } catch (error) {
    if (!(error instanceof TooManyRedemptionsError)) throw error;
    // An alarm counts this message; it is logged before it is recorded, so that a crash repeats it rather than losing it.
    c.logger.error('discount_over_redeemed', { orderId: redemption.orderId, discountId: redemption.discountId });
    await commit({ isOver: true });
  }
}

/** The order's fate is not known: waits for its events, then asks. The result is recorded, which queues this job again. */
async function askForEnd(c: UpdateNeeds & Needs<'provider'>, orderId: OrderId): Promise<JobOutcome> {
  const checkout = async (order: Order) => {
    if (redemptionStateOfOrder(order) !== 'reserved') return undefined;
    const awaitedMs = Date.parse(order.expiresAt) + eventsAwaitedMs - c.now().getTime();
    if (awaitedMs > 0) throw new ThrottledJobError('events_awaited', Math.min(maxDelaySeconds, Math.ceil(awaitedMs / 1000)));
    const { state } = order.checkoutSessionId === undefined ? { state: 'over' } : await findSessionState(c, order.checkoutSessionId);
    if (state === 'complete') throw new FailedJobError('payment_awaited');
    // By the provider's clock it can be paid still.
    if (state === 'open') throw new ThrottledJobError('session_open', openSessionSeconds);
    return { facts: { expiredAt: c.now().toISOString() } };
  };
  await applyPaymentUpdate(c, { orderId, checkout }, []);
  return { outcome: 'asked' };
}

async function settle(c: UpdateNeeds & Needs<'provider'>, job: Job<'settle-redemption'>): Promise<JobOutcome> {
  const { orderId } = job.task;
  const [redemption, order] = await Promise.all([findRedemption(c.table, orderId), findOrder(c.table, orderId)]);
  const state = redemptionStateOfOrder(order);
  if (redemption && order && state === 'reserved' && redemption.isLimited) return askForEnd(c, orderId);
  if (redemption && state === 'redeemed' && redemption.state !== 'redeemed') await redeemOrder(c, job, redemption);
  else if (redemption && state === 'returned' && redemption.state === 'reserved')
    await c.table.transact([finishJob(job), ...returnRedemption(redemption)]);
  else await c.table.transact([finishJob(job)]);
  return { outcome: redemption ? state : 'without redemption' };
}

/**
 * Settles the redemption that an order holds: counts it once the order was paid, and gives it back once it cannot be paid any
 * more, which without an event the provider is asked. See "Settling" in shared/discounts/settling.md
 */
export const settleRedemption = (c: UpdateNeeds & Needs<'provider'>, job: Job<'settle-redemption'>) =>
  retryOptimisticLock(() => settle(c, job));
