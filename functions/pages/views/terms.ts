import { type Html, html, type Part } from '../../../shared/html.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Offer } from '../offer.ts';
import type { Reader } from '../reader.ts';
import { facts, mailLink, prose } from './parts.ts';

export function priceOf({ product }: Offer, { locale, say }: Reader): string {
  return product.priceAmount === 0 ? say.product.free : formatMoney(product.priceAmount, product.currency, locale);
}

function priceWithTax(offer: Offer, reader: Reader): string {
  const { priceAmount, currency } = offer.product;
  const price = priceOf(offer, reader);
  return priceAmount === 0 ? price : reader.say.terms.priceIncludes(price, currency.toUpperCase());
}

function paymentAndDelivery(offer: Offer, { say }: Reader): readonly (readonly [string, Part])[] {
  const { terms } = say;
  const free = offer.product.priceAmount === 0;
  return [
    [terms.payment, free ? terms.nothingToPay : terms.byCard],
    [terms.delivery, free ? terms.deliveryFree : terms.deliveryText],
  ];
}

/**
 * What the law wants on the page of an online seller in Japan. What the seller left out
 * is given on request; return terms and operating environment are shown in full further up.
 */
export function disclosure(offer: Offer, reader: Reader): Html {
  const { product, sellerName } = offer;
  const { terms } = reader.say;
  const support = product.supportEmail ?? '';
  const given = (text: string | undefined, otherwise: Part): Part => (text?.trim() ? prose(text) : otherwise);
  return facts([
    [terms.seller, product.tokushohoSellerName?.trim() || html`<p>${sellerName}</p><p>${terms.legalNameOnRequest}</p>`],
    [terms.address, given(product.tokushohoAddress, terms.onRequest(support))],
    [terms.contact, html`${given(product.tokushohoContact, html`<p>${terms.phoneOnRequest}</p>`)}<p>${mailLink(support)}</p>`],
    [terms.price, priceWithTax(offer, reader)],
    [terms.otherCharges, terms.noOtherCharges],
    ...paymentAndDelivery(offer, reader),
    [terms.refunds, html`<p>${terms.leaveAnyTime}</p><p><a href="#refunds">${terms.seeRefunds}</a></p>`],
    [terms.environment, html`<a href="#environment">${terms.seeEnvironment}</a>`],
  ]);
}

/** The final confirmation: quantity, price, payment, delivery and cancellation, once more. */
export function orderSummary(offer: Offer, reader: Reader): Html {
  const { product, sellerName } = offer;
  const { terms, checkout } = reader.say;
  return facts([
    [checkout.product, html`<strong dir="auto">${product.name}</strong>`],
    [terms.seller, product.tokushohoSellerName?.trim() || sellerName],
    [terms.quantity, terms.oneLicense(product.activationLimit ?? 1)],
    [terms.total, html`<strong>${priceWithTax(offer, reader)}</strong>`],
    [terms.otherCharges, terms.noOtherCharges],
    ...paymentAndDelivery(offer, reader),
    [terms.refunds, html`<p>${terms.leaveAnyTime}</p>${prose(product.refundPolicy ?? '')}`],
    [terms.environment, prose(product.softwareOperatingEnvironment ?? '')],
  ]);
}
