import * as z from 'zod/mini';
import { heldByOf } from '../entitlements/holds.ts';
import { idOf, type OrderId } from '../ids.ts';
import { type License, LicenseStatus, statusOf } from '../licenses/license.ts';
import { Order, orderKinds, unitAmountOf } from '../orders/order.ts';
import { OrderStatus, PaymentStatus } from '../payments/payment-facts.ts';
import { dateTime } from '../schemas.ts';

/** An order in a list, with its license; without buyer and key. */
export const OrderSummary = z.object({
  id: idOf('order'),
  status: OrderStatus,
  paymentStatus: PaymentStatus,
  productId: idOf('product'),
  sellerId: idOf('seller'),
  kind: z.enum(orderKinds),
  quantity: z.int(),
  /** What one cost, after the discount. */
  unitAmount: z.int(),
  amount: z.int(),
  currency: z.string(),
  discountId: z.optional(idOf('discount')),
  discountCode: z.optional(z.string()),
  /** Of an addition: the order of the license that it is added to. */
  parentOrderId: z.optional(idOf('order')),
  /** Of an upgrade. */
  upgradedFrom: Order.shape.upgradedFrom,
  /** Of an upgrade: the order before it whose refund or dispute holds its license; of several the one furthest back. */
  heldBy: z.optional(idOf('order')),
  /** The latest order of the same buyer for the same product in the 24 hours before its payment, unless that was refunded in full. */
  duplicateOf: z.optional(idOf('order')),
  createdAt: dateTime,
  paidAt: z.optional(dateTime),
  licenseId: z.optional(idOf('license')),
  licenseStatus: z.optional(LicenseStatus),
  licenseKeyHint: z.optional(z.string()),
});
export type OrderSummary = z.infer<typeof OrderSummary>;

interface Known {
  license: License | undefined;
  duplicateOf: OrderId | undefined;
}

/** The order as lists show it, with the license it names and what it may be a duplicate of. */
export function summaryOf(order: Order, { license, duplicateOf }: Known, now: Date): OrderSummary {
  const { checkout, discount, addedTo, ...shown } = order;
  return {
    ...shown,
    unitAmount: unitAmountOf(order),
    discountId: discount?.id,
    discountCode: discount?.code,
    parentOrderId: addedTo?.orderId,
    heldBy: heldByOf(order)?.orderId,
    paidAt: checkout.paidAt,
    duplicateOf,
    licenseStatus: license && statusOf(license, now),
    licenseKeyHint: license?.keyHint,
  };
}
