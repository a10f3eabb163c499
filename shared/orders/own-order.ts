import type { Actor } from '../audit/actor.ts';
import { auditActorOf, type Caller, requireProduct } from '../audit/caller.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { OrderId } from '../ids.ts';
import { requireEligible } from '../sellers/seller.ts';
import { checkSellerEligible, findSeller } from '../sellers/seller-repository.ts';
import type { Order } from './order.ts';
import { getOrder } from './order-repository.ts';

/**
 * The caller's own sale, and the caller as who changes it: while the seller is eligible.
 *
 * @throws AppError order_not_found, token_scope_insufficient, forbidden
 */
export async function getOwnOrder(table: Table, caller: Caller, orderId: OrderId): Promise<{ order: Order; actor: Actor }> {
  const order = await getOrder(table, orderId);
  requireProduct(caller, order.productId);
  const seller = await findSeller(table, order.sellerId);
  if (seller?.ownerUserId !== caller.userId) {
    // Even for a token of all products, another seller's sale is out of scope.
    if (caller.token) throw new AppError('token_scope_insufficient');
    throw new AppError('forbidden', 'The order is another seller’s sale.');
  }
  const writeConditions = () => {
    requireEligible(seller);
    return [checkSellerEligible(seller.id)];
  };
  return { order, actor: { name: auditActorOf(caller), role: 'seller', writeConditions } };
}
