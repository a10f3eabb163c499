import { isDeepStrictEqual } from 'node:util';
import type { Needs } from '../../../shared/context.ts';
import { retryOptimisticLock } from '../../../shared/db/optimistic-lock.ts';
import { passedOn } from '../../../shared/entitlements/holds.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { DeadJobError } from '../../../shared/jobs/job.ts';
import { finishJob } from '../../../shared/jobs/job-lease-repository.ts';
import { moveHeldOrder } from '../../../shared/orders/held-order-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { checkOrderUnchanged, getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { combine, noEffects } from '../effects.ts';
import { heldMail } from '../mail-effects.ts';
import { holdLicense } from './hold-license.ts';

/** An order before it may change at any time, and its own payment too. */
const attempts = 12;

/** What an upgrade has from the order before it. */
const passedTo = ({ inheritedHold, heldBy }: Order) => ({ inheritedHold, heldBy });

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
      const next = { ...order, ...passedOn(parent) };
      const isSame = isDeepStrictEqual(passedTo(order), passedTo(next));
      const effects = isSame ? noEffects : combine(await holdLicense(c, order, next), heldMail(c, next));
      await c.table.transact([
        finishJob(job),
        checkOrderUnchanged(parent),
        ...(isSame ? [] : [replaceOrder(order, { ...next, ...effects.order })]),
        ...moveHeldOrder(order, next),
        ...effects.writes,
      ]);
      return effects.jobs;
    },
    { attempts },
  );
  await Promise.all(added.map((task) => c.sendJob(task)));
}
