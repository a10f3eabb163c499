import type { Table } from '../../../shared/db/table.ts';
import { effectiveHoldOf } from '../../../shared/entitlements/holds.ts';
import { newId } from '../../../shared/ids.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { createJobRepository } from '../../../shared/jobs/job-repository.ts';
import { createMailRepository } from '../../../shared/mail/mail-repository.ts';
import { type Order, wasPaid } from '../../../shared/orders/order.ts';
import { createOrderRepository } from '../../../shared/orders/order-repository.ts';
import { type LicenseOutcome, noOutcome } from '../issue-license.ts';

/**
 * Records the first payment of an upgrade with the order that it was upgraded from, as that was read, takes over why the
 * license of that order is held, and tells its buyer. From then on each change of that hold is followed by a job.
 */
export type RecordUpgrade = (before: Order, after: Order) => Promise<LicenseOutcome>;

export function createRecordUpgrade({ table, now }: { table: Table; now: () => Date }): RecordUpgrade {
  const orders = createOrderRepository({ table });
  const mails = createMailRepository({ table });
  const jobs = createJobRepository({ table, now });

  return async (before, after) => {
    const { id: orderId, productId, upgradedFrom, terms } = after;
    if (!upgradedFrom || wasPaid(before) || !wasPaid(after)) return noOutcome;
    const parent = await orders.getOrder(upgradedFrom.orderId);
    const mail = {
      id: newId('mail', now()),
      orderId: parent.id,
      kind: 'license_upgraded',
      upgrade: { productName: terms.productName },
    } as const;
    const task: JobTask = { kind: 'send-mail', orderId: parent.id, mailId: mail.id };
    return {
      order: { inheritedHold: effectiveHoldOf(parent) },
      writes: [
        orders.replaceOrder(parent, { ...parent, upgrades: [...(parent.upgrades ?? []), { orderId, productId }] }),
        mails.addMail(mail, now()),
        jobs.addJob(task),
      ],
      jobs: [task],
    };
  };
}
