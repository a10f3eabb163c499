/** The mails that follow from a change of an order. */

import type { Needs } from '../../shared/context.ts';
import { newId } from '../../shared/ids.ts';
import type { NoticeKind } from '../../shared/mail/outbox/mail.ts';
import { addMail, checkMailPending, findMail, type NewMail, resumeMail } from '../../shared/mail/outbox/mail-repository.ts';
import { completionMailIdOf, isPaidButHeld, type Order } from '../../shared/orders/order.ts';
import { doLater, type Effects, noEffects } from './effects.ts';

/** A new mail, with the job that sends it. */
export function addedMail(c: Needs<'now'>, mail: NewMail): Effects {
  const job = doLater(c, { kind: 'send-mail', orderId: mail.orderId, mailId: mail.id });
  return { ...job, writes: [addMail(mail, c.now()), ...job.writes] };
}

/** Notifies the buyer of a full refund or a lost dispute: one mail per order, whatever happens to the payment afterwards. */
export function returnMail(c: Needs<'now'>, before: Order, after: Order): Effects {
  const kind = refundKindOf(after);
  if (kind === undefined || refundKindOf(before) !== undefined || before.returnMailed) return noEffects;
  return { ...addedMail(c, { id: newId('mail', c.now()), orderId: after.id, kind }), order: { returnMailed: true } };
}

/** Tells the buyer of an upgrade that an order before it holds its license: one mail per order, however often that changes. */
export function heldMail(c: Needs<'now'>, order: Order): Effects {
  if (order.holdMailed || !isPaidButHeld(order)) return noEffects;
  const kind = `upgrade_held_${order.heldBy.why}` as const;
  return { ...addedMail(c, { id: newId('mail', c.now()), orderId: order.id, kind }), order: { holdMailed: true } };
}

function refundKindOf({ paymentStatus }: Order): NoticeKind | undefined {
  if (paymentStatus === 'refunded') return 'payment_refunded';
  return paymentStatus === 'lost' ? 'dispute_lost' : undefined;
}

/**
 * Makes an order's completion mail pending again when the hold of its license is lifted: it was
 * withheld if it was due while the order was disputed or refunded. A mail that was sent is not
 * sent again.
 */
export async function releaseMail(c: Needs<'table' | 'now'>, order: Order): Promise<Effects> {
  const mail = await findMail(c.table, order.id, completionMailIdOf(order));
  // Its job will read the order as it is from now on; the check fails if the job withholds the mail at this moment.
  if (mail?.state === 'pending') return { ...noEffects, writes: [checkMailPending(mail)] };
  if (mail?.state !== 'withheld') return noEffects;
  const job = doLater(c, { kind: 'send-mail', orderId: order.id, mailId: mail.id });
  return { ...job, writes: [resumeMail(mail), ...job.writes] };
}
