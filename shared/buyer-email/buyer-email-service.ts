/** Corrects the address of an order, and sends its link again. See "The buyer's address" in README.md */

import type { Actor } from '../audit/actor.ts';
import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { newId, type OrderId } from '../ids.ts';
import type { JobTask } from '../jobs/job.ts';
import { addJob } from '../jobs/job-repository.ts';
import type { MailCause, MailStatus } from '../mail/outbox/mail.ts';
import { admitMail, countedMailId } from '../mail/outbox/mail-count-repository.ts';
import { addMail, findMailStatus, type NewMail } from '../mail/outbox/mail-repository.ts';
import { completionMailIdOf, isAddition, mayMailLink, type Order, wasPaid } from '../orders/order.ts';
import { getOrder, moveOrderToBuyer, replaceOrder } from '../orders/order-repository.ts';
import { buyerEmailHashes, mailboxHash, normalizeEmail } from './buyer-email.ts';
import { withdrawEmailRequest } from './email-request-repository.ts';

type MailNeeds = Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>;

/** A mail of the outbox with its job: the writes that add them, and the task to send once these are committed. */
interface QueuedMail {
  task: JobTask & { kind: 'send-mail' };
  writes: readonly Write[];
}

interface MailedChange {
  queuedMails: readonly QueuedMail[];
  writes: readonly Write[];
}

/** The address to set, and what is committed with it. */
interface Correction {
  email: string;
  writes?: readonly Write[];
}

/** Twenty people may correct one address at once. */
const attempts = 20;

const addressOf = (c: Needs<'ENCRYPTION_KEYS'>, { id, sealedBuyerEmail }: Order) =>
  sealedBuyerEmail === undefined ? undefined : openText(sealedBuyerEmail, id, c.settings.ENCRYPTION_KEYS);

function queueMail(c: Needs<'now'>, { id: orderId }: Order, mail: Pick<NewMail, 'kind' | 'sealedTo' | 'cause'>): QueuedMail {
  const mailId = newId('mail', c.now());
  const task = { kind: 'send-mail' as const, orderId, mailId };
  return { task, writes: [addMail({ id: mailId, orderId, ...mail }, c.now()), addJob(c, task)] };
}

/** Decides on the present order, again if it changed in the meantime, and queues the jobs of the committed mails. */
async function commit(c: Needs<'table' | 'sendJob'>, orderId: OrderId, decide: (order: Order) => MailedChange | Promise<MailedChange>) {
  const letters = await retryOptimisticLock(
    async () => {
      const decision = await decide(await getOrder(c.table, orderId));
      if (decision.writes.length > 0) await c.table.transactOnce(decision.writes);
      return decision.queuedMails;
    },
    { attempts },
  );
  await Promise.all(letters.map(({ task }) => c.sendJob(task)));
}

/** Who corrects an address: what that changes of the order besides, and what has the mails sent if not the order. */
interface Corrector {
  actor: string;
  change: Partial<Order>;
  cause?: MailCause;
}

/** The order under its new address: found there alone, with one completion mail to it and a notice to the old one. */
function correct(c: Needs<'now' | 'ENCRYPTION_KEYS'>, order: Order, email: string, by: Corrector) {
  const old = addressOf(c, order);
  // Without a license, but for additions, there is no mail yet: the one that tells of it goes to the address of that time.
  const completion = order.licenseId === undefined && !isAddition(order) ? undefined : queueMail(c, order, { cause: by.cause });
  const sealedTo = order.sealedBuyerEmail;
  const notice = sealedTo === undefined ? undefined : queueMail(c, order, { kind: 'address_corrected', sealedTo, cause: by.cause });
  const letters = [completion, notice].filter((letter) => letter !== undefined);
  const emailGeneration = (order.emailGeneration ?? 0) + 1;
  const next: Order = {
    ...order,
    ...by.change,
    sealedBuyerEmail: sealText(email, order.id, c.settings.ENCRYPTION_KEYS),
    emailGeneration,
    completionMailId: completion?.task.mailId,
  };
  const oldHashes = old === undefined ? [] : buyerEmailHashes(old, c.settings.ENCRYPTION_KEYS);
  const [newHash] = buyerEmailHashes(email, c.settings.ENCRYPTION_KEYS);
  return {
    queuedMails: letters,
    writes: [
      replaceOrder(order, next),
      ...moveOrderToBuyer(next, oldHashes, newHash),
      ...letters.flatMap(({ writes }) => writes),
      recordAudit(c, {
        actor: by.actor,
        action: 'order.correct_buyer_email',
        targetId: order.id,
        before: { emailGeneration: emailGeneration - 1 },
        after: { emailGeneration },
      }),
    ],
  };
}

