import * as z from 'zod/mini';
import {
  discountIdKey,
  discountKey,
  liveDiscountsKey,
  orderKey,
  orderOfDiscountKey,
  ordersOfDiscount,
  redemptionKey,
} from '../../../../shared/db/keys.ts';
import { DiscountPointer, DiscountRecord, LiveDiscounts, Redemption } from '../../../../shared/discounts/discount.ts';
import type { RedemptionState } from '../../../../shared/entitlements/redemption.ts';
import { idOf } from '../../../../shared/ids.ts';
import { Order, wasPaid } from '../../../../shared/orders/order.ts';
import { createRule, hasJob, idFromKey } from './rule.ts';
import type { Read } from './table-reader.ts';

const OrderPointer = z.object({ id: idOf('order') });

export const discountRules = {
  discountKey: createRule({
    schema: DiscountRecord,
    id: ({ id }) => id,
    key: ({ productId, code }) => discountKey(productId, code),
    async *faults(discount, read) {
      const { id, productId } = discount;
      if (!(await read.get(discountIdKey(productId, id)))) yield 'is not found by its id';
      yield* placeFaults(discount, read);
      yield* counterFaults(discount, read);
    },
  }),
  discountIdKey: createRule({
    schema: DiscountPointer,
    key: ({ id }, { owner }) => discountIdKey(idFromKey('product', owner), id),
    async *faults({ id, code }, read, { owner }) {
      if ((await read.get(discountKey(idFromKey('product', owner), code)))?.['id'] !== id) yield `leads to no discount of ${owner}`;
    },
  }),
  liveDiscountsKey: createRule({
    schema: LiveDiscounts,
    async *faults({ live }, read, { owner }) {
      const productId = idFromKey('product', owner);
      for (const id of Object.keys(live))
        if (!(await read.get(discountIdKey(productId, idFromKey('discount', id)))))
          yield `has a place for ${id}, which is no discount of it`;
    },
  }),
  orderOfDiscountKey: createRule({
    schema: OrderPointer,
    key: ({ id }, { owner }) => orderOfDiscountKey(idFromKey('discount', owner), id),
    async *faults({ id }, read, { owner }) {
      if (!(await read.get(orderKey(id)))) yield `is in the list of ${owner}, and is not there`;
      else if (!(await read.get(redemptionKey(id)))) yield `is in the list of ${owner}, and has no redemption`;
    },
  }),
  redemptionKey: createRule({
    schema: Redemption,
    key: ({ orderId }) => redemptionKey(orderId),
    async *faults(redemption, read) {
      const { orderId, discountId, isLimited, state } = redemption;
      const item = await read.get(orderKey(orderId));
      const order = item && Order.parse(item);
      // What was given back is kept for longer than its order.
      if (order?.discount?.id !== discountId && (order || state !== 'returned')) yield `is of ${discountId}, and its order is not`;
      if (await hasJob(read, { kind: 'settle-redemption', orderId })) return;
      if (order && wasPaid(order) && state !== 'redeemed') yield 'is not redeemed, and its order was paid';
      if (order && isLimited && state === 'reserved' && !wasPaid(order)) yield 'is reserved of a limit, and no job settles it';
    },
  }),
} as const;

/** A place is taken while it is not ended; past its end it may still have one, until another is made. */
async function* placeFaults({ id, productId, endedAt, endsAt }: DiscountRecord, read: Read) {
  const item = await read.get(liveDiscountsKey(productId));
  const hasPlace = item !== undefined && id in LiveDiscounts.parse(item).live;
  const isOver = endsAt !== undefined && endsAt <= new Date().toISOString();
  if (endedAt === undefined && !isOver && !hasPlace) yield 'is not ended, and takes no place';
  if (endedAt !== undefined && hasPlace) yield 'was ended, and takes a place still';
}

async function* counterFaults({ id, maxRedemptions, taken, redeemed }: DiscountRecord, read: Read) {
  const pointers = (await read.query(ordersOfDiscount(id))).map((item) => OrderPointer.parse(item));
  const items = await Promise.all(pointers.map((order) => read.get(redemptionKey(order.id))));
  const states = items.flatMap((item) => (item ? [Redemption.parse(item).state] : []));
  const countOf = (state: RedemptionState) => states.filter((one) => one === state).length;
  const [paid, held] = [countOf('redeemed'), countOf('reserved')];
  if (redeemed !== paid) yield `counts ${redeemed} redeemed orders, and has ${paid}`;
  if (maxRedemptions !== undefined && taken !== paid + held) yield `counts ${taken} redemptions of its limit, and has ${paid + held}`;
}
