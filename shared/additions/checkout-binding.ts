import { createHash } from 'node:crypto';
import type { LicenseId } from '../ids.ts';
import type { CheckoutRequest, Order } from '../orders/order.ts';

/** Identifies a pending order for a license: what it adds and at what price, or which product it upgrades to. */
export type AdditionSubject = { licenseId: LicenseId } & (
  | Pick<Order, 'kind' | 'quantity' | 'amount' | 'currency' | 'terms'>
  | Pick<Order, 'productId'>
);

/** The hash under which the bound order is found. */
export function subjectHash(to: AdditionSubject): string {
  const parts =
    'kind' in to
      ? [to.kind, to.quantity, to.amount, to.currency, to.kind === 'updates' && to.terms.updatesDays]
      : ['upgrade', to.productId];
  return createHash('sha256')
    .update(JSON.stringify(['license', to.licenseId, ...parts]))
    .digest('base64url');
}

/** Binds the order for as long as unpaid orders are kept: a day would be too short if the payment event arrives late. */
export const checkoutBindingOf = (to: AdditionSubject, order: Order): CheckoutRequest => ({
  requestHash: subjectHash(to),
  orderId: order.id,
  createdAt: order.createdAt,
  ttl: order.ttl ?? Math.ceil(Date.parse(order.expiresAt) / 1000),
});
