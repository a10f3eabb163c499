import type { Needs } from '../../shared/context.ts';
import { redemptionStateOf } from '../../shared/entitlements/redemption.ts';
import { type Order, wasPaid } from '../../shared/orders/order.ts';
import { doLater, type Effects, noEffects } from './effects.ts';

/** A deleted order can no longer be paid. */
export const redemptionStateOfOrder = (order: Order | undefined) =>
  redemptionStateOf({
    wasPaid: order !== undefined && wasPaid(order),
    isOver: order === undefined || order.checkout.expiredAt !== undefined || order.checkout.asyncFailedAt !== undefined,
  });

/**
 * Leaves the redemption of an order to a job as soon as it is known what becomes of it. It is not part of the payment's
 * transaction, to avoid contention with carts opened at the same time.
 */
export function settleLater(c: Needs<'now'>, before: Order, after: Order): Effects {
  if (after.discount === undefined || redemptionStateOfOrder(before) === redemptionStateOfOrder(after)) return noEffects;
  return doLater(c, { kind: 'settle-redemption', orderId: after.id });
}
