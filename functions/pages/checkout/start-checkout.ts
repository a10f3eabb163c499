import * as z from 'zod/mini';
import { type CheckoutNeeds, startCheckout, TermsChangedError } from '../../../shared/checkout/checkout-service.ts';
import { AppError, hasCode } from '../../../shared/errors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { findOffer } from '../find-offer.ts';
import { pageQuery, readerFor, seeOther } from '../page-endpoint.ts';
import { hrefFor, type ReaderOf } from '../reader.ts';
import { checkoutPath } from '../views/terms.ts';
import { type Choice, chosenCode, urlWithChoice } from './choice.ts';

export const startCheckoutRoute = endpoint({
  operationId: 'startCheckout',
  method: 'POST',
  path: '/p/{slug}/checkout',
  tag: 'Pages',
  summary: 'Sends a confirmed order on to the hosted checkout',
  description:
    'A plain form, so that buying needs no JavaScript. Its `request_key` makes sending it twice one order; an order for terms or a total that have changed since is shown again, and so is one with a code that no longer holds. Without `quantity` and `code` it is for one at the full price.',
  audience: 'anyone',
  rateLimit: 'checkout',
  query: z.object(pageQuery),
  success: { status: 303, description: 'To the hosted checkout, or back to the confirmation when that shows something else by now.' },
  errors: ['product_not_found', 'checkout_not_available', 'price_not_chargeable'],
  async handle(input, c: CheckoutNeeds & { readerOf: ReaderOf; newRequestKey: () => string }, raw) {
    const slug = input.params.slug;
    const reader = readerFor(input, c.readerOf);
    const form = new URLSearchParams(raw.body.toString('utf8'));
    const entered: Choice = { quantity: form.get('quantity') ?? undefined, code: form.get('code') ?? undefined };
    const offer = await findOffer(c, slug, entered);
    if (!offer) throw new AppError('product_not_found');
    const showAgain = (more: Record<string, string>) => seeOther(hrefFor(reader, urlWithChoice(checkoutPath(slug), entered, more)));
    const { termsRevision, chosen } = offer;
    const { quantity, total } = chosen.price;
    const isFaulty = chosen.faults.some((fault) => fault !== 'code');
    // A code that was used up since may be that of the order which this form made before: the checkout tells.
    const isOther = chosen.faults.length === 0 && (form.get('total') ?? String(total)) !== String(total);
    if (form.get('revision') !== String(termsRevision) || isOther) return showAgain({ changed: 'yes' });
    if (isFaulty) return showAgain({});
    const discountCode = chosenCode(entered);
    const formKey = form.get('request_key') ?? '';
    const requestKey = /^[\x21-\x7e]{16,255}$/.test(formKey) ? formKey : c.newRequestKey();
    // The same form in another language opens a checkout in that language; with another choice in it, it is another order.
    const choice = quantity === 1 && discountCode === undefined ? '' : `:${quantity}:${discountCode?.text ?? ''}`;
    const idempotencyKey = `${reader.locale}:${requestKey}${choice}`;
    try {
      const intent = { slug, locale: reader.locale, idempotencyKey, termsRevision, quantity, discountCode };
      const { checkoutUrl } = await startCheckout(c, intent);
      return seeOther(checkoutUrl);
    } catch (error) {
      // An edit went live since the product was read above.
      if (error instanceof TermsChangedError) return showAgain({ changed: 'yes' });
      if (hasCode(error, 'discount_not_valid')) return showAgain({});
      throw error;
    }
  },
});
