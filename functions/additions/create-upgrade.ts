import * as z from 'zod/mini';
import { type AdditionNeeds, startUpgrade } from '../../shared/additions/addition-service.ts';
import { authorizeToken, credentialErrors, TokenCredential } from '../../shared/buyer-access/authorize-purchase.ts';
import { CheckoutResponse, checkoutLocale, withLocale } from '../../shared/checkout/checkout-session.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { checkTokenFirst } from './create-addition.ts';

export const CreateUpgradeRequest = z.extend(TokenCredential, {
  productId: z.string().check(z.maxLength(100)).brand('product'),
  locale: z.optional(checkoutLocale),
});

export const createUpgradeRoute = endpoint({
  operationId: 'createUpgrade',
  method: 'POST',
  path: '/v1/purchases/upgrades',
  tag: 'Purchases',
  summary: 'Opens a hosted checkout for a license of another product, at the price for owners of the purchased one',
  description:
    'At the price that the other product asks of them now, for the quantity that was purchased; once for each license and product, unless that order is refunded in full. While a checkout of it can be paid it is given again. What is bought is a license of its own, under the terms of its product: added seats and a changed limit of the purchased one are not carried over.',
  audience: 'anyone',
  rateLimit: ['checkout', 'complete'],
  body: CreateUpgradeRequest,
  beforeFields: checkTokenFirst,
  success: { status: 201, body: CheckoutResponse },
  sensitive: true,
  errors: [
    ...credentialErrors,
    'license_not_usable',
    'upgrade_not_offered',
    'already_upgraded',
    'checkout_not_available',
    'price_not_chargeable',
  ],
  handle: async ({ body: { token, productId, locale } }, c: AdditionNeeds) => {
    const { order } = await authorizeToken(c, token);
    return startUpgrade(c, withLocale(order, locale), productId);
  },
});
