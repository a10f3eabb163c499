import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import type { LicenseId } from '../../shared/ids.ts';
import { DeadJobError, longestDelay, ThrottledJobError } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { statusOf } from '../../shared/licenses/license.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Mail, NoticeKind } from '../../shared/mail/mail.ts';
import type { SendMail } from '../../shared/mail/mail-client.ts';
import type { RenderedMail } from '../../shared/mail/mail-page.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createMailingRepository, mailingIdOf } from '../../shared/mail/mailing-repository.ts';
import { renderNoticeMail } from '../../shared/mail/notice-mail.ts';
import { renderPurchaseMail } from '../../shared/mail/purchase-mail.ts';
import { UndeliverableMailError } from '../../shared/mail/sending/send-failure.ts';
import type { Operator } from '../../shared/operator.ts';
import { buyerEmailHashes } from '../../shared/orders/buyer-email.ts';
import { mintCompletionToken, tokenLifetimes } from '../../shared/orders/completion-token.ts';
import { buyerLocaleOf, completionMailIdOf, isAddition, isMailable, type Order } from '../../shared/orders/order.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import { addedInWords } from '../../shared/text/addition-words.ts';
import { mailedPurchase } from './mailed-purchase.ts';

/**
 * Sends one mail of the outbox: a fresh completion link, never the key, or a notice of what was done.
 *
 * The link is withheld while the order is unpaid, refunded or disputed; the event projector makes the mail
 * pending again when the license is usable again. A notice is sent in every state.
 * See "The outbox" in shared/mail/README.md
 */
export function createSendMail(options: {
  table: Table;
  send: SendMail;
  logger: Logger;
  operator: Operator;
  publicBaseUrl: string;
  encryptionKeys: Keyring;
  tokenKeys: Keyring;
  now: () => Date;
}): RunJob<'send-mail'> {
  const { table, send, logger, operator, publicBaseUrl, encryptionKeys, tokenKeys, now } = options;
  const orders = createOrderRepository({ table });
  const mails = createMailRepository({ table });
  const mailings = createMailingRepository({ table, now });
  const licenses = createLicenseRepository({ table });
  const jobs = createJobRepository({ table, now });

  return (job) =>
    retryOptimisticLock(async () => {
      const { orderId, mailId } = job.task;
      const [mail, order] = await Promise.all([mails.findMail(orderId, mailId), orders.getOrder(orderId)]);
      if (!mail) throw new DeadJobError('mail_unknown');
      const outcome = mail.state === 'pending' ? await settle(mail, order) : undefined;
      await table.transact([
        ...(outcome ? [mails.recordOutcome(mail, outcome, now())] : []),
        // A payment update that came in between fails this write, so that the mail is decided on again.
        ...(outcome === 'withheld' ? [orders.orderUnchanged(order)] : []),
        jobs.finishJob(job),
      ]);
      return { outcome: outcome ?? `${mail.state}_before`, mailKind: mail.kind, mailId, orderId };
    });

  async function settle(mail: Mail, order: Order): Promise<Exclude<Mail['state'], 'pending'>> {
    if (mail.kind !== 'completion') return deliver(mail, order, noticeOf(mail, mail.kind, order));
    if (mail.id !== completionMailIdOf(order)) return 'superseded';
    if (!isMailable(order)) return 'withheld';
    if (order.amount === 0) await waitForRoom(mail, order);
    return deliver(mail, order, await linkTo(order));
  }

  /** Anybody can take what is free in the name of any address. @throws ThrottledJobError when the address got its mails of this hour */
  async function waitForRoom({ id }: Mail, order: Order): Promise<void> {
    if (!order.sealedBuyerEmail) return;
    const [emailHash] = buyerEmailHashes(openText(order.sealedBuyerEmail, order.id, encryptionKeys), encryptionKeys);
    const wait = await mailings.countMailing({ emailHash, mailId: mailingIdOf(order.id, id), cause: 'free_order' });
    if (wait !== undefined) throw new ThrottledJobError('mail_address', Math.min(wait, longestDelay));
  }

  async function deliver(mail: Mail, order: Order, content: RenderedMail): Promise<'sent' | 'no_recipient' | 'undeliverable'> {
    const sealed = mail.sealedTo ?? order.sealedBuyerEmail;
    if (!sealed) return 'no_recipient';
    const to = openText(sealed, order.id, encryptionKeys);
    const tags = { order_id: order.id, mail_id: mail.id };
    try {
      await send({ to, reference: `${order.id}/${mail.id}`, tags, ...content });
      return 'sent';
    } catch (error) {
      if (!(error instanceof UndeliverableMailError)) throw error;
      // An alarm counts this message.
      logger.error('mail_undeliverable', { orderId: order.id, mailId: mail.id, reason: error.reason });
      return 'undeliverable';
    }
  }

  async function isLicenseUsable(licenseId: LicenseId): Promise<boolean> {
    const license = await licenses.findLicenseById(licenseId);
    return license !== undefined && statusOf(license, now()) === 'active';
  }

  async function linkTo(order: Order): Promise<RenderedMail> {
    const { id: orderId, emailGeneration } = order;
    const expiresAt = new Date(now().getTime() + tokenLifetimes.mail);
    const token = await mintCompletionToken({ orderId, use: 'mail', expiresAt, emailGeneration }, now(), tokenKeys);
    return renderPurchaseMail({
      locale: buyerLocaleOf(order),
      operator,
      purchase: mailedPurchase(order, { publicBaseUrl, token }),
      isUsable: !isAddition(order) || (await isLicenseUsable(order.addedTo.licenseId)),
      linkHours: tokenLifetimes.mail / 3600_000,
    });
  }

  function noticeOf({ deviceLabel, addition, upgrade, createdAt }: Mail, kind: NoticeKind, order: Order): RenderedMail {
    const { productName, sellerDisplayName, supportEmail, updatesDays } = order.terms;
    const locale = buyerLocaleOf(order);
    const added = isAddition(order) ? addedInWords({ kind: order.kind, quantity: order.quantity, updatesDays }, locale) : undefined;
    return renderNoticeMail({
      locale,
      operator,
      notice: {
        kind,
        orderId: order.id,
        productName: added === undefined ? productName : `${productName}: ${added}`,
        isOfAddition: added !== undefined,
        seller: { name: sellerDisplayName, supportEmail },
        amount: order.amount,
        currency: order.currency,
        deviceLabel,
        addition,
        upgrade,
        at: new Date(createdAt),
        manageUrl: `${publicBaseUrl}/manage`,
      },
    });
  }
}
