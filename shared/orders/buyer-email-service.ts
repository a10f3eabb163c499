import type { Actor } from '../audit/actor.ts';
import { createAuditRepository } from '../audit/audit-repository.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { newId, type OrderId } from '../ids.ts';
import type { JobTask } from '../jobs/job.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import type { MailStatus } from '../mail/mail.ts';
import { createMailRepository, type NewMail } from '../mail/mail-repository.ts';
import { createMailingRepository, mailingIdOf } from '../mail/mailing-repository.ts';
import { buyerEmailHashes, normalizeEmail } from './buyer-email.ts';
import { createEmailRequestRepository } from './email-requests/email-request-repository.ts';
import { completionMailIdOf, isAddition, isMailable, type Order, wasPaid } from './order.ts';
import { createOrderRepository } from './order-repository.ts';

/** A mail of the outbox with its job: the writes that add them, and the task to send once these are committed. */
interface Letter {
  task: JobTask & { kind: 'send-mail' };
  writes: readonly Write[];
}

interface Decision {
  letters: readonly Letter[];
  writes: readonly Write[];
}

/** The address to set, and what is committed with it. */
interface Correction {
  email: string;
  writes?: readonly Write[];
}

/** Twenty people may correct one address at once. */
const attempts = 20;

export type BuyerEmailService = ReturnType<typeof createBuyerEmailService>;

