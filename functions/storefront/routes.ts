import { createCheckout } from './create-checkout.ts';
import { getPublicProduct } from './get-public-product.ts';

export const routes = [getPublicProduct, createCheckout];
