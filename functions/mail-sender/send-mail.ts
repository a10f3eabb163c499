import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import { DeadJobError } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { SendMail } from '../../shared/mail/mail-client.ts';
import type { MailRepository } from '../../shared/mail/mail-repository.ts';
import { renderPurchaseMail } from '../../shared/mail/purchase-mail.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from '../../shared/orders/completion-token.ts';
import { buyerLocaleOf, isMailable, type Order } from '../../shared/orders/order.ts';
import type { OrderRepository } from '../../shared/orders/order-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';

/**
 * Sends one mail of the outbox, with a fresh completion link and never the key.
 *
 * It is withheld while the order is unpaid, refunded or disputed; the event projector makes it
 * pending again when the license is usable again. See "The outbox" in shared/mail/README.md
 */
export function createSendMail(dependencies: {
  table: Table;
  orders: OrderRepository;
  mails: MailRepository;
  jobs: JobRepository;
  send: SendMail;
  publicBaseUrl: string;
  encryptionKeys: Keyring;
  tokenKeys: Keyring;
  now: () => Date;
}): RunJob<'send-mail'> {
  const { table, orders, mails, jobs, send, publicBaseUrl, encryptionKeys, tokenKeys, now } = dependencies;

  return (job) =>
    retryOptimisticLock(async () => {
      const { orderId, mailId } = job.task;
      const [mail, order] = await Promise.all([mails.findMail(orderId, mailId), orders.getOrder(orderId)]);
      if (!mail) throw new DeadJobError('mail_unknown');
      const outcome = mail.state === 'pending' ? await deliver(order) : undefined;
      await table.transact([
        ...(outcome ? [mails.recordOutcome(mail, outcome, now())] : []),
        // A payment update that came in between fails this write, so that the mail is decided on again.
        ...(outcome === 'withheld' ? [orders.orderUnchanged(order)] : []),
        jobs.finishJob(job),
      ]);
    });

  async function deliver(order: Order): Promise<'sent' | 'no_recipient' | 'withheld'> {
    if (!isMailable(order)) return 'withheld';
    if (!order.sealedBuyerEmail) return 'no_recipient';
    const expiresAt = new Date(now().getTime() + tokenLifetimes.mail);
    const token = await mintCompletionToken({ orderId: order.id, use: 'mail', expiresAt }, now(), tokenKeys);
    const content = renderPurchaseMail({
      locale: buyerLocaleOf(order),
      productName: order.terms.productName,
      sellerName: order.terms.sellerDisplayName,
      supportEmail: order.terms.supportEmail,
      completionUrl: completionUrl(publicBaseUrl, token),
      linkHours: tokenLifetimes.mail / 3600_000,
    });
    await send({ to: openText(order.sealedBuyerEmail, order.id, encryptionKeys), ...content });
    return 'sent';
  }
}
