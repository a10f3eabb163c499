import * as z from 'zod/mini';
import { type AdditionNeeds, startAddition } from '../../shared/additions/addition-service.ts';
import { authorizeToken, credentialErrors, TokenCredential } from '../../shared/buyer-access/authorize-purchase.ts';
import { CheckoutResponse, checkoutLocale, withLocale } from '../../shared/checkout/checkout-session.ts';
import type { Needs } from '../../shared/context.ts';
import { fault } from '../../shared/faults/fault.ts';
import * as rules from '../../shared/faults/rules.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { maxOrderQuantity } from '../../shared/products/offers/selling-terms.ts';

export const CreateAdditionRequest = z
  .extend(TokenCredential, {
    kind: z.enum(['seats', 'updates']),
    locale: z.optional(checkoutLocale),
    quantity: z._default(z.int().check(z.minimum(1), z.maximum(maxOrderQuantity)), 1),
  })
  .check(
    z.refine(({ kind, quantity }) => kind === 'seats' || quantity === 1, {
      path: ['quantity'],
      message: fault(rules.severalUpdates),
    }),
  );

/** A refused token is reported before any invalid field. @throws AppError as `AuthorizeToken` */
export async function checkTokenFirst(sent: unknown, c: Needs<'table' | 'now' | 'TOKEN_KEYS'>): Promise<void> {
  const credential = z.safeParse(TokenCredential, sent);
  if (credential.success) await authorizeToken(c, credential.data.token);
}

export const createAdditionRoute = endpoint({
  operationId: 'createAddition',
  method: 'POST',
  path: '/v1/purchases/additions',
  tag: 'Purchases',
  summary: 'Opens a hosted checkout for more seats, or more updates, of a purchased license',
  description:
    'At the price that the product asks now, for whoever holds a completion token. The same again gives the same checkout while it can be paid and the price has not changed. Once it is paid the license has more; its key stays.',
  audience: 'anyone',
  rateLimit: ['checkout', 'complete'],
  body: CreateAdditionRequest,
  beforeFields: checkTokenFirst,
  success: { status: 201, body: CheckoutResponse },
  sensitive: true,
  errors: [...credentialErrors, 'license_not_usable', 'addition_not_offered', 'checkout_not_available', 'price_not_chargeable'],
  handle: async ({ body: { token, kind, quantity, locale } }, c: AdditionNeeds) => {
    const { order } = await authorizeToken(c, token);
    return startAddition(c, withLocale(order, locale), { kind, quantity });
  },
});
