import type { Discount } from '../../../../../build/client.ts';
import { type Standing, standingOf as standingOfTerms } from '../../../../../shared/discounts/standing.ts';
import { fault } from '../../../../../shared/faults/fault.ts';
import * as rules from '../../../../../shared/faults/rules.ts';
import type { Fault } from '../../forms/faults.ts';
import { readPrice } from '../../forms/price.ts';
import { wholeNumber } from '../../forms/values.ts';
import { momentOf } from '../../text/days.ts';

/** What the form of a new discount begins with. */
export const noDiscount = {
  code: '',
  percent_off: '',
  amount_off: '',
  max_redemptions: '',
  /** In the reader's zone; without one from now on, and for ever. */
  starts_at: '',
  ends_at: '',
  description: '',
};
type DiscountValues = typeof noDiscount;

/** What is sent of it: what was filled in. `currency` is that of the product. */
export function discountBody(values: DiscountValues, currency: string) {
  const { code, percent_off: percent, amount_off: amount, max_redemptions: most, starts_at: start, ends_at: end, description } = values;
  const price = readPrice(amount, currency);
  return {
    code: code.trim(),
    ...(percent.trim() && { percent_off: wholeNumber(percent) }),
    ...(amount.trim() && { amount_off: 'amount' in price ? price.amount : Number.NaN }),
    ...(most.trim() && { max_redemptions: wholeNumber(most) }),
    ...(start && { starts_at: momentOf(start) ?? start }),
    ...(end && { ends_at: momentOf(end) ?? end }),
    ...(description.trim() && { description }),
  };
}

/** What no schema of a body tells: exactly one of two ways to take something off, and amounts as people write them. */
export function discountFaults({ percent_off: percent, amount_off: amount }: DiscountValues, currency: string): Fault[] {
  if (amount.trim() === '') return percent.trim() ? [] : [{ field: 'amount_off', text: fault(rules.noReduction) }];
  if (percent.trim()) return [{ field: 'amount_off', text: fault(rules.twoReductions) }];
  const price = readPrice(amount, currency);
  return 'fault' in price ? [{ field: 'amount_off', text: price.fault }] : [];
}

/** What is looked at of a discount. */
type Offered = Pick<Discount, 'starts_at' | 'ends_at' | 'ended_at' | 'max_redemptions' | 'redeemed' | 'reserved' | 'currency'>;

/** Whether orders can be made with it now, and else why not; `currency` is that of the product now. */
export const discountState = (discount: Offered, currency: string, now: Date): Standing =>
  standingOfTerms(
    {
      currency: discount.currency,
      startsAt: discount.starts_at,
      endsAt: discount.ends_at,
      endedAt: discount.ended_at,
      maxRedemptions: discount.max_redemptions,
      taken: discount.redeemed + discount.reserved,
    },
    currency,
    now.toISOString(),
  );
