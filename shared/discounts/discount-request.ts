import * as z from 'zod/mini';
import { amountStepOf } from '../currencies.ts';
import { fault } from '../faults/fault.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import type { DiscountId } from '../ids.ts';
import { maxOrderAmount } from '../products/offers/selling-terms.ts';
import type { ProductRecord } from '../products/product.ts';
import { crossFieldRule, line, requestTime } from '../schemas.ts';
import type { DiscountRecord } from './discount.ts';
import { parseDiscountCode } from './discount-code.ts';

const code = z
  .string()
  .check(
    z.refine((text) => parseDiscountCode(text) !== undefined, { error: fault(rules.notDiscountCode), abort: true }),
    z.overwrite((text) => parseDiscountCode(text) ?? text),
  )
  .register(z.globalRegistry, { minLength: 3, maxLength: 32, pattern: '^[A-Za-z0-9-]{3,32}$' });

/** What a seller sends. */
export const CreateDiscountRequest = z
  .object({
    code,
    percentOff: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
    amountOff: z.optional(z.int().check(z.minimum(1), z.maximum(maxOrderAmount))),
    maxRedemptions: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
    startsAt: z.optional(requestTime({ offset: true })),
    endsAt: z.optional(requestTime({ offset: true })),
    description: z.optional(line(200)),
  })
  .check(
    crossFieldRule<{ percentOff?: number | undefined; amountOff?: number | undefined }>(
      ['percentOff', 'amountOff'],
      ({ percentOff, amountOff }) => {
        if (percentOff === undefined && amountOff === undefined) return fault(rules.noReduction);
        return percentOff !== undefined && amountOff !== undefined ? fault(rules.twoReductions) : undefined;
      },
    ),
    crossFieldRule<{ startsAt?: string | undefined; endsAt?: string | undefined }>(['startsAt', 'endsAt'], ({ startsAt, endsAt }) =>
      startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt ? fault(rules.notAfterStart) : undefined,
    ),
  );
export type CreateDiscountRequest = z.infer<typeof CreateDiscountRequest>;

/** @throws AppError invalid_request when the discount would end before it is created */
export function checkDiscountTimes({ endsAt }: CreateDiscountRequest, at: string): void {
  if (endsAt !== undefined && endsAt <= at) throw invalidField('ends_at', rules.notInFuture);
}

/** @throws AppError invalid_request when this cannot be taken off the price as it is now */
function checkAmount({ amountOff }: CreateDiscountRequest, { priceAmount, currency }: ProductRecord): void {
  if (amountOff === undefined) return;
  const step = amountStepOf(currency);
  if (amountOff > priceAmount) throw invalidField('amount_off', rules.overPrice, { price: priceAmount });
  if (amountOff % step !== 0) throw invalidField('amount_off', rules.notChargeable, { step });
}

/** A discount of the product at its present price. @throws AppError invalid_request when its amount does not fit that */
export function newDiscount(
  request: CreateDiscountRequest,
  product: ProductRecord,
  created: { id: DiscountId; at: string },
): DiscountRecord {
  checkAmount(request, product);
  const { id, at } = created;
  const { id: productId, sellerId, currency } = product;
  const { startsAt = at } = request;
  return { ...request, startsAt, id, productId, sellerId, currency, redeemed: 0, taken: 0, createdAt: at };
}
