import type { Table } from '../../shared/db/table.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { completionMailIdOf, type Order } from '../../shared/orders/order.ts';
import type { LicenseOutcome } from './issue-license.ts';

/**
 * Makes an order's completion mail pending again when the hold of its license is lifted: it was
 * withheld if it was due while the order was disputed or refunded. A mail that was sent is not
 * sent again.
 */
export type ReleaseMail = (order: Order) => Promise<Pick<LicenseOutcome, 'writes' | 'jobs'>>;

export function createReleaseMail({ table, now }: { table: Table; now: () => Date }): ReleaseMail {
  const mails = createMailRepository({ table });
  const jobs = createJobRepository({ table, now });
  return async (order) => {
    const mail = await mails.findMail(order.id, completionMailIdOf(order));
    // Its job will read the order as it is from now on; the check fails if the job withholds the mail at this moment.
    if (mail?.state === 'pending') return { writes: [mails.mailPending(mail)], jobs: [] };
    if (mail?.state !== 'withheld') return { writes: [], jobs: [] };
    const task: JobTask = { kind: 'send-mail', orderId: order.id, mailId: mail.id };
    return { writes: [mails.releaseMail(mail), jobs.addJob(task)], jobs: [task] };
  };
}
