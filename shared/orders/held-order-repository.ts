/** Paid upgrades that an order before them holds. See "Holds" in shared/entitlements/README.md */

import * as z from 'zod/mini';
import { heldOrderKey, heldOrders } from '../db/keys.ts';
import type { Table, Write } from '../db/table.ts';
import { idOf, type SellerId } from '../ids.ts';
import { dateTime } from '../schemas.ts';
import { isPaidButHeld, type Order } from './order.ts';

/** An order that its seller is to look at, since the refund or dispute of the order that holds it. */
export const HeldOrder = z.object({ orderId: idOf('order'), since: dateTime });
export type HeldOrder = z.infer<typeof HeldOrder>;

/** Nothing can be given back of an order that was free. */
const sinceWhen = (order: Order) => (isPaidButHeld(order) && order.amount > 0 ? order.heldBy.since : undefined);

/** Where the order is among those of its seller that are paid but held, if it is. */
export function heldOrderPlace(order: Order) {
  const since = sinceWhen(order);
  return since === undefined ? undefined : heldOrderKey(order.sellerId, since, order.id);
}

/** Keeps the seller's list of such orders true to a change of one; part of the transaction that changes it. */
export function moveHeldOrder(before: Order, after: Order): Write[] {
  const [was, is] = [sinceWhen(before), sinceWhen(after)];
  if (was === is) return [];
  return [
    ...(was === undefined ? [] : [{ delete: { Key: heldOrderKey(before.sellerId, was, before.id) } }]),
    ...(is === undefined ? [] : [{ put: { Item: { ...heldOrderKey(after.sellerId, is, after.id), orderId: after.id, since: is } } }]),
  ];
}

/** Those held last first, at most `limit`. */
export async function findHeldOrders(table: Table, sellerId: SellerId, limit: number): Promise<HeldOrder[]> {
  const { pk: partition, prefix } = heldOrders(sellerId);
  const { items } = await table.query({ partition, prefix, limit, newestFirst: true });
  return items.map((item) => HeldOrder.parse(item));
}
