import { type Html, html, type Part } from '../../../shared/html.ts';
import { hasUpdatesEnd } from '../../../shared/products/update-terms.ts';
import { codeBeside, formatMoney } from '../../../shared/text/money.ts';
import type { Offer, ProductPage } from '../offer.ts';
import type { Reader } from '../reader.ts';
import { facts, mailLink, prose, sellerText } from './parts.ts';
import { writtenBySeller } from './seller-texts.ts';

export function priceOf({ product }: Offer, { locale, say }: Reader): string {
  return product.priceAmount === 0 ? say.product.free : formatMoney(product.priceAmount, product.currency, locale);
}

function priceWithTax(offer: Offer, reader: Reader): string {
  const { priceAmount, currency } = offer.product;
  const price = priceOf(offer, reader);
  return priceAmount === 0 ? price : reader.say.terms.priceIncludes(price, codeBeside(price, currency));
}

function paymentAndDelivery(offer: Offer, { say }: Reader): readonly (readonly [string, Part])[] {
  const { terms } = say;
  const free = offer.product.priceAmount === 0;
  return [
    [terms.payment, free ? terms.nothingToPay : terms.byCard],
    [terms.delivery, free ? terms.deliveryFree : terms.deliveryText],
  ];
}

/** For how long updates come. */
export const updatesInWords = ({ product: { updatesDays } }: Offer, { say }: Reader): string =>
  hasUpdatesEnd(updatesDays) ? say.product.updates(updatesDays) : say.product.endlessUpdates;

const leaveAnyTime = ({ product }: Offer, { say }: Reader) =>
  product.priceAmount === 0 ? say.terms.leaveAnyTimeFree : say.terms.leaveAnyTime;

/**
 * What the law wants on the page of an online seller in Japan. What the seller left out
 * is given on request; return terms and operating environment are shown in full further up.
 */
export function disclosure(offer: Offer, reader: Reader): Html {
  const { product, sellerName } = offer;
  const { terms } = reader.say;
  const support = product.supportEmail;
  const others = writtenBySeller(offer);
  const given = (text: string | undefined, otherwise: Part): Part => (text?.trim() ? prose(text, others) : otherwise);
  return facts([
    [terms.seller, given(product.tokushohoSellerName, html`<p>${sellerText(sellerName, others)}</p><p>${terms.legalNameOnRequest}</p>`)],
    [terms.address, given(product.tokushohoAddress, terms.onRequest(support))],
    [terms.contact, html`${given(product.tokushohoContact, html`<p>${terms.phoneOnRequest}</p>`)}<p>${mailLink(support)}</p>`],
    [terms.price, priceWithTax(offer, reader)],
    [terms.otherCharges, terms.noOtherCharges],
    ...paymentAndDelivery(offer, reader),
    [terms.refunds, html`<p>${leaveAnyTime(offer, reader)}</p><p><a href="#refunds">${terms.seeRefunds}</a></p>`],
    [terms.updates, updatesInWords(offer, reader)],
    [terms.environment, html`<a href="#environment">${terms.seeEnvironment}</a>`],
  ]);
}

/** What is ordered, and for how much. */
export function orderSummary(offer: ProductPage, reader: Reader): Html {
  const { product, pictures } = offer;
  const { terms, checkout } = reader.say;
  const [picture] = pictures;
  return facts([
    [
      checkout.product,
      html`${picture && html`<img class="thumbnail" src="${picture.path}" width="${picture.width}" height="${picture.height}" alt="">`}<strong>${sellerText(product.name, writtenBySeller(offer))}</strong>`,
    ],
    [terms.quantity, terms.oneLicense(product.activationLimit ?? 1)],
    [terms.total, html`<strong>${priceWithTax(offer, reader)}</strong>`],
  ]);
}

/** The rest of the final confirmation: seller, payment, delivery and cancellation, once more. */
export function orderTerms(offer: Offer, reader: Reader): Html {
  const { product, sellerName } = offer;
  const { terms } = reader.say;
  const others = writtenBySeller(offer);
  return facts([
    [terms.seller, prose(product.tokushohoSellerName?.trim() || sellerName, others)],
    [terms.otherCharges, terms.noOtherCharges],
    ...paymentAndDelivery(offer, reader),
    [terms.refunds, html`<p>${leaveAnyTime(offer, reader)}</p>${prose(product.refundPolicy, others)}`],
    [terms.updates, updatesInWords(offer, reader)],
    [terms.environment, prose(product.softwareOperatingEnvironment, others)],
  ]);
}
