import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type CheckoutService, TermsChangedError } from '../../shared/orders/checkout-service.ts';
import type { FindOffer } from './find-offer.ts';
import { pageQuery, readerFor, seeOther } from './page-endpoint.ts';
import { hrefFor, type ReaderOf } from './reader.ts';
import { checkoutPath } from './views/product-view.ts';

interface Services {
  findOffer: FindOffer;
  checkout: Pick<CheckoutService, 'startCheckout'>;
  newRequestKey: () => string;
  readerOf: ReaderOf;
}

export const startCheckout = endpoint({
  operationId: 'startCheckout',
  method: 'POST',
  path: '/p/{slug}/checkout',
  tag: 'Pages',
  summary: 'Sends a confirmed order on to the hosted checkout',
  description:
    'A plain form, so that buying needs no JavaScript. Its `request_key` makes sending it twice one order; an order for terms that have changed since is shown again.',
  audience: 'anyone',
  rateLimit: 'checkout',
  query: z.object(pageQuery),
  success: { status: 303, description: 'To the hosted checkout, or back to the confirmation when the product changed.' },
  errors: ['product_not_found', 'checkout_not_available', 'price_not_chargeable'],
  async handle(input, services: Services, raw) {
    const { findOffer, checkout, newRequestKey, readerOf } = services;
    const slug = input.params.slug;
    const reader = readerFor(input, readerOf);
    const form = new URLSearchParams(raw.body.toString('utf8'));
    const offer = await findOffer(slug);
    if (!offer) throw new AppError('product_not_found');
    const showAgain = () => seeOther(hrefFor(reader, `${checkoutPath(slug)}?changed=yes`));
    const { termsRevision } = offer;
    if (form.get('revision') !== String(termsRevision)) return showAgain();
    const given = form.get('request_key') ?? '';
    const requestKey = /^[\x21-\x7e]{16,255}$/.test(given) ? given : newRequestKey();
    // The same form in another language opens a checkout in that language.
    const idempotencyKey = `${reader.locale}:${requestKey}`;
    try {
      const { checkoutUrl } = await checkout.startCheckout({ slug, locale: reader.locale, idempotencyKey, termsRevision });
      return seeOther(checkoutUrl);
    } catch (error) {
      // An edit went live since the product was read above.
      if (error instanceof TermsChangedError) return showAgain();
      throw error;
    }
  },
});
