import type { Actor } from '../audit/actor.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { OrderId } from '../ids.ts';
import { requireEligible } from '../sellers/seller.ts';
import { checkSellerEligible, findSeller } from '../sellers/seller-repository.ts';
import type { Order } from './order.ts';
import { getOrder } from './order-repository.ts';

/** A user's own sale, and the user as who changes it: while the seller is eligible. @throws AppError order_not_found, forbidden */
export async function getOwnOrder(table: Table, userId: string, orderId: OrderId): Promise<{ order: Order; actor: Actor }> {
  const order = await getOrder(table, orderId);
  const seller = await findSeller(table, order.sellerId);
  if (seller?.ownerUserId !== userId) throw new AppError('forbidden', 'The order is another seller’s sale.');
  const writeConditions = () => {
    requireEligible(seller);
    return [checkSellerEligible(seller.id)];
  };
  return { order, actor: { userId, role: 'seller', writeConditions } };
}
