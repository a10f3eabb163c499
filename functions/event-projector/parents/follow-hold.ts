import { retryOptimisticLock } from '../../../shared/db/optimistic-lock.ts';
import type { Table } from '../../../shared/db/table.ts';
import { effectiveHoldOf } from '../../../shared/entitlements/holds.ts';
import { DeadJobError } from '../../../shared/jobs/job.ts';
import { createJobRepository } from '../../../shared/jobs/job-repository.ts';
import { createOrderRepository } from '../../../shared/orders/order-repository.ts';
import type { RunJob } from '../../../shared/queue/create-worker.ts';
import type { JobSender } from '../../../shared/queue/job-sender.ts';
import { createHoldLicense } from './hold-license.ts';

/** An order before it may change at any time, and its own payment too. */
const attempts = 12;

/**
 * Holds the license of an upgrade as that of the order that it was upgraded from is held now, which upgrades of the upgrade
 * follow in turn. It can be repeated and come late: what holds is read, and demanded unchanged.
 */
export function createFollowHold({ table, sender, now }: { table: Table; sender: JobSender; now: () => Date }): RunJob<'follow-hold'> {
  const orders = createOrderRepository({ table });
  const jobs = createJobRepository({ table, now });
  const holdLicense = createHoldLicense({ table, now });

  return async (job) => {
    const added = await retryOptimisticLock(
      async () => {
        const order = await orders.getOrder(job.task.orderId);
        if (!order.upgradedFrom) throw new DeadJobError('no_upgrade');
        const parent = await orders.getOrder(order.upgradedFrom.orderId);
        const next = { ...order, inheritedHold: effectiveHoldOf(parent) };
        const license = await holdLicense(order, next);
        await table.transact([
          jobs.finishJob(job),
          orders.orderUnchanged(parent),
          ...(next.inheritedHold === order.inheritedHold ? [] : [orders.replaceOrder(order, next)]),
          ...license.writes,
        ]);
        return license.jobs;
      },
      { attempts },
    );
    await Promise.all(added.map((task) => sender.sendJob(task)));
  };
}
