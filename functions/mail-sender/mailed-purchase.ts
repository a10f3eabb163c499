import { completionUrl, mintCompletionToken, receiptUrl, tokenLifetimes } from '../../shared/buyer-access/completion-token.ts';
import type { Needs } from '../../shared/context.ts';
import { timeZoneOf } from '../../shared/locale.ts';
import type { MailedPurchase } from '../../shared/mail/buyer-mails/purchase-mail.ts';
import { buyerLocaleOf, isAddition, type Order, unitAmountOf } from '../../shared/orders/order.ts';

/** How long the link in a mail works. */
export const linkHours = tokenLifetimes.mail / 3600_000;

/** A purchase as its order knows it, whatever the seller has changed since, with a fresh link; of an addition that opens the receipt. */
export async function mailedPurchase(c: Needs<'now' | 'PUBLIC_BASE_URL' | 'TOKEN_KEYS'>, order: Order): Promise<MailedPurchase> {
  const { id: orderId, terms, amount, quantity, discount, currency, checkout, createdAt, emailGeneration } = order;
  const { updatesDays } = terms;
  const expiresAt = new Date(c.now().getTime() + tokenLifetimes.mail);
  const token = await mintCompletionToken({ orderId, use: 'mail', expiresAt, emailGeneration }, c.now(), c.settings.TOKEN_KEYS);
  const urlOf = isAddition(order) ? receiptUrl : completionUrl;
  return {
    orderId,
    productName: terms.productName,
    seller: { name: terms.sellerDisplayName, supportEmail: terms.supportEmail },
    siteUrl: terms.siteUrl,
    amount,
    quantity,
    unitAmount: unitAmountOf(order),
    discountAmount: discount?.amount,
    addition: isAddition(order) ? { kind: order.kind, quantity, updatesDays } : undefined,
    currency,
    paidAt: new Date(checkout.paidAt ?? createdAt),
    timeZone: timeZoneOf(buyerLocaleOf(order)),
    completionUrl: urlOf(c.settings.PUBLIC_BASE_URL, token),
  };
}
