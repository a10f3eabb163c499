import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { SendMail } from '../../shared/mail/mail-client.ts';
import { createMailingRepository } from '../../shared/mail/mailing-repository.ts';
import { renderPurchaseLinksMail } from '../../shared/mail/purchase-links-mail.ts';
import type { MailedPurchase } from '../../shared/mail/purchase-mail.ts';
import type { Operator } from '../../shared/operator.ts';
import { buyerEmailHashes } from '../../shared/orders/buyer-email.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from '../../shared/orders/completion-token.ts';
import { buyerLocaleOf, isMailable, type Order } from '../../shared/orders/order.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import { mailedPurchase } from './mailed-purchase.ts';

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
  send: SendMail;
  operator: Operator;
  publicBaseUrl: string;
  encryptionKeys: Keyring;
  tokenKeys: Keyring;
  now: () => Date;
}): RunJob<'send-links'> {
  const { table, send, operator, publicBaseUrl, encryptionKeys, tokenKeys, now } = options;
  const orders = createOrderRepository({ table });
  const mailings = createMailingRepository({ table, now });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const { mailId } = job.task;
    const hashes = await mailings.findRequested(mailId);
    if (hashes?.[0] !== undefined && (await mailings.admitMailing(hashes[0], mailId))) {
      const [latest, ...earlier] = await findPurchases(hashes);
      if (latest) await deliver(latest, [latest, ...earlier], mailId);
    }
    await table.write(jobs.finishJob(job));
  };

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

  async function deliver({ order, to }: Purchase, purchases: readonly Purchase[], mailId: string): Promise<void> {
    const mail = renderPurchaseLinksMail({
      locale: buyerLocaleOf(order),
      operator,
      purchases: await Promise.all(purchases.map(linkTo)),
      linkHours: tokenLifetimes.mail / 3600_000,
    });
    await send({ to, reference: mailId, ...mail });
  }

  async function linkTo({ order }: Purchase): Promise<MailedPurchase> {
    const expiresAt = new Date(now().getTime() + tokenLifetimes.mail);
    const token = await mintCompletionToken(
      { orderId: order.id, use: 'mail', expiresAt, emailGeneration: order.emailGeneration },
      now(),
      tokenKeys,
    );
    return mailedPurchase(order, completionUrl(publicBaseUrl, token));
  }
}
