/** Redemptions of orders, and the counters of their discounts. See "Redemptions" in README.md */

import { findItem } from '../db/find-items.ts';
import { discountKey, redemptionKey } from '../db/keys.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { OrderId, ProductId } from '../ids.ts';
import { newJob } from '../jobs/new-job.ts';
import { type DiscountRecord, Redemption } from './discount.ts';

/** A redemption is kept for so many seconds longer than its order, whose further attempts may keep that for longer. */
const keptLonger = 24 * 3600;

/** More orders were paid than the discount's limit allows. */
export class TooManyRedemptionsError extends Error {}

export const findRedemption = (table: Table, orderId: OrderId) => findItem(table, redemptionKey(orderId), Redemption);

/** Holds while the redemption is in the state that was read. */
const inState = ({ state }: Redemption, values: Record<string, unknown> = {}) => ({
  ConditionExpression: '#state = :read',
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: { ':read': state, ...values },
});

/** Raises counters of the discount. */
function count({ productId, code }: { productId: ProductId; code: string }, change: { taken?: number; redeemed?: number }) {
  const counters = Object.entries(change);
  return {
    Key: discountKey(productId, code),
    UpdateExpression: `ADD ${counters.map(([name]) => `${name} :${name}`).join(', ')}`,
    ExpressionAttributeValues: Object.fromEntries(counters.map(([name, by]) => [`:${name}`, by])),
  };
}

/** What the redemption took of the limit, given back. */
const untake = (redemption: Redemption): Write[] =>
  redemption.isLimited && redemption.state === 'reserved' ? [{ update: count(redemption, { taken: -1 }) }] : [];

/**
 * The redemption of an order that is about to be made with the discount, which held as it was read; to be committed
 * with the order. Of a limit it takes one, and has a job settle it soon after `expiresAt`. Without a limit the discount
 * is not written, which avoids contention between carts.
 *
 * @throws AppError discount_not_valid when it was used up or ended meanwhile
 */
export function reserveRedemption(discount: DiscountRecord, order: { id: OrderId; expiresAt: string; ttl: number | undefined }): Write[] {
  const { id: discountId, productId, code, maxRedemptions } = discount;
  const { id: orderId, expiresAt, ttl } = order;
  const isLimited = maxRedemptions !== undefined;
  const kept = ttl === undefined ? undefined : ttl + keptLonger;
  const redemption: Redemption = { orderId, discountId, productId, code, isLimited, state: 'reserved', ttl: kept };
  const reserved: Write = { put: { Item: { ...redemptionKey(orderId), ...redemption }, ...ifAbsent } };
  if (!isLimited) return [reserved];
  return [
    {
      update: { ...count(discount, { taken: 1 }), ConditionExpression: 'taken < maxRedemptions AND attribute_not_exists(endedAt)' },
      onConditionFailed: () => new AppError('discount_not_valid'),
    },
    reserved,
    { put: { Item: newJob({ kind: 'settle-redemption', orderId }, new Date(expiresAt)) } },
  ];
}

/** Undoes the redemption of an order that is deleted in the same transaction. Settled since it was read → OptimisticLockError. */
export async function removeRedemption(table: Table, { id, discount }: { id: OrderId; discount?: object | undefined }): Promise<Write[]> {
  // Its job finds nothing to settle.
  const redemption = discount && (await findRedemption(table, id));
  if (!redemption) return [];
  return [{ delete: { Key: redemptionKey(id), ...inState(redemption) }, onConditionFailed: lockConflict }, ...untake(redemption)];
}

/** Records that the order can no longer be paid, as far as is known. Settled since it was read → OptimisticLockError. */
export const returnRedemption = (redemption: Redemption): Write[] => [
  {
    update: {
      Key: redemptionKey(redemption.orderId),
      UpdateExpression: 'SET #state = :returned',
      ...inState(redemption, { ':returned': 'returned' }),
    },
    onConditionFailed: lockConflict,
  },
  ...untake(redemption),
];

/**
 * Records that the order was paid: for good, and again where it was returned. Settled since it was read → OptimisticLockError.
 *
 * @throws OverRedeemedError when as many as the limit allows were paid before, unless `isOver`
 */
export function redeem(redemption: Redemption, { isOver = false } = {}): Write[] {
  const { orderId, isLimited, state } = redemption;
  const isTakenAgain = isLimited && state === 'returned';
  const counted = count(redemption, { redeemed: 1, ...(isTakenAgain && { taken: 1 }) });
  return [
    {
      update: {
        Key: redemptionKey(orderId),
        UpdateExpression: 'SET #state = :redeemed REMOVE #ttl',
        ...inState(redemption, { ':redeemed': 'redeemed' }),
        ExpressionAttributeNames: { '#state': 'state', '#ttl': 'ttl' },
      },
      onConditionFailed: lockConflict,
    },
    isLimited && !isOver
      ? { update: { ...counted, ConditionExpression: 'redeemed < maxRedemptions' }, onConditionFailed: () => new TooManyRedemptionsError() }
      : { update: counted },
  ];
}
