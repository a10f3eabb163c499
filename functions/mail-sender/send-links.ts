import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Locale } from '../../shared/locale.ts';
import type { OutgoingMail } from '../../shared/mail/mail-client.ts';
import { createMailingRepository, type MailingRepository } from '../../shared/mail/mailing-repository.ts';
import { renderPurchaseLinksMail } from '../../shared/mail/purchase-links-mail.ts';
import type { MailedPurchase } from '../../shared/mail/purchase-mail.ts';
import type { Operator } from '../../shared/operator.ts';
import { buyerEmailHashes } from '../../shared/orders/buyer-email.ts';
import { mintCompletionToken, tokenLifetimes } from '../../shared/orders/completion-token.ts';
import { buyerLocaleOf, isMailable, type Order } from '../../shared/orders/order.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import type { JobEnd, RunJob } from '../../shared/queue/create-worker.ts';
import { mailedPurchase } from './mailed-purchase.ts';

/** Sends a mail that nothing is recorded about. */
export type SendOrDrop = (mail: OutgoingMail) => Promise<'sent' | 'undeliverable'>;

type Requested = NonNullable<Awaited<ReturnType<MailingRepository['findRequested']>>>;

/** An order of the address, with the address as the provider reported it. */
interface Purchase {
  order: Order;
  to: string;
}

/**
 * Sends one mail with a fresh link to each purchase of an address, unless it has none, or asked
 * too often in this hour. See "Fresh links" in shared/mail/README.md
 */
export function createSendLinks(options: {
  table: Table;
  sendOrDrop: SendOrDrop;
  operator: Operator;
  publicBaseUrl: string;
  encryptionKeys: Keyring;
  tokenKeys: Keyring;
  now: () => Date;
}): RunJob<'send-links'> {
  const { table, sendOrDrop, operator, publicBaseUrl, encryptionKeys, tokenKeys, now } = options;
  const orders = createOrderRepository({ table });
  const mailings = createMailingRepository({ table, now });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const { mailId } = job.task;
    const end = await mailLinks(mailId, await mailings.findRequested(mailId));
    await table.write(jobs.finishJob(job));
    return { mailKind: 'links', mailId, ...end };
  };

  /** What became of the request for a mail; of one that is kept no more there are no hashes. */
  async function mailLinks(mailId: string, { emailHashes: hashes, locale }: Requested = { emailHashes: [] }): Promise<JobEnd> {
    const [present] = hashes;
    if (present === undefined) return { outcome: 'request_gone' };
    if ((await mailings.countMailing({ emailHash: present, mailId, cause: 'address' })) !== undefined)
      return { outcome: 'too_many_this_hour' };
    const [latest, ...earlier] = await findPurchases(hashes);
    if (!latest) return { outcome: 'nothing_bought' };
    const purchases = [latest, ...earlier];
    return { outcome: await deliver(latest, purchases, { mailId, locale }), orderIds: purchases.map(({ order }) => order.id) };
  }

  /** Newest first. */
  async function findPurchases(hashes: readonly string[]): Promise<Purchase[]> {
    const found = (await Promise.all(hashes.map((hash) => orders.findOrdersOfBuyer(hash)))).flat();
    const unique = [...new Map(found.map((order) => [order.id, order])).values()].filter(isMailable);
    return unique.flatMap((order) => purchaseOf(order, hashes) ?? []).sort((a, b) => b.order.createdAt.localeCompare(a.order.createdAt));
  }

  /** A link goes to no other address than the order's own. */
  function purchaseOf(order: Order, hashes: readonly string[]): Purchase | undefined {
    const to = order.sealedBuyerEmail && openText(order.sealedBuyerEmail, order.id, encryptionKeys);
    return to && buyerEmailHashes(to, encryptionKeys).some((hash) => hashes.includes(hash)) ? { order, to } : undefined;
  }

  async function deliver(
    { order, to }: Purchase,
    purchases: readonly Purchase[],
    { mailId, locale = buyerLocaleOf(order) }: { mailId: string; locale: Locale | undefined },
  ): ReturnType<SendOrDrop> {
    const mail = renderPurchaseLinksMail({
      locale,
      operator,
      purchases: await Promise.all(purchases.map(linkTo)),
      linkHours: tokenLifetimes.mail / 3600_000,
    });
    return sendOrDrop({ to, reference: mailId, ...mail });
  }

  async function linkTo({ order }: Purchase): Promise<MailedPurchase> {
    const expiresAt = new Date(now().getTime() + tokenLifetimes.mail);
    const token = await mintCompletionToken(
      { orderId: order.id, use: 'mail', expiresAt, emailGeneration: order.emailGeneration },
      now(),
      tokenKeys,
    );
    return mailedPurchase(order, { publicBaseUrl, token });
  }
}
