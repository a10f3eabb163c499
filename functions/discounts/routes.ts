import { createDiscountRoute } from './create-discount.ts';
import { endDiscountRoute } from './end-discount.ts';
import { listDiscountsRoute } from './list-discounts.ts';

export const routes = [createDiscountRoute, listDiscountsRoute, endDiscountRoute];
