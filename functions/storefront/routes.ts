import { createCheckout } from './create-checkout.ts';
import { getPublicProduct } from './get-public-product.ts';
import { listPublicReleases } from './list-public-releases.ts';
import { quotePrice } from './quote-price.ts';

export const routes = [getPublicProduct, listPublicReleases, quotePrice, createCheckout];
