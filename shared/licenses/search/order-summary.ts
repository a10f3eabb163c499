import * as z from 'zod/mini';
import { idOf, type LicenseId } from '../../ids.ts';
import type { Order } from '../../orders/order.ts';
import { OrderStatus, PaymentStatus } from '../../payments/payment-facts.ts';
import { dateTime } from '../../schemas.ts';
import { type License, LicenseStatus, statusOf } from '../license.ts';

/** An order in a list, with its license; without buyer and key. */
export const OrderSummary = z.object({
  id: idOf('order'),
  status: OrderStatus,
  paymentStatus: PaymentStatus,
  productId: idOf('product'),
  sellerId: idOf('seller'),
  amount: z.int(),
  currency: z.string(),
  createdAt: dateTime,
  paidAt: z.optional(dateTime),
  licenseId: z.optional(idOf('license')),
  licenseStatus: z.optional(LicenseStatus),
  licenseKeyHint: z.optional(z.string()),
});
export type OrderSummary = z.infer<typeof OrderSummary>;

/** The order as lists show it. `license` is the one it names. */
export function summarizeOrder(order: Order, license: License | undefined, now: Date): OrderSummary {
  const { checkout, ...shown } = order;
  return {
    ...shown,
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
