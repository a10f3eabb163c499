import type { MailedPurchase } from '../../shared/mail/purchase-mail.ts';
import type { Order } from '../../shared/orders/order.ts';

/** A purchase as its order knows it, whatever the seller has changed since. */
export function mailedPurchase({ id, terms, amount, currency, checkout, createdAt }: Order, completionUrl: string): MailedPurchase {
  return {
    orderId: id,
    productName: terms.productName,
    seller: { name: terms.sellerDisplayName, supportEmail: terms.supportEmail },
    siteUrl: terms.siteUrl,
    amount,
    currency,
    paidAt: new Date(checkout.paidAt ?? createdAt),
    completionUrl,
  };
}
