import type { Needs } from '../../shared/context.ts';
import { newId } from '../../shared/ids.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import type { NoticeKind } from '../../shared/mail/outbox/mail.ts';
import { addMail } from '../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../shared/orders/order.ts';
import { type Effects, noEffects } from './effects.ts';

/** Notifies the buyer of a full refund or a lost dispute: one mail per order, whatever happens to the payment afterwards. */
export function returnMail(c: Needs<'now'>, before: Order, after: Order): Effects {
  const kind = refundKindOf(after);
  if (kind === undefined || refundKindOf(before) !== undefined || before.returnMailed) return noEffects;
  const mailId = newId('mail', c.now());
  const task: JobTask = { kind: 'send-mail', orderId: after.id, mailId };
  return {
    order: { returnMailed: true },
    writes: [addMail({ id: mailId, orderId: after.id, kind }, c.now()), addJob(c, task)],
    jobs: [task],
  };
}

function refundKindOf({ paymentStatus }: Order): NoticeKind | undefined {
  if (paymentStatus === 'refunded') return 'payment_refunded';
  return paymentStatus === 'lost' ? 'dispute_lost' : undefined;
}
