import { createDiscount } from './create-discount.ts';
import { endDiscount } from './end-discount.ts';
import { listDiscounts } from './list-discounts.ts';

export const routes = [createDiscount, listDiscounts, endDiscount];