/** Corrects the address of an order, and sends its link again. See "The buyer's address" in README.md */
export function createBuyerEmailService(options: {
  table: Table;
  /** Tells the mail worker of a committed job. */
  sendJob: (task: JobTask) => Promise<void>;
  encryptionKeys: Keyring;
  now?: (() => Date) | undefined;
}) {
  const { table, sendJob, encryptionKeys, now = () => new Date() } = options;
  const orders = createOrderRepository({ table });
  const emailRequests = createEmailRequestRepository({ table, now });
  const mails = createMailRepository({ table });
  const mailings = createMailingRepository({ table, now });
  const jobs = createJobRepository({ table, now });
  const audit = createAuditRepository({ table, now });

  const addressOf = ({ id, sealedBuyerEmail }: Order) =>
    sealedBuyerEmail === undefined ? undefined : openText(sealedBuyerEmail, id, encryptionKeys);

  function letterOf({ id: orderId }: Order, mail: Pick<NewMail, 'kind' | 'sealedTo'> = {}): Letter {
    const mailId = newId('mail', now());
    const task = { kind: 'send-mail' as const, orderId, mailId };
    return { task, writes: [mails.addMail({ id: mailId, orderId, ...mail }, now()), jobs.addJob(task)] };
  }

  /** Decides on the order as it is, again when it changed meanwhile, and sends the jobs of the letters that were committed. */
  async function commit(orderId: OrderId, decide: (order: Order) => Decision | Promise<Decision>) {
    const letters = await retryOptimisticLock(
      async () => {
        const decision = await decide(await orders.getOrder(orderId));
        if (decision.writes.length > 0) await table.transactOnce(decision.writes);
        return decision.letters;
      },
      { attempts },
    );
    await Promise.all(letters.map(({ task }) => sendJob(task)));
  }

  /** The order under its new address: found there alone, with one completion mail to it and a notice to the old one. */
  function correct(order: Order, email: string, by: { actor: string; change: Partial<Order> }) {
    const old = addressOf(order);
    // Without a license, but for additions, there is no mail yet: the one that tells of it goes to the address of that time.
    const completion = order.licenseId === undefined && !isAddition(order) ? undefined : letterOf(order);
    const notice = old === undefined ? undefined : letterOf(order, { kind: 'address_corrected', sealedTo: order.sealedBuyerEmail });
    const letters = [completion, notice].filter((letter) => letter !== undefined);
    const emailGeneration = (order.emailGeneration ?? 0) + 1;
    const next: Order = {
      ...order,
      ...by.change,
      sealedBuyerEmail: sealText(email, order.id, encryptionKeys),
      emailGeneration,
      completionMailId: completion?.task.mailId,
    };
    const oldHashes = old === undefined ? [] : buyerEmailHashes(old, encryptionKeys);
    const [newHash] = buyerEmailHashes(email, encryptionKeys);
    return {
      letters,
      writes: [
        orders.replaceOrder(order, next),
        ...orders.moveToBuyer(next, oldHashes, newHash),
        ...letters.flatMap(({ writes }) => writes),
        audit.recordAudit({
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
  async function countedFor(address: string, { orderId, mailId }: Letter['task']): Promise<readonly Write[]> {
    const [emailHash] = buyerEmailHashes(address, encryptionKeys);
    const admission = await mailings.admitMailing({ emailHash, mailId: mailingIdOf(orderId, mailId), cause: 'desk' });
    if (admission.waitSeconds === undefined) return admission.writes;
    throw new AppError('rate_limited', 'The address of this order gets no more mails for now.', {
      retryAfterSeconds: admission.waitSeconds,
    });
  }

  function isKnown(order: Order, email: string): boolean {
    const known = addressOf(order);
    return known !== undefined && normalizeEmail(known) === normalizeEmail(email);
  }

  const nothing = { letters: [], writes: [] };

  return {
    /**
     * The payer's one correction of the address of a paid order; the same address again changes nothing.
     *
     * @throws AppError order_not_found, license_not_usable while refunded or disputed, email_already_corrected
     */
    correctOwnEmail(orderId: OrderId, email: string): Promise<void> {
      return commit(orderId, (order) => {
        if (!isMailable(order)) throw new AppError('license_not_usable');
        if (isKnown(order, email)) return nothing;
        if (order.buyerCorrectedEmail) throw new AppError('email_already_corrected');
        const decision = correct(order, email, { actor: 'buyer', change: { buyerCorrectedEmail: true } });
        return { ...decision, writes: [...decision.writes, emailRequests.withdrawRequest(orderId)] };
      });
    },

    /**
     * An admin's correction, as often as it takes, with the writes that belong to it; the same address again changes
     * nothing of the order.
     *
     * @throws AppError order_not_found, order_not_paid, what `correctionOf` throws
     */
    correctEmail(adminId: string, orderId: OrderId, correctionOf: () => Promise<Correction>): Promise<void> {
      return commit(orderId, async (order) => {
        const { email, writes = [] } = await correctionOf();
        if (!wasPaid(order)) throw new AppError('order_not_paid');
        const decision = isKnown(order, email) ? nothing : correct(order, email, { actor: adminId, change: {} });
        return { ...decision, writes: [...writes, ...decision.writes] };
      });
    },

    /**
     * Sends the order's completion mail again, in the place of one that is not sent yet. Resolves to how the last one
     * fared, which went to the same address; undefined when there was none.
     *
     * @throws AppError order_not_found, what keeps the actor from it, order_not_paid, invalid_request when no address is
     *   known, rate_limited when the address got its mails of this hour
     */
    async resendLink(actor: Actor, orderId: OrderId): Promise<MailStatus | undefined> {
      let lastMailId: string | undefined;
      await commit(orderId, async (order) => {
        const rights = actor.rights();
        if (!wasPaid(order)) throw new AppError('order_not_paid');
        const address = addressOf(order);
        if (address === undefined) throw new AppError('invalid_request', 'buyer_email of this order is not known');
        const letter = letterOf(order);
        lastMailId = completionMailIdOf(order);
        return {
          letters: [letter],
          writes: [
            ...rights,
            orders.replaceOrder(order, { ...order, completionMailId: letter.task.mailId }),
            ...letter.writes,
            ...(await countedFor(address, letter.task)),
            audit.recordAudit({ actor: actor.userId, action: 'order.resend_link', targetId: order.id }),
          ],
        };
      });
      return lastMailId === undefined ? undefined : mails.findMailStatus(orderId, lastMailId);
    },
  };
}
