/** Discounts of products, found by their codes, and the redemptions that orders hold of them. */

import { discountIdKey, discountKey, discountsOfProduct, liveDiscountsKey } from '../db/keys.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import { listOfPartition, type Page, type PageRequest } from '../db/sharded-list.ts';
import { ConditionFailedError, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type DiscountId, isId, type ProductId } from '../ids.ts';
import { DiscountPointer, DiscountRecord, LiveDiscounts } from './discount.ts';

/** How many discounts of a product may be not ended at once. */
export const mostLive = 200;

/** By the code as it is kept. */
export async function findDiscount(table: Table, productId: ProductId, code: string): Promise<DiscountRecord | undefined> {
  const item = await table.get(discountKey(productId, code));
  return item && DiscountRecord.parse(item);
}

async function readLive(table: Table, productId: ProductId): Promise<LiveDiscounts['live'] | undefined> {
  const item = await table.get(liveDiscountsKey(productId));
  return item && LiveDiscounts.parse(item).live;
}

async function makePlaces(table: Table, productId: ProductId): Promise<void> {
  try {
    await table.write({ put: { Item: { ...liveDiscountsKey(productId), live: {} }, ...ifAbsent } });
  } catch (error) {
    // Another request made them.
    if (!(error instanceof ConditionFailedError)) throw error;
  }
}

export async function findDiscountById(table: Table, productId: ProductId, id: DiscountId): Promise<DiscountRecord | undefined> {
  const item = isId('discount', id) ? await table.get(discountIdKey(productId, id)) : undefined;
  return item && findDiscount(table, productId, DiscountPointer.parse(item).code);
}

/** Ended ones too, newest first. */
export async function listDiscounts(table: Table, productId: ProductId, request: PageRequest): Promise<Page<DiscountRecord>> {
  const range = discountsOfProduct(productId);
  const { items, nextCursor } = await listOfPartition(table, `discounts-of-${productId}`, range, { ...request, newestFirst: true });
  const pointers = items.map((item) => DiscountPointer.parse(item));
  const found = await table.batchGet(pointers.map(({ code }) => discountKey(productId, code)));
  const byId = new Map(found.map((item) => DiscountRecord.parse(item)).map((discount) => [discount.id, discount]));
  return { items: pointers.flatMap(({ id }) => byId.get(id) ?? []), nextCursor };
}

/** Readies the product for a discount: those past their end take no place any more. */
export async function clearDiscountPlaces(table: Table, productId: ProductId, at: string): Promise<void> {
  const live = await readLive(table, productId);
  if (!live) return makePlaces(table, productId);
  const over = Object.entries(live).filter(([, endsAt]) => endsAt !== '' && endsAt <= at);
  if (over.length === 0) return;
  const names = Object.fromEntries(over.map(([id], index) => [`#over${index}`, id]));
  const paths = Object.keys(names).map((name) => `live.${name}`);
  const Key = liveDiscountsKey(productId);
  await table.write({ update: { Key, UpdateExpression: `REMOVE ${paths.join(', ')}`, ExpressionAttributeNames: names } });
}

/** Adds a discount, and takes a place for it. @throws AppError discount_code_taken, too_many_discounts */
export function addDiscount(discount: DiscountRecord): Write[] {
  const { id, productId, code, endsAt = '' } = discount;
  return [
    {
      put: { Item: { ...discountKey(productId, code), ...discount }, ...ifAbsent },
      onConditionFailed: () => new AppError('discount_code_taken'),
    },
    { put: { Item: { ...discountIdKey(productId, id), id, code }, ...ifAbsent } },
    {
      update: {
        Key: liveDiscountsKey(productId),
        UpdateExpression: 'SET live.#discount = :endsAt',
        ConditionExpression: 'size(live) < :most',
        ExpressionAttributeNames: { '#discount': id },
        ExpressionAttributeValues: { ':endsAt': endsAt, ':most': mostLive },
      },
      onConditionFailed: () => new AppError('too_many_discounts'),
    },
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
    {
      update: {
        Key: liveDiscountsKey(productId),
        UpdateExpression: 'REMOVE live.#discount',
        ExpressionAttributeNames: { '#discount': id },
      },
    },
  ];
}
