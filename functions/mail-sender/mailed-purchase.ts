import { completionUrl, receiptUrl } from '../../shared/buyer-access/completion-token.ts';
import { timeZoneOf } from '../../shared/locale.ts';
import type { MailedPurchase } from '../../shared/mail/buyer-mails/purchase-mail.ts';
import { buyerLocaleOf, isAddition, type Order, unitAmountOf } from '../../shared/orders/order.ts';

/** A purchase as its order knows it, whatever the seller has changed since. The link has the token; of an addition it opens the receipt. */
export function mailedPurchase(order: Order, { publicBaseUrl, token }: { publicBaseUrl: string; token: string }): MailedPurchase {
  const { id, terms, amount, quantity, discount, currency, checkout, createdAt } = order;
  const { updatesDays } = terms;
  return {
    orderId: id,
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
    completionUrl: isAddition(order) ? receiptUrl(publicBaseUrl, token) : completionUrl(publicBaseUrl, token),
  };
}
