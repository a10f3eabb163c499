import * as z from 'zod/mini';
import {
  discountIdKey,
  discountKey,
  liveDiscountsKey,
  orderKey,
  orderOfDiscountKey,
  redemptionKey,
  upgradeKey,
} from '../../../../shared/db/keys.ts';
import { DiscountPointer, DiscountRecord, LiveDiscounts, Redemption } from '../../../../shared/discounts/discount.ts';
import { idOf } from '../../../../shared/ids.ts';
import { createRule, idIn, noId } from './rule.ts';

const OrderPointer = z.object({ id: idOf('order') });
const UpgradePointer = z.object({ productId: idOf('product') });
const anyProduct = noId('product');

export const discountRules = {
  discountKey: createRule({
    sample: discountKey(anyProduct, ''),
    schema: DiscountRecord,
    id: ({ id }) => id,
    key: ({ productId, code }) => discountKey(productId, code),
  }),
  discountIdKey: createRule({
    sample: discountIdKey(anyProduct, noId('discount')),
    schema: DiscountPointer,
    id: ({ id }) => id,
    key: ({ id }, { owner }) => discountIdKey(idIn('product', owner), id),
  }),
  liveDiscountsKey: createRule({
    sample: liveDiscountsKey(anyProduct),
    schema: LiveDiscounts,
    id: (_, { owner }) => owner,
    key: (_, { owner }) => liveDiscountsKey(idIn('product', owner)),
  }),
  orderOfDiscountKey: createRule({
    sample: orderOfDiscountKey(noId('discount'), noId('order')),
    schema: OrderPointer,
    id: ({ id }) => id,
    key: ({ id }, { owner }) => orderOfDiscountKey(idIn('discount', owner), id),
    async *faults({ id }, read, { owner }) {
      if (!(await read.get(orderKey(id)))) yield `is in the list of ${owner}, and is not there`;
    },
  }),
  redemptionKey: createRule({
    sample: redemptionKey(noId('order')),
    schema: Redemption,
    id: ({ orderId }) => orderId,
    key: ({ orderId }) => redemptionKey(orderId),
  }),
  upgradeKey: createRule({
    sample: upgradeKey(anyProduct, anyProduct),
    schema: UpgradePointer,
    id: ({ productId }) => productId,
    key: ({ productId }, { owner }) => upgradeKey(idIn('product', owner), productId),
  }),
} as const;
