import * as z from 'zod/mini';
import { idOf } from '../../ids.ts';

/** The most that one order takes, and the most that any order costs in the minor unit of its currency. */
export const mostQuantity = 100;
export const mostAmount = 99_999_999;

/** What more seats, each, and more updates cost for a license that was sold, in the minor unit; what has no price is not sold. */
export const AdditionPrices = z.object({ seat: z.optional(z.int()), updates: z.optional(z.int()) });
export type AdditionPrices = z.infer<typeof AdditionPrices>;

/** A product whose licenses are upgraded to this one, and for how much. */
export const UpgradeOffer = z.object({ productId: idOf('product'), priceAmount: z.int() });
export type UpgradeOffer = z.infer<typeof UpgradeOffer>;

const TaxPercent = z.literal([0, 8, 10]);

const terms = {
  /** How many one order may be for. */
  maxQuantity: z.int(),
  additionPrices: AdditionPrices,
  upgradesFrom: z.array(UpgradeOffer),
  /** The tax that is within every price of the product, in percent. */
  taxPercent: TaxPercent,
};

/** What an order of the product, and what is bought later for its licenses, may be. Products made before have the usual ones. */
export const usualSellingTerms: {
  maxQuantity: number;
  additionPrices: AdditionPrices;
  upgradesFrom: UpgradeOffer[];
  taxPercent: z.infer<typeof TaxPercent>;
} = { maxQuantity: 1, additionPrices: {}, upgradesFrom: [], taxPercent: 10 };

export const sellingTerms = {
  maxQuantity: z._default(terms.maxQuantity, usualSellingTerms.maxQuantity),
  additionPrices: z._default(terms.additionPrices, usualSellingTerms.additionPrices),
  upgradesFrom: z._default(terms.upgradesFrom, usualSellingTerms.upgradesFrom),
  taxPercent: z._default(terms.taxPercent, usualSellingTerms.taxPercent),
};

/** The same where only those that differ are told. */
export const changedSellingTerms = terms;

const price = (least: number) => z.int().check(z.minimum(least), z.maximum(mostAmount));

/** What a seller may send of each. */
export const sentSellingTerms = {
  maxQuantity: z.int().check(z.minimum(1), z.maximum(mostQuantity)),
  additionPrices: z.object({ seat: z.optional(price(1)), updates: z.optional(price(1)) }),
  upgradesFrom: z
    .array(z.object({ productId: z.string().check(z.maxLength(64)).brand('product'), priceAmount: price(0) }))
    .check(z.maxLength(10)),
  taxPercent: TaxPercent,
};
