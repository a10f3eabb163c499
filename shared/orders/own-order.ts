import type { Actor } from '../audit/actor.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { OrderId } from '../ids.ts';
import { requireEligible } from '../sellers/seller.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import type { Order } from './order.ts';
import { createOrderRepository } from './order-repository.ts';

/** A user's own sale, and the user as who changes it: while the seller is eligible. @throws AppError order_not_found, forbidden */
export type GetOwnOrder = (userId: string, orderId: OrderId) => Promise<{ order: Order; actor: Actor }>;

export function createGetOwnOrder({ table, now }: { table: Table; now?: (() => Date) | undefined }): GetOwnOrder {
  const orders = createOrderRepository({ table });
  const sellers = createSellerRepository({ table, now });
  return async (userId, orderId) => {
    const order = await orders.getOrder(orderId);
    const seller = await sellers.findSeller(order.sellerId);
    if (seller?.ownerUserId !== userId) throw new AppError('forbidden', 'The order is another seller’s sale.');
    const rights = () => {
      requireEligible(seller);
      return [sellers.sellerEligible(seller.id)];
    };
    return { order, actor: { userId, rights } };
  };
}
