import type { Needs } from '../../shared/context.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { checkMailPending, findMail, resumeMail } from '../../shared/mail/outbox/mail-repository.ts';
import { completionMailIdOf, type Order } from '../../shared/orders/order.ts';
import type { Effects } from './effects.ts';

/**
 * Makes an order's completion mail pending again when the hold of its license is lifted: it was
 * withheld if it was due while the order was disputed or refunded. A mail that was sent is not
 * sent again.
 */
export async function releaseMail(c: Needs<'table' | 'now'>, order: Order): Promise<Pick<Effects, 'writes' | 'jobs'>> {
  const mail = await findMail(c.table, order.id, completionMailIdOf(order));
  // Its job will read the order as it is from now on; the check fails if the job withholds the mail at this moment.
  if (mail?.state === 'pending') return { writes: [checkMailPending(mail)], jobs: [] };
  if (mail?.state !== 'withheld') return { writes: [], jobs: [] };
  const task: JobTask = { kind: 'send-mail', orderId: order.id, mailId: mail.id };
  return { writes: [resumeMail(mail), addJob(c, task)], jobs: [task] };
}
