/** What sellers do with the discounts of their products. See README.md */

import { recordAudit } from '../audit/audit-repository.ts';
import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { mapPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { requireFound } from '../errors.ts';
import { type DiscountId, newId, type ProductId } from '../ids.ts';
import { getOwnProduct } from '../products/own-product.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { requireEligible } from '../sellers/seller.ts';
import { type Discount, type DiscountRecord, toDiscount } from './discount.ts';
import { addDiscount, findDiscountById, listDiscounts, readyForDiscount, recordDiscountEnd } from './discount-repository.ts';
import { type CreateDiscountRequest, checkDiscountTimes, newDiscount } from './discount-request.ts';

/**
 * A discount of the product at its present price. Nobody reviews it.
 *
 * @throws AppError invalid_request, product_not_found, forbidden, seller_not_eligible, product_suspended,
 * discount_code_taken, too_many_discounts
 */
export async function createDiscount(
  c: Needs<'table' | 'now'>,
  caller: Caller,
  productId: ProductId,
  request: CreateDiscountRequest,
): Promise<Discount> {
  const time = c.now();
  const at = time.toISOString();
  checkDiscountTimes(request, at);
  const { product, seller } = await getOwnProduct(c.table, caller, productId);
  requireEligible(seller);
  requireUnsuspended(product);
  const discount = newDiscount(request, product, { id: newId('discount', time), at });
  await readyForDiscount(c.table, productId, time);
  await c.table.transact([
    ...addDiscount(discount),
    recordAudit(c, { actor: auditActorOf(caller), action: 'discount.create', targetId: discount.id, after: auditedDiscount(discount) }),
  ]);
  return toDiscount(discount);
}

/** Ended ones too, newest first. @throws AppError product_not_found, forbidden */
export async function listOwnDiscounts(table: Table, caller: Caller, productId: ProductId, request: PageRequest): Promise<Page<Discount>> {
  await getOwnProduct(table, caller, productId);
  return mapPage(await listDiscounts(table, productId, request), toDiscount);
}

/**
 * Ends a discount for good, in whatever state the product is; again it changes nothing. Orders that were made with it
 * keep it.
 *
 * @throws AppError product_not_found, forbidden, seller_not_eligible, discount_not_found
 */
export async function endDiscount(c: Needs<'table' | 'now'>, caller: Caller, productId: ProductId, discountId: DiscountId) {
  const { seller } = await getOwnProduct(c.table, caller, productId);
  requireEligible(seller);
  return retryOptimisticLock(async () => {
    const discount = await requireFound(findDiscountById(c.table, productId, discountId), 'discount_not_found');
    if (discount.endedAt !== undefined) return toDiscount(discount);
    const endedAt = c.now().toISOString();
    // Carts write it at the same time, and none of them changes whether it is ended.
    await c.table.transact([
      ...recordDiscountEnd(discount, endedAt),
      recordAudit(c, { actor: auditActorOf(caller), action: 'discount.end', targetId: discountId }),
    ]);
    return toDiscount({ ...discount, endedAt });
  });
}

const auditedDiscount = ({ productId, code, percentOff, amountOff, currency, maxRedemptions, startsAt, endsAt }: DiscountRecord) => ({
  productId,
  code,
  ...(percentOff === undefined ? { amountOff: amountOff ?? 0, currency } : { percentOff }),
  ...(maxRedemptions !== undefined && { maxRedemptions }),
  startsAt,
  ...(endsAt !== undefined && { endsAt }),
});
