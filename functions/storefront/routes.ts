import { createCheckoutRoute } from './create-checkout.ts';
import { getPublicProductRoute } from './get-public-product.ts';
import { listPublicReleasesRoute } from './list-public-releases.ts';
import { quotePriceRoute } from './quote-price.ts';

export const routes = [getPublicProductRoute, listPublicReleasesRoute, quotePriceRoute, createCheckoutRoute];
