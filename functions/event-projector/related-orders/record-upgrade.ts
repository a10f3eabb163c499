import type { Needs } from '../../../shared/context.ts';
import { effectiveHold } from '../../../shared/entitlements/holds.ts';
import { newId } from '../../../shared/ids.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { addMail } from '../../../shared/mail/outbox/mail-repository.ts';
import { type Order, wasPaid } from '../../../shared/orders/order.ts';
import { getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { type Effects, noEffects } from '../effects.ts';

/**
 * Records the first payment of an upgrade with the order that it was upgraded from, as that was read, takes over why the
 * license of that order is held, and tells its buyer. From then on each change of that hold is followed by a job.
 */
export async function recordUpgrade(c: Needs<'table' | 'now'>, before: Order, after: Order): Promise<Effects> {
  const { id: orderId, productId, upgradedFrom, terms } = after;
  if (!upgradedFrom || wasPaid(before) || !wasPaid(after)) return noEffects;
  const parent = await getOrder(c.table, upgradedFrom.orderId);
  const mail = {
    id: newId('mail', c.now()),
    orderId: parent.id,
    kind: 'license_upgraded',
    upgrade: { productName: terms.productName },
  } as const;
  const task: JobTask = { kind: 'send-mail', orderId: parent.id, mailId: mail.id };
  return {
    order: { inheritedHold: effectiveHold(parent) },
    writes: [
      replaceOrder(parent, { ...parent, upgrades: [...(parent.upgrades ?? []), { orderId, productId }] }),
      addMail(mail, c.now()),
      addJob(c, task),
    ],
    jobs: [task],
  };
}
