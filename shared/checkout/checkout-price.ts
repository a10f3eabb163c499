/** Finds the discounts that codes stand for: one request where there is a code. */

import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import type { Table } from '../db/table.ts';
import { type DiscountRecord, discountedPrice, isDiscountValid } from '../discounts/discount.ts';
import type { EnteredCode } from '../discounts/discount-code.ts';
import { findDiscount } from '../discounts/discount-repository.ts';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import type { ProductRecord } from '../products/product.ts';
import { totalOf } from './new-order.ts';

/** What an order costs, in the minor unit of the product's currency. */
export interface Price {
  quantity: number;
  /** Of one, after the discount. */
  unitAmount: number;
  /** What the discount takes off the whole order; 0 without one. */
  discountAmount: number;
  total: number;
  /** The discount that holds, where a code was given. */
  discount?: DiscountRecord | undefined;
}

/** What a checkout would cost, as its buyer is told. */
export const Quote = z.object({
  currency: z.string(),
  unitAmount: z.int(),
  quantity: z.int(),
  discountAmount: z.int(),
  total: z.int(),
});
export type Quote = z.infer<typeof Quote>;

/** The requested quantity. @throws AppError invalid_request if it exceeds what one order may contain */
export function quantityOf({ maxQuantity }: Pick<ProductRecord, 'maxQuantity'>, requested = 1): number {
  if (requested >= 1 && requested <= maxQuantity) return requested;
  throw invalidField('quantity', rules.notWithin, { min: 1, max: maxQuantity });
}

/** The current price of this quantity. @throws AppError price_not_chargeable */
export function priceOf(product: ProductRecord, quantity: number, discount?: DiscountRecord): Price {
  const unitAmount = discount ? discountedPrice(product, discount) : product.priceAmount;
  const total = totalOf({ unitAmount, quantity });
  return { quantity, unitAmount, discountAmount: (product.priceAmount - unitAmount) * quantity, total, discount };
}

/** The discount that has the entered code, whether it holds or not. */
export async function findDiscountOf(
  table: Table,
  { id }: ProductRecord,
  entered: EnteredCode | undefined,
): Promise<DiscountRecord | undefined> {
  return entered?.code && findDiscount(table, id, entered.code);
}

/** The discount that was found, which holds now; undefined where no code was entered. @throws AppError discount_not_valid */
export function requireValidDiscount(
  c: Needs<'now'>,
  product: ProductRecord,
  entered: EnteredCode | undefined,
  found: DiscountRecord | undefined,
): DiscountRecord | undefined {
  if (entered === undefined) return undefined;
  if (found && isDiscountValid(found, product, c.now().toISOString())) return found;
  throw new AppError('discount_not_valid');
}
