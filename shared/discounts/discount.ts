import * as z from 'zod/mini';
import { amountStepOf } from '../currencies.ts';
import { redemptionStates } from '../entitlements/redemption.ts';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';
import { standingOf } from './standing.ts';

/** A discount as its seller sees it. Exactly one of `percentOff` and `amountOff` is there. */
export const Discount = z.object({
  id: idOf('discount'),
  /** In upper case. */
  code: z.string(),
  percentOff: z.optional(z.int()),
  /** Of one unit, in the minor unit of `currency`. */
  amountOff: z.optional(z.int()),
  /** As the product spelled it when the discount was made. */
  currency: z.string(),
  maxRedemptions: z.optional(z.int()),
  startsAt: dateTime,
  endsAt: z.optional(dateTime),
  description: z.optional(z.string()),
  /** How many orders with it were ever paid. */
  redeemed: z.int(),
  /** How many pending orders hold one of `maxRedemptions`. */
  reserved: z.int(),
  /** When its seller ended it. */
  endedAt: z.optional(dateTime),
  createdAt: dateTime,
});
export type Discount = z.infer<typeof Discount>;

/** The same in the table. */
export const DiscountRecord = z.extend(z.omit(Discount, { reserved: true }), {
  productId: idOf('product'),
  sellerId: idOf('seller'),
  /** Where there is a limit: how many redemptions are reserved or redeemed, since a condition cannot add. */
  taken: z.int(),
});
export type DiscountRecord = z.infer<typeof DiscountRecord>;

/** How many pending orders hold one of its limit. */
const reservedCount = ({ maxRedemptions, taken, redeemed }: DiscountRecord) => (maxRedemptions === undefined ? 0 : taken - redeemed);

export const toDiscount = (record: DiscountRecord): Discount => Discount.parse({ ...record, reserved: reservedCount(record) });

/** Whether an order may be made with it now. */
export const isDiscountValid = (discount: DiscountRecord, { currency }: { currency: string }, at: string): boolean =>
  standingOf(discount, currency, at) === 'holds';

/** The discounted unit price, in the minor unit; the deduction is rounded down to an amount chargeable in the currency. */
export function discountedPrice({ priceAmount, currency }: { priceAmount: number; currency: string }, discount: DiscountRecord): number {
  const { percentOff, amountOff = 0 } = discount;
  const step = amountStepOf(currency);
  const off = percentOff === undefined ? amountOff : Math.floor((priceAmount * percentOff) / 100);
  return Math.max(0, priceAmount - Math.floor(off / step) * step);
}

/** From a discount's id to its code. */
export const DiscountPointer = z.object({ id: idOf('discount'), code: z.string() });

/** Those discounts of a product that its seller did not end, with when they end by themselves, by id; those without an end have none. */
export const LiveDiscounts = z.object({ live: z.record(z.string(), z.union([dateTime, z.literal('')])) });
export type LiveDiscounts = z.infer<typeof LiveDiscounts>;

/** Whether one of them is not ended, whatever else keeps it from holding now. A product that never had a discount has no item. */
export const hasLiveDiscount = (item: unknown, at: string): boolean =>
  item !== undefined && Object.values(LiveDiscounts.parse(item).live).some((endsAt) => endsAt === '' || endsAt > at);

/** The redemption that an order with a discount holds or held. */
export const Redemption = z.object({
  orderId: idOf('order'),
  discountId: idOf('discount'),
  productId: idOf('product'),
  code: z.string(),
  /** Whether it was taken of a limit. */
  isLimited: z.boolean(),
  state: z.enum(redemptionStates),
  /** Unless the order was paid. */
  ttl: z.optional(z.int()),
});
export type Redemption = z.infer<typeof Redemption>;
