/** Paid orders that no imported code was left for. See "Waiting for a code" in README.md */

import * as z from 'zod/mini';
import { countItems } from '../db/count-items.ts';
import { paidAtOf, waitingOrderKey, waitingOrders } from '../db/keys.ts';
import type { Table, Write } from '../db/table.ts';
import { idOf, type OrderId, type ProductId } from '../ids.ts';
import type { Order } from './order.ts';

type Waiting = Pick<Order, 'productId' | 'id'> & { waitingSince: string };

const WaitingPointer = z.object({ orderId: idOf('order'), sk: z.string() });

const keyOf = (order: Waiting) => waitingOrderKey(order.productId, order.waitingSince, order.id);

export const addWaitingOrder = (order: Waiting): Write => ({ put: { Item: { ...keyOf(order), orderId: order.id } } });

export const removeWaitingOrder = (order: Waiting): Write => ({ delete: { Key: keyOf(order) } });

/** How many orders wait for a code of the product. */
export const countWaitingOrders = (table: Table, productId: ProductId): Promise<number> => countItems(table, waitingOrders(productId).pk);

/** When the oldest payment that waits for a code of the product came; undefined when none does. */
export async function findFirstPaidAt(table: Table, productId: ProductId): Promise<string | undefined> {
  const { items } = await table.query({ partition: waitingOrders(productId).pk, limit: 1 });
  return items.map((item) => paidAtOf(WaitingPointer.parse(item).sk)).at(0);
}

/** The ids of the first `limit` orders that wait for a code of the product, the first paid first. */
export async function listWaitingOrders(table: Table, productId: ProductId, limit: number): Promise<OrderId[]> {
  const { pk } = waitingOrders(productId);
  const { items } = await table.query({ partition: pk, limit });
  return items.map((item) => WaitingPointer.parse(item).orderId);
}
