import { createCheckout } from './create-checkout.ts';
import { getPublicProduct } from './get-public-product.ts';
import { listPublicReleases } from './list-public-releases.ts';

export const routes = [getPublicProduct, listPublicReleases, createCheckout];
