import { mailboxHash } from '../../shared/buyer-email/buyer-email.ts';
import { findDuplicates } from '../../shared/buyer-email/find-duplicates.ts';
import type { Needs } from '../../shared/context.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { LicenseId } from '../../shared/ids.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { DeadJobError } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { statusOf } from '../../shared/licenses/license.ts';
import { findLicenseById } from '../../shared/licenses/license-repository.ts';
import { renderNoticeMail } from '../../shared/mail/buyer-mails/notice-mail.ts';
import { renderPurchaseMail } from '../../shared/mail/buyer-mails/purchase-mail.ts';
import type { RenderedMail } from '../../shared/mail/layout/mail-layout.ts';
import type { Mail, NoticeKind } from '../../shared/mail/outbox/mail.ts';
import { mailCauseOf } from '../../shared/mail/outbox/mail-cause.ts';
import { countedMailId } from '../../shared/mail/outbox/mail-count-repository.ts';
import { findMail, recordOutcome } from '../../shared/mail/outbox/mail-repository.ts';
import { type OperatorSetting, operatorOf } from '../../shared/operator.ts';
import { buyerLocaleOf, completionMailIdOf, isAddition, mayMailLink, type Order } from '../../shared/orders/order.ts';
import { checkOrderUnchanged, getOrder } from '../../shared/orders/order-repository.ts';
import { describeAdded } from '../../shared/text/addition-words.ts';
import { linkHours, mailedPurchase } from './mailed-purchase.ts';
import { sendOrDrop } from './send-or-drop.ts';
import { takeTurn } from './take-turn.ts';

/**
 * Sends one mail of the outbox: a fresh completion link, never the key, or a notice of what was done.
 *
 * The link is withheld while the order is unpaid, refunded or disputed; the event projector makes the mail
 * pending again when the license is usable again. A notice is sent in every state. What is free to whoever caused it waits
 * for its turn at the address.
 * See "The outbox" in shared/mail/outbox.md
 */
export const sendMail = (
  c: Needs<'table' | 'now' | 'logger' | 'ENCRYPTION_KEYS' | OperatorSetting | 'PUBLIC_BASE_URL' | 'send' | 'TOKEN_KEYS'>,
  job: Job<'send-mail'>,
) =>
  retryOptimisticLock(async () => {
    const { orderId, mailId } = job.task;
    const [mail, order] = await Promise.all([findMail(c.table, orderId, mailId), getOrder(c.table, orderId)]);
    if (!mail) throw new DeadJobError('mail_unknown');
    const outcome = mail.state === 'pending' ? await settle(c, mail, order) : undefined;
    await c.table.transact([
      ...(outcome ? [recordOutcome(mail, outcome, c.now())] : []),
      // A payment update that came in between fails this write, so that the mail is decided on again.
      ...(outcome === 'withheld' ? [checkOrderUnchanged(order)] : []),
      finishJob(job),
    ]);
    return { outcome: outcome ?? `${mail.state}_before`, mailKind: mail.kind, mailId, orderId };
  });

async function settle(
  c: Needs<'table' | 'now' | 'logger' | 'ENCRYPTION_KEYS' | OperatorSetting | 'PUBLIC_BASE_URL' | 'send' | 'TOKEN_KEYS'>,
  mail: Mail,
  order: Order,
): Promise<Exclude<Mail['state'], 'pending'>> {
  if (mail.kind === 'completion') {
    if (mail.id !== completionMailIdOf(order)) return 'superseded';
    if (!mayMailLink(order)) return 'withheld';
  }
  const sealed = mail.sealedTo ?? order.sealedBuyerEmail;
  if (!sealed) return 'no_recipient';
  const to = openText(sealed, order.id, c.settings.ENCRYPTION_KEYS);
  if (mailCauseOf(mail, order) === 'free' && !(await mayBeSent(c, mail, to))) return 'superseded';
  const content = mail.kind === 'completion' ? await linkTo(c, order) : noticeOf(c, mail, mail.kind, order);
  const tags = { order_id: order.id, mail_id: mail.id };
  const outgoing = { to, reference: `${order.id}/${mail.id}`, tags, ...content };
  return sendOrDrop(c, outgoing, { orderId: order.id, mailId: mail.id });
}

/** Whether it is sent now; not, where a later one of its kind takes its place. @throws ThrottledJobError */
async function mayBeSent(c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>, { id, orderId, kind }: Mail, to: string): Promise<boolean> {
  const mailbox = mailboxHash(to, c.settings.ENCRYPTION_KEYS);
  const mail = { mailboxHash: mailbox, mailId: countedMailId(orderId, id), cause: 'free' } as const;
  return (await takeTurn(c, mail, `${kind}/${orderId}`)) === 'now';
}

async function isLicenseUsable(c: Needs<'table' | 'now'>, licenseId: LicenseId): Promise<boolean> {
  const license = await findLicenseById(c.table, licenseId);
  return license !== undefined && statusOf(license, c.now()) === 'active';
}

async function linkTo(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | OperatorSetting | 'PUBLIC_BASE_URL' | 'TOKEN_KEYS'>,
  order: Order,
): Promise<RenderedMail> {
  return renderPurchaseMail({
    locale: buyerLocaleOf(order),
    operator: operatorOf(c.settings),
    purchase: await mailedPurchase(c, order),
    isUsable: !isAddition(order) || (await isLicenseUsable(c, order.addedTo.licenseId)),
    linkHours,
    boughtBefore: (await findDuplicates(c, [order])).get(order.id)?.checkout.paidAt,
  });
}

function noticeOf(
  c: Needs<OperatorSetting | 'PUBLIC_BASE_URL'>,
  { deviceLabel, addition, upgrade, createdAt }: Mail,
  kind: NoticeKind,
  order: Order,
): RenderedMail {
  const { productName, sellerDisplayName, supportEmail, updatesDays } = order.terms;
  const locale = buyerLocaleOf(order);
  const added = isAddition(order) ? describeAdded({ kind: order.kind, quantity: order.quantity, updatesDays }, locale) : undefined;
  return renderNoticeMail({
    locale,
    operator: operatorOf(c.settings),
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
      manageUrl: `${c.settings.PUBLIC_BASE_URL}/manage`,
    },
  });
}
