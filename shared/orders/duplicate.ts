import { lastIdBefore, type OrderId } from '../ids.ts';
import type { Order } from './order.ts';

const windowMs = 24 * 3600_000;

type Bought = Pick<Order, 'id' | 'kind' | 'productId' | 'amount' | 'status' | 'checkout'>;

/** Whether it may have been bought twice by accident: a license that somebody paid for. */
export const mayBeDuplicate = ({ kind, amount, checkout }: Bought) => kind === 'license' && amount > 0 && checkout.paidAt !== undefined;

/** No order after this one is what one of these is a duplicate of. A day is left for clocks that differ. */
export function lastCompared(orders: readonly Bought[]): OrderId {
  const lastPayment = Math.max(...orders.map(({ checkout }) => Date.parse(checkout.paidAt ?? '')));
  const last = lastIdBefore('order', new Date(lastPayment + windowMs));
  return [last, ...orders.map(({ id }) => id)].toSorted().at(-1) ?? last;
}

/** Payments by their times; those of the same moment by their orders. */
const placeOf = ({ id, checkout }: Bought) => `${checkout.paidAt} ${id}`;

/**
 * The latest of the orders of the same buyer that bought the same product in the 24 hours before the order was paid, and was not
 * refunded in full. See "Bought twice" in duplicates.md
 */
export function duplicateOf<Other extends Bought>(order: Bought, ofBuyer: readonly Other[]): Other | undefined {
  const { paidAt } = order.checkout;
  if (!mayBeDuplicate(order) || paidAt === undefined) return undefined;
  const from = new Date(Date.parse(paidAt) - windowMs).toISOString();
  return ofBuyer
    .filter((other) => other.id !== order.id && other.productId === order.productId && mayBeDuplicate(other) && other.status !== 'refunded')
    .filter((other) => placeOf(other) < placeOf(order) && (other.checkout.paidAt ?? '') >= from)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
    .at(0);
}
