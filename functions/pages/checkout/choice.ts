import * as z from 'zod/mini';
import { type Price, priceOf } from '../../../shared/checkout/checkout-price.ts';
import { findPriceOf } from '../../../shared/checkout/checkout-service.ts';
import type { Needs } from '../../../shared/context.ts';
import { type EnteredCode, readEnteredCode } from '../../../shared/discounts/discount-code.ts';
import { AppError, hasCode } from '../../../shared/errors.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';

/** How many a buyer wants, and with which discount code, as the address of a page or its form says it. */
export const choiceQuery = { quantity: z.optional(z.string()), code: z.optional(z.string()) };

/** The same as it was written. */
export interface Choice {
  quantity?: string | undefined;
  code?: string | undefined;
}

/** Why the offer differs from the request: one unit instead of the quantity, or the full price. `limited`: the code was not checked. */
export type ChoiceFault = 'quantity' | 'total' | 'code' | 'limited';

/** The choice with the price at which it is offered. */
export interface PricedChoice {
  price: Price;
  faults: ChoiceFault[];
  /** What was asked for, to be corrected or to be carried along. */
  choice: Choice;
}

/** What was written for a code, as input methods may have left it; undefined where that is nothing. */
export const chosenCode = ({ code }: Choice): EnteredCode | undefined => readEnteredCode(code?.normalize('NFKC'));

/**
 * Counts a page that is asked for with a discount code, together with quotes: the seconds to wait where a caller has tried too many;
 * else undefined.
 */
export async function countCode(c: Needs<'limitRate'>, choice: Choice, caller: string): Promise<number | undefined> {
  if (chosenCode(choice) === undefined) return undefined;
  try {
    await c.limitRate('quote', caller);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return error.retryAfterSeconds ?? 1;
    throw error;
  }
}

/** How many are asked for: one where nothing is said; undefined where one order cannot be for so many. */
export function parseQuantity(text: string | undefined, { maxQuantity }: Pick<ProductRecord, 'maxQuantity'>): number | undefined {
  const digits = (text ?? '').normalize('NFKC').trim();
  if (digits === '') return 1;
  const quantity = /^\d{1,3}$/.test(digits) ? Number(digits) : 0;
  return quantity >= 1 && quantity <= maxQuantity ? quantity : undefined;
}

/** Prices the choice, or the nearest one that is available; it never fails for an invalid choice. One request where a code is given. */
export async function choose(
  c: Needs<'table' | 'now'>,
  product: ProductRecord,
  choice: Choice,
  { isLimited = false } = {},
): Promise<PricedChoice> {
  const quantity = parseQuantity(choice.quantity, product);
  const code = chosenCode(choice);
  const limited = isLimited && code !== undefined;

  async function price(quantity: number, code: EnteredCode | undefined, faults: ChoiceFault[]): Promise<PricedChoice> {
    try {
      return { price: await findPriceOf(c, product, { quantity, discountCode: code }), faults, choice };
    } catch (error) {
      if (code !== undefined && hasCode(error, 'discount_not_valid')) return price(quantity, undefined, [...faults, 'code']);
      if (quantity > 1 && hasCode(error, 'price_not_chargeable')) return price(1, code, [...faults, 'total']);
      throw error;
    }
  }

  return price(quantity ?? 1, limited ? undefined : code, [
    ...(quantity === undefined ? (['quantity'] as const) : []),
    ...(limited ? (['limited'] as const) : []),
  ]);
}

/** One unit at the full price, without a choice. */
export const singleUnit = (product: ProductRecord): PricedChoice => ({ price: priceOf(product, 1), faults: [], choice: {} });

/** The entered quantity, cut to a length that still shows it is invalid. */
export const shortenedQuantity = ({ quantity = '' }: Choice): string => quantity.slice(0, 16);

/** A URL with the same choice; overlong values are cut to a length that is still invalid. */
export function urlWithChoice(path: string, choice: Choice, more: Record<string, string> = {}): string {
  const [quantity, code = ''] = [shortenedQuantity(choice), choice.code];
  const query = new URLSearchParams({
    ...(quantity && { quantity }),
    ...(code && { code: code.slice(0, 64) }),
    ...more,
  });
  return query.size > 0 ? `${path}?${query}` : path;
}