/** The write that counts a mail to the address. @throws AppError rate_limited when it got its mails of this hour */
async function countedFor(c: MailNeeds, { role }: Actor, address: string, { orderId, mailId }: QueuedMail['task']): Promise<Write> {
  const admission = await admitMail(c, {
    mailboxHash: mailboxHash(address, c.settings.ENCRYPTION_KEYS),
    mailId: countedMailId(orderId, mailId),
    cause: role === 'admin' ? 'admin' : 'desk',
  });
  if (admission.waitSeconds === undefined) return admission.write;
  throw new AppError('rate_limited', 'The address of this order gets no more mails for now.', {
    retryAfterSeconds: admission.waitSeconds,
  });
}

function isKnown(c: Needs<'ENCRYPTION_KEYS'>, order: Order, email: string): boolean {
  const known = addressOf(c, order);
  return known !== undefined && normalizeEmail(known) === normalizeEmail(email);
}

const nothing = { queuedMails: [], writes: [] };

/**
 * The payer's one correction of the address of a paid order; the same address again changes nothing.
 *
 * @throws AppError order_not_found, license_not_usable while refunded or disputed, email_already_corrected
 */
export function correctOwnEmail(c: MailNeeds, orderId: OrderId, email: string): Promise<void> {
  return commit(c, orderId, (order) => {
    if (!mayMailLink(order)) throw new AppError('license_not_usable');
    if (isKnown(c, order, email)) return nothing;
    if (order.buyerCorrectedEmail) throw new AppError('email_already_corrected');
    const decision = correct(c, order, email, { actor: 'buyer', change: { buyerCorrectedEmail: true } });
    return { ...decision, writes: [...decision.writes, withdrawEmailRequest(orderId)] };
  });
}

/**
 * An admin's correction, as often as it takes, with the writes that belong to it; the same address again changes
 * nothing of the order.
 *
 * @throws AppError order_not_found, order_not_paid, what `correctionOf` throws
 */
export function correctEmail(c: MailNeeds, adminId: string, orderId: OrderId, correctionOf: () => Promise<Correction>): Promise<void> {
  return commit(c, orderId, async (order) => {
    const { email, writes = [] } = await correctionOf();
    if (!wasPaid(order)) throw new AppError('order_not_paid');
    const decision = isKnown(c, order, email) ? nothing : correct(c, order, email, { actor: adminId, change: {}, cause: 'admin' });
    return { ...decision, writes: [...writes, ...decision.writes] };
  });
}

/**
 * Sends the order's completion mail again, in the place of one that is not sent yet. Resolves to how the last one
 * fared, which went to the same address; undefined when there was none.
 *
 * @throws AppError order_not_found, what keeps the actor from it, order_not_paid, invalid_request when no address is
 *   known, rate_limited when the address got its mails of this hour
 */
export async function resendLink(c: MailNeeds, actor: Actor, orderId: OrderId): Promise<MailStatus | undefined> {
  let lastMailId: string | undefined;
  await commit(c, orderId, async (order) => {
    const writeConditions = actor.writeConditions();
    if (!wasPaid(order)) throw new AppError('order_not_paid');
    const address = addressOf(c, order);
    if (address === undefined) throw invalidField('buyer_email', rules.addressUnknown);
    const letter = queueMail(c, order, { cause: actor.role === 'admin' ? 'admin' : undefined });
    lastMailId = completionMailIdOf(order);
    return {
      queuedMails: [letter],
      writes: [
        ...writeConditions,
        replaceOrder(order, { ...order, completionMailId: letter.task.mailId }),
        ...letter.writes,
        await countedFor(c, actor, address, letter.task),
        recordAudit(c, { actor: actor.name, action: 'order.resend_link', targetId: order.id }),
      ],
    };
  });
  return lastMailId === undefined ? undefined : findMailStatus(c.table, orderId, lastMailId);
}
