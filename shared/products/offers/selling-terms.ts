import * as z from 'zod/mini';
import { idOf } from '../../ids.ts';

/** The most that one order takes, and the most that any order costs in the minor unit of its currency. */
export const maxOrderQuantity = 100;
export const maxOrderAmount = 99_999_999;

/** What more seats, each, and more updates cost for a license that was sold, in the minor unit; what has no price is not sold. */
export const AdditionPrices = z.object({ seat: z.optional(z.int()), updates: z.optional(z.int()) });
export type AdditionPrices = z.infer<typeof AdditionPrices>;

/** A product whose licenses are upgraded to this one, and for how much. */
export const UpgradeOffer = z.object({ productId: idOf('product'), priceAmount: z.int() });
export type UpgradeOffer = z.infer<typeof UpgradeOffer>;

const price = (least: number) => z.int().check(z.minimum(least), z.maximum(maxOrderAmount));

/** What a seller may ask for more of a license, and for an upgrade, which may be free. */
export const additionPrice = price(1);
export const upgradePrice = price(0);
