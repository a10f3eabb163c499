import * as z from 'zod/mini';
import { Quote } from '../../shared/checkout/checkout-price.ts';
import { quoteCheckout } from '../../shared/checkout/checkout-service.ts';
import type { Needs } from '../../shared/context.ts';
import { readEnteredCode } from '../../shared/discounts/discount-code.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderedFields } from './create-checkout.ts';

export const QuoteRequest = z.object(orderedFields);

export const quotePriceRoute = endpoint({
  operationId: 'quotePrice',
  method: 'POST',
  path: '/v1/public/products/{slug}/quote',
  tag: 'Storefront',
  summary: 'Says what a checkout would cost now',
  description:
    'Refused as the checkout would be, but for what the payment provider alone refuses. It holds nothing: neither price nor code.',
  audience: 'anyone',
  rateLimit: 'quote',
  bodyKind: 'optional-json',
  body: QuoteRequest,
  success: { status: 200, body: Quote },
  sensitive: true,
  errors: ['product_not_found', 'checkout_not_available', 'discount_not_valid', 'price_not_chargeable'],
  handle: ({ body, params: { slug } }, c: Needs<'table' | 'now' | 'slugs'>) =>
    quoteCheckout(c, { ...body, discountCode: readEnteredCode(body.discountCode), slug }),
});
