/** Discounts of products, found by their codes, and the redemptions that orders hold of them. */

import { findItem, findItems } from '../db/find-items.ts';
import { discountIdKey, discountKey, discountsOfProduct, liveDiscountsKey } from '../db/keys.ts';
import { freePlace, readyPlaces, takePlace } from '../db/live-places.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import { listPartitionPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type DiscountId, isId, type ProductId } from '../ids.ts';
import { DiscountPointer, DiscountRecord } from './discount.ts';

/** How many discounts of a product may be live at once. */
export const maxLiveDiscounts = 200;

/** By the code as it is kept. */
export const findDiscount = (table: Table, productId: ProductId, code: string): Promise<DiscountRecord | undefined> =>
  findItem(table, discountKey(productId, code), DiscountRecord);

const placesOf = (productId: ProductId) => ({ key: liveDiscountsKey(productId), attribute: 'live' });

export async function findDiscountById(table: Table, productId: ProductId, id: DiscountId): Promise<DiscountRecord | undefined> {
  const pointer = isId('discount', id) ? await findItem(table, discountIdKey(productId, id), DiscountPointer) : undefined;
  return pointer && findDiscount(table, productId, pointer.code);
}

/** Ended ones too, newest first. */
export async function listDiscounts(table: Table, productId: ProductId, request: PageRequest): Promise<Page<DiscountRecord>> {
  const range = discountsOfProduct(productId);
  const { items, nextCursor } = await listPartitionPage(table, `discounts-of-${productId}`, range, { ...request, newestFirst: true });
  const keys = items.map((item) => discountKey(productId, DiscountPointer.parse(item).code));
  return { items: await findItems(table, keys, DiscountRecord), nextCursor };
}

/** Prepares the product for a new discount: those past their end no longer count. */
export const readyForDiscount = (table: Table, productId: ProductId, now: Date): Promise<void> =>
  readyPlaces(table, placesOf(productId), now);

/** Adds a discount, and takes a place for it. @throws AppError discount_code_taken, too_many_discounts */
export function addDiscount(discount: DiscountRecord): Write[] {
  const { id, productId, code, endsAt } = discount;
  return [
    {
      put: { Item: { ...discountKey(productId, code), ...discount }, ...ifAbsent },
      onConditionFailed: () => new AppError('discount_code_taken'),
    },
    { put: { Item: { ...discountIdKey(productId, id), id, code }, ...ifAbsent } },
    takePlace(placesOf(productId), id, { endsAt, max: maxLiveDiscounts, refusal: () => new AppError('too_many_discounts') }),
  ];
}

/** Ends a discount, and gives its place back. Ended since it was read → OptimisticLockError. */
export function recordDiscountEnd({ id, productId, code }: DiscountRecord, endedAt: string): Write[] {
  return [
    {
      update: {
        Key: discountKey(productId, code),
        UpdateExpression: 'SET endedAt = :at',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(endedAt)',
        ExpressionAttributeValues: { ':at': endedAt },
      },
      onConditionFailed: lockConflict,
    },
    freePlace(placesOf(productId), id),
  ];
}
