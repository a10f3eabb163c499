import { createAuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type DiscountId, newId, type ProductId } from '../ids.ts';
import { createGetOwnProduct } from '../products/own-product.ts';
import { requireEligible } from '../sellers/seller.ts';
import { type Discount, type DiscountRecord, toDiscount } from './discount.ts';
import { createDiscountRepository } from './discount-repository.ts';
import { type CreateDiscountRequest, checkTimes, newDiscount } from './discount-request.ts';

export type DiscountService = ReturnType<typeof createDiscountService>;

/** What sellers do with the discounts of their products. `userId` is the caller. See README.md */
export function createDiscountService({ table, now = () => new Date() }: { table: Table; now?: (() => Date) | undefined }) {
  const getOwnProduct = createGetOwnProduct({ table });
  const discounts = createDiscountRepository({ table });
  const audit = createAuditRepository({ table, now });

  return {
    /**
     * A discount of the product at its present price. Nobody reviews it.
     *
     * @throws AppError invalid_request, product_not_found, forbidden, seller_not_eligible, product_suspended,
     * discount_code_taken, too_many_discounts
     */
    async createDiscount(userId: string, productId: ProductId, request: CreateDiscountRequest): Promise<Discount> {
      const time = now();
      const at = time.toISOString();
      checkTimes(request, at);
      const { product, seller } = await getOwnProduct({ userId }, productId);
      requireEligible(seller);
      if (product.status === 'suspended') throw new AppError('product_suspended');
      const discount = newDiscount(request, product, { id: newId('discount', time), at });
      await discounts.clearPlaces(productId, at);
      await table.transact([
        ...discounts.createDiscount(discount),
        audit.recordAudit({ actor: userId, action: 'discount.create', targetId: discount.id, after: auditedDiscount(discount) }),
      ]);
      return toDiscount(discount);
    },

    /** Ended ones too, newest first. @throws AppError product_not_found, forbidden */
    async listDiscounts(userId: string, productId: ProductId, request: PageRequest): Promise<Page<Discount>> {
      await getOwnProduct({ userId }, productId);
      const page = await discounts.listDiscounts(productId, request);
      return { ...page, items: page.items.map(toDiscount) };
    },

    /**
     * Ends a discount for good, in whatever state the product is; again it changes nothing. Orders that were made with it
     * keep it.
     *
     * @throws AppError product_not_found, forbidden, seller_not_eligible, discount_not_found
     */
    async endDiscount(userId: string, productId: ProductId, discountId: DiscountId): Promise<Discount> {
      const { seller } = await getOwnProduct({ userId }, productId);
      requireEligible(seller);
      return retryOptimisticLock(async () => {
        const discount = await discounts.findDiscountById(productId, discountId);
        if (!discount) throw new AppError('discount_not_found');
        if (discount.endedAt !== undefined) return toDiscount(discount);
        const endedAt = now().toISOString();
        // Carts write it at the same time, and none of them changes whether it is ended.
        await table.transact([
          ...discounts.endDiscount(discount, endedAt),
          audit.recordAudit({ actor: userId, action: 'discount.end', targetId: discountId }),
        ]);
        return toDiscount({ ...discount, endedAt });
      });
    },
  };
}

const auditedDiscount = ({ productId, code, percentOff, amountOff, currency, maxRedemptions, startsAt, endsAt }: DiscountRecord) => ({
  productId,
  code,
  ...(percentOff === undefined ? { amountOff: amountOff ?? 0, currency } : { percentOff }),
  ...(maxRedemptions !== undefined && { maxRedemptions }),
  startsAt,
  ...(endsAt !== undefined && { endsAt }),
});
