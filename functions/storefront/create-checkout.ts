import * as z from 'zod/mini';
import { email } from '../../shared/addresses.ts';
import { type CheckoutNeeds, startCheckout } from '../../shared/checkout/checkout-service.ts';
import { CheckoutResponse, checkoutLocale } from '../../shared/checkout/checkout-session.ts';
import { readEnteredCode } from '../../shared/discounts/discount-code.ts';
import { invalidField } from '../../shared/faults/invalid-request.ts';
import * as rules from '../../shared/faults/rules.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { maxOrderQuantity } from '../../shared/products/offers/selling-terms.ts';

/** What is bought, but for the product. */
export const orderedFields = {
  quantity: z.optional(z.int().check(z.minimum(1), z.maximum(maxOrderQuantity))),
  /** Any text that a body can hold, since one that is no code is refused as a code that does not hold. */
  discountCode: z.optional(z.string().check(z.maxLength(256 * 1024))),
};

export const CreateCheckoutRequest = z.object({
  ...orderedFields,
  buyerEmail: z.optional(email),
  locale: z.optional(checkoutLocale),
});

export const createCheckoutRoute = endpoint({
  operationId: 'createCheckout',
  method: 'POST',
  path: '/v1/public/products/{slug}/checkout',
  tag: 'Storefront',
  summary: 'Opens a hosted checkout for a product',
  description:
    'With an `Idempotency-Key` header (16–255 visible ASCII characters) the same request within 24 hours gives the same order and address while the order is pending, and a new order once it is paid, failed or expired. One order is for `quantity` licenses’ worth of seats, under one key. A version of the service from before `quantity` and `discount_code` ignores both, and its reply has no `quantity`: take that as one, at the full price.',
  audience: 'anyone',
  rateLimit: 'checkout',
  bodyKind: 'optional-json',
  body: CreateCheckoutRequest,
  success: { status: 201, body: CheckoutResponse },
  sensitive: true,
  errors: ['product_not_found', 'checkout_not_available', 'discount_not_valid', 'price_not_chargeable', 'idempotency_key_reused'],
  handle: ({ body, params, headers }, c: CheckoutNeeds) =>
    startCheckout(c, {
      ...body,
      discountCode: readEnteredCode(body.discountCode),
      slug: params.slug,
      idempotencyKey: idempotencyKeyOf(headers['idempotency-key']),
    }),
});

function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header !== undefined && !/^[\x21-\x7e]{16,255}$/.test(header)) {
    throw invalidField('Idempotency-Key', rules.notIdempotencyKey);
  }
  return header;
}
