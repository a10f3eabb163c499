import * as z from 'zod/mini';
import { heldByOf } from '../entitlements/holds.ts';
import { idOf, type LicenseId } from '../ids.ts';
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
  createdAt: dateTime,
  paidAt: z.optional(dateTime),
  licenseId: z.optional(idOf('license')),
  licenseStatus: z.optional(LicenseStatus),
  licenseKeyHint: z.optional(z.string()),
});
export type OrderSummary = z.infer<typeof OrderSummary>;

/** The order as lists show it. `license` is the one it names. */
export function summarizeOrder(order: Order, license: License | undefined, now: Date): OrderSummary {
  const { checkout, discount, addedTo, ...shown } = order;
  return {
    ...shown,
    unitAmount: unitAmountOf(order),
    discountId: discount?.id,
    discountCode: discount?.code,
    parentOrderId: addedTo?.orderId,
    heldBy: heldByOf(order)?.orderId,
    paidAt: checkout.paidAt,
    licenseStatus: license && statusOf(license, now),
    licenseKeyHint: license?.keyHint,
  };
}

/** A page of orders as lists show them, with their licenses read in one go. */
export async function summarizeOrders(
  orders: readonly Order[],
  findLicenses: (licenseIds: readonly LicenseId[]) => Promise<Map<LicenseId, License>>,
  now: Date,
): Promise<OrderSummary[]> {
  const licenses = await findLicenses(orders.flatMap((order) => order.licenseId ?? []));
  return orders.map((order) => summarizeOrder(order, order.licenseId === undefined ? undefined : licenses.get(order.licenseId), now));
}
