import type { DiscountRecord } from '../../../../shared/discounts/discount.ts';
import { newId } from '../../../../shared/ids.ts';

/** A discount of 20 percent without a limit, as the table holds it. */
export function sampleDiscount(fields: Partial<DiscountRecord> = {}): DiscountRecord {
  const id = fields.id ?? newId('discount');
  return {
    id,
    productId: newId('product'),
    sellerId: newId('seller'),
    code: `OFF-${id.slice('dis_'.length)}`,
    ...(fields.amountOff === undefined && { percentOff: 20 }),
    currency: 'JPY',
    startsAt: '2026-01-31T09:00:00.000Z',
    redeemed: 0,
    taken: 0,
    createdAt: '2026-01-31T09:00:00.000Z',
    ...fields,
  };
}
