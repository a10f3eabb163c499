/** Finds what a buyer bought twice. See "Bought twice" in shared/orders/duplicates.md */

import type { Needs } from '../context.ts';
import { openText } from '../crypto/sealed-text.ts';
import { mapInBatches } from '../db/map-in-batches.ts';
import type { OrderId } from '../ids.ts';
import { duplicateOf, lastCompared, mayBeDuplicate } from '../orders/duplicate.ts';
import type { Order } from '../orders/order.ts';
import { findOrderIdsOfBuyer, findOrders } from '../orders/order-repository.ts';
import { buyerEmailHashes } from './buyer-email.ts';

/** So many buyers are looked at at once. */
const buyersAtATime = 10;

/** The hashes of the address of each of the orders that has one, by the first of them. */
function hashesOf(c: Needs<'ENCRYPTION_KEYS'>, orders: readonly Order[]): Map<OrderId, [string, ...string[]]> {
  const keys = c.settings.ENCRYPTION_KEYS;
  return new Map(
    orders.flatMap(({ id, sealedBuyerEmail }) =>
      sealedBuyerEmail === undefined ? [] : [[id, buyerEmailHashes(openText(sealedBuyerEmail, id, keys), keys)] as const],
    ),
  );
}

/**
 * Of which order each of the orders is taken to be a duplicate, as things are now; those of none are left out. A query for each
 * buyer and key version, of which the 100 newest orders up to the last of these payments are looked at, and one batch read where somebody has several.
 */
export async function findDuplicates(c: Needs<'table' | 'ENCRYPTION_KEYS'>, orders: readonly Order[]): Promise<Map<OrderId, Order>> {
  const bought = orders.filter(mayBeDuplicate);
  if (bought.length === 0) return new Map();
  const hashes = hashesOf(c, bought);
  const last = lastCompared(bought);
  const buyers = [...new Map([...hashes.values()].map((all) => [all[0], all])).values()];
  const found = await mapInBatches(buyers, buyersAtATime, async (all) => [all[0], await findOrderIdsOfBuyer(c.table, all, last)] as const);
  const several = new Map(found.filter(([, ids]) => ids.length > 1));
  const known = new Map((await findOrders(c.table, [...new Set([...several.values()].flat())])).map((order) => [order.id, order]));
  return new Map(
    orders.flatMap((order) => {
      const [hash = ''] = hashes.get(order.id) ?? [];
      const duplicate = duplicateOf(
        order,
        (several.get(hash) ?? []).flatMap((id) => known.get(id) ?? []),
      );
      return duplicate ? [[order.id, duplicate] as const] : [];
    }),
  );
}
