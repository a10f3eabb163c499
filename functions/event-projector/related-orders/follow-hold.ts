import type { Needs } from '../../../shared/context.ts';
import { retryOptimisticLock } from '../../../shared/db/optimistic-lock.ts';
import { effectiveHold } from '../../../shared/entitlements/holds.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { DeadJobError } from '../../../shared/jobs/job.ts';
import { finishJob } from '../../../shared/jobs/job-lease-repository.ts';
import { checkOrderUnchanged, getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { holdLicense } from './hold-license.ts';

/** An order before it may change at any time, and its own payment too. */
const attempts = 12;

/**
 * Holds the license of an upgrade as that of the order that it was upgraded from is held now, which upgrades of the upgrade
 * follow in turn. It can be repeated and come late: what holds is read, and demanded unchanged.
 */
export async function followHold(c: Needs<'table' | 'now' | 'sendJob'>, job: Job<'follow-hold'>) {
  const added = await retryOptimisticLock(
    async () => {
      const order = await getOrder(c.table, job.task.orderId);
      if (!order.upgradedFrom) throw new DeadJobError('no_upgrade');
      const parent = await getOrder(c.table, order.upgradedFrom.orderId);
      const next = { ...order, inheritedHold: effectiveHold(parent) };
      const license = await holdLicense(c, order, next);
      await c.table.transact([
        finishJob(job),
        checkOrderUnchanged(parent),
        ...(next.inheritedHold === order.inheritedHold ? [] : [replaceOrder(order, next)]),
        ...license.writes,
      ]);
      return license.jobs;
    },
    { attempts },
  );
  await Promise.all(added.map((task) => c.sendJob(task)));
}
