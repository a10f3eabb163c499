import { findDuplicates } from '../buyer-email/find-duplicates.ts';
import type { Needs } from '../context.ts';
import type { License } from '../licenses/license.ts';
import { findLicenses } from '../licenses/license-repository.ts';
import type { Order } from '../orders/order.ts';
import { type OrderSummary, summaryOf } from './order-summary.ts';

type SummaryNeeds = Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>;

/** A page of orders as lists show them, with their licenses read in one go. */
export async function summarizeOrders(c: SummaryNeeds, orders: readonly Order[]): Promise<OrderSummary[]> {
  const [licenses, duplicates] = await Promise.all([
    findLicenses(
      c.table,
      orders.flatMap((order) => order.licenseId ?? []),
    ),
    findDuplicates(c, orders),
  ]);
  const at = c.now();
  return orders.map((order) => {
    const license = order.licenseId === undefined ? undefined : licenses.get(order.licenseId);
    return summaryOf(order, { license, duplicateOf: duplicates.get(order.id)?.id }, at);
  });
}

/** The order as lists show it. `license` is the one it names. */
export async function summarizeOrder(c: SummaryNeeds, order: Order, license: License | undefined): Promise<OrderSummary> {
  return summaryOf(order, { license, duplicateOf: (await findDuplicates(c, [order])).get(order.id)?.id }, c.now());
}
