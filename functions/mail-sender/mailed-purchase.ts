import { timeZoneOf } from '../../shared/locale.ts';
import type { MailedPurchase } from '../../shared/mail/purchase-mail.ts';
import { buyerLocaleOf, type Order } from '../../shared/orders/order.ts';

/** A purchase as its order knows it, whatever the seller has changed since. */
export function mailedPurchase(order: Order, completionUrl: string): MailedPurchase {
  const { id, terms, amount, currency, checkout, createdAt } = order;
  return {
    orderId: id,
    productName: terms.productName,
    seller: { name: terms.sellerDisplayName, supportEmail: terms.supportEmail },
    siteUrl: terms.siteUrl,
    amount,
    currency,
    paidAt: new Date(checkout.paidAt ?? createdAt),
    timeZone: timeZoneOf(buyerLocaleOf(order)),
    completionUrl,
  };
}
