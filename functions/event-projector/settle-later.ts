import type { Needs } from '../../shared/context.ts';
import { redemptionStateOf } from '../../shared/entitlements/redemption.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { type Order, wasPaid } from '../../shared/orders/order.ts';
import { type LicenseOutcome, noOutcome } from './issue-license.ts';

/** Of an order that is gone nothing is paid any more. */
export const settledStateOf = (order: Order | undefined) =>
  redemptionStateOf({
    wasPaid: order !== undefined && wasPaid(order),
    isOver: order === undefined || order.checkout.expiredAt !== undefined || order.checkout.asyncFailedAt !== undefined,
  });

/**
 * Leaves the redemption of an order to a job as soon as it is known what becomes of it. It is no part of the payment's own
 * transaction, which carts that are opened at the same time would crowd out.
 */
export function settleLater(c: Needs<'now'>, before: Order, after: Order): LicenseOutcome {
  if (after.discount === undefined || settledStateOf(before) === settledStateOf(after)) return noOutcome;
  const task: JobTask = { kind: 'settle-redemption', orderId: after.id };
  const added = addJob(c, task);
  return { order: {}, writes: [added], jobs: [task] };
}
