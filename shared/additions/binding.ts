import { createHash } from 'node:crypto';
import type { LicenseId } from '../ids.ts';
import type { CheckoutRequest, Order } from '../orders/order.ts';

/** By what a pending order for a license is found again: what it adds and for how much, or to which product it upgrades. */
export type BoundTo = { licenseId: LicenseId } & (
  | Pick<Order, 'kind' | 'quantity' | 'amount' | 'currency' | 'terms'>
  | Pick<Order, 'productId'>
);

/** Under what the order is found that is bound to this. */
export function requestHashOf(to: BoundTo): string {
  const parts =
    'kind' in to
      ? [to.kind, to.quantity, to.amount, to.currency, to.kind === 'updates' && to.terms.updatesDays]
      : ['upgrade', to.productId];
  return createHash('sha256')
    .update(JSON.stringify(['license', to.licenseId, ...parts]))
    .digest('base64url');
}

/** Binds the order. It holds as long as an unpaid order is kept: a day would not do where a payment is heard of late. */
export const bindingOf = (to: BoundTo, order: Order): CheckoutRequest => ({
  requestHash: requestHashOf(to),
  orderId: order.id,
  createdAt: order.createdAt,
  ttl: order.ttl ?? Math.ceil(Date.parse(order.expiresAt) / 1000),
});
