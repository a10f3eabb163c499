import { buyerEmailHashes } from '../../shared/buyer-email/buyer-email.ts';
import type { Needs } from '../../shared/context.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import type { Locale } from '../../shared/locale.ts';
import { renderPurchaseLinksMail } from '../../shared/mail/buyer-mails/purchase-links-mail.ts';
import { findLinkMailRequest } from '../../shared/mail/outbox/link-mail-repository.ts';
import { type OperatorSetting, operatorOf } from '../../shared/operator.ts';
import { buyerLocaleOf, mayMailLink, type Order } from '../../shared/orders/order.ts';
import { findOrdersOfBuyer } from '../../shared/orders/order-repository.ts';
import type { JobOutcome } from '../../shared/queue/create-worker.ts';
import { linkHours, mailedPurchase } from './mailed-purchase.ts';
import { sendOrDrop } from './send-or-drop.ts';
import { takeTurn } from './take-turn.ts';

type LinkMailRequest = NonNullable<Awaited<ReturnType<typeof findLinkMailRequest>>>;

/** An order of the address, with the address as the provider reported it. */
interface Purchase {
  order: Order;
  to: string;
}

/**
 * Sends one mail with a fresh link to each purchase of an address, unless it has none, or asked
 * too often in this hour. See "Fresh links" in shared/mail/outbox.md
 */
export async function sendLinks(
  c: Needs<'table' | 'now' | 'logger' | 'ENCRYPTION_KEYS' | OperatorSetting | 'PUBLIC_BASE_URL' | 'send' | 'TOKEN_KEYS'>,
  job: Job<'send-links'>,
) {
  const { mailId } = job.task;
  const end = await mailLinks(c, mailId, await findLinkMailRequest(c.table, mailId));
  await c.table.write(finishJob(job));
  return { mailKind: 'links', mailId, ...end };
}

/** The outcome of a request for a mail; an expired request has no hashes. */
async function mailLinks(
  c: Needs<'table' | 'now' | 'logger' | 'ENCRYPTION_KEYS' | OperatorSetting | 'PUBLIC_BASE_URL' | 'send' | 'TOKEN_KEYS'>,
  mailId: string,
  { emailHashes: hashes, mailboxHash, locale }: LinkMailRequest = { emailHashes: [] },
): Promise<JobOutcome> {
  const [present] = hashes;
  if (present === undefined) return { outcome: 'request_gone' };
  const mail = { mailboxHash: mailboxHash ?? present, mailId, cause: 'address' } as const;
  const turn = await takeTurn(c, mail, `links/${present}`);
  if (turn !== 'now') return { outcome: turn === 'refused' ? 'too_many_this_hour' : 'superseded' };
  const [latest, ...earlier] = await findPurchases(c, hashes);
  if (!latest) return { outcome: 'nothing_bought' };
  const purchases = [latest, ...earlier];
  return { outcome: await deliver(c, latest, purchases, { mailId, locale }), orderIds: purchases.map(({ order }) => order.id) };
}

/** Newest first. */
async function findPurchases(c: Needs<'table' | 'ENCRYPTION_KEYS'>, hashes: readonly string[]): Promise<Purchase[]> {
  const found = (await Promise.all(hashes.map((hash) => findOrdersOfBuyer(c.table, hash)))).flat();
  const unique = [...new Map(found.map((order) => [order.id, order])).values()].filter(mayMailLink);
  return unique.flatMap((order) => purchaseOf(c, order, hashes) ?? []).sort((a, b) => b.order.createdAt.localeCompare(a.order.createdAt));
}

/** A link goes to no other address than the order's own. */
function purchaseOf(c: Needs<'ENCRYPTION_KEYS'>, order: Order, hashes: readonly string[]): Purchase | undefined {
  const to = order.sealedBuyerEmail && openText(order.sealedBuyerEmail, order.id, c.settings.ENCRYPTION_KEYS);
  return to && buyerEmailHashes(to, c.settings.ENCRYPTION_KEYS).some((hash) => hashes.includes(hash)) ? { order, to } : undefined;
}

async function deliver(
  c: Needs<'now' | 'logger' | OperatorSetting | 'PUBLIC_BASE_URL' | 'send' | 'TOKEN_KEYS'>,
  { order, to }: Purchase,
  purchases: readonly Purchase[],
  { mailId, locale = buyerLocaleOf(order) }: { mailId: string; locale: Locale | undefined },
): ReturnType<typeof sendOrDrop> {
  const mail = renderPurchaseLinksMail({
    locale,
    operator: operatorOf(c.settings),
    purchases: await Promise.all(purchases.map(({ order }) => mailedPurchase(c, order))),
    linkHours,
  });
  return sendOrDrop(c, { to, reference: mailId, ...mail });
}
