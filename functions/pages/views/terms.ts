import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import { productPath } from '../../../shared/products/slug.ts';
import { hasUpdatesEnd } from '../../../shared/products/update-terms.ts';
import { currencyCodeBeside, formatMoney } from '../../../shared/text/money.ts';
import type { PricedOffer, ProductOffer, ProductPage } from '../find-offer.ts';
import type { Reader } from '../reader.ts';
import { facts, mailLink, sellerParagraphs, sellerText, sellerTexts } from './components.ts';

export const checkoutPath = (slug: string) => `${productPath(slug)}/checkout`;

/** An amount in the currency of the product, or that it is free. */
export function amountOf({ product: { currency } }: ProductOffer, amount: number, { locale, texts }: Reader): string {
  return amount === 0 ? texts.product.free : formatMoney(amount, currency, locale);
}

function withTax(offer: ProductOffer, amount: number, reader: Reader): string {
  const price = amountOf(offer, amount, reader);
  return amount === 0 ? price : reader.texts.terms.priceIncludes(price, currencyCodeBeside(price, offer.product.currency));
}

/** A price with the one that it takes the place of, which is read out as such. */
export const withFormerPrice = (price: HtmlValue, former: string, { texts }: Reader): Html =>
  html`${price} <span class="former"><span class="visually-hidden">${texts.choice.formerPrice} </span><s>${former}</s></span>`;

function paymentAndDelivery(free: boolean, { texts }: Reader): readonly (readonly [string, HtmlValue])[] {
  const { terms } = texts;
  return [
    [terms.payment, free ? terms.nothingToPay : terms.byCard],
    [terms.delivery, free ? terms.deliveryFree : terms.deliveryText],
  ];
}

/** For how long updates come. */
export const updatesInWords = ({ product: { updatesDays } }: ProductOffer, { texts }: Reader): string =>
  hasUpdatesEnd(updatesDays) ? texts.product.updates(updatesDays) : texts.product.endlessUpdates;

const leaveAnyTime = (free: boolean, { texts }: Reader) => (free ? texts.terms.leaveAnyTimeFree : texts.terms.leaveAnyTime);

/**
 * What the law wants on the page of an online seller in Japan. What the seller left out
 * is given on request; return terms and operating environment are shown in full further up.
 */
export function disclosure(offer: ProductOffer, reader: Reader): Html {
  const { product, sellerName, registrationNumber } = offer;
  const { terms, choice, product: texts } = reader.texts;
  const free = product.priceAmount === 0;
  const support = product.supportEmail;
  const others = sellerTexts(offer);
  const textOr = (text: string | undefined, otherwise: HtmlValue): HtmlValue => (text?.trim() ? sellerParagraphs(text, others) : otherwise);
  return facts([
    [terms.seller, textOr(product.tokushohoSellerName, html`<p>${sellerText(sellerName, others)}</p><p>${terms.legalNameOnRequest}</p>`)],
    [terms.address, textOr(product.tokushohoAddress, terms.onRequest(support))],
    [terms.contact, html`${textOr(product.tokushohoContact, html`<p>${terms.phoneOnRequest}</p>`)}<p>${mailLink(support)}</p>`],
    ...(registrationNumber === undefined ? [] : [[choice.registrationNumber, registrationNumber] as const]),
    [terms.price, withTax(offer, product.priceAmount, reader)],
    [terms.otherCharges, terms.noOtherCharges],
    ...paymentAndDelivery(free, reader),
    [terms.refunds, html`<p>${leaveAnyTime(free, reader)}</p><p><a href="#refunds">${terms.seeRefunds}</a></p>`],
    [terms.updates, updatesInWords(offer, reader)],
    [texts.environment, html`<a href="#environment">${terms.seeEnvironment}</a>`],
  ]);
}

/** What is ordered, how many, and for how much. */
export function orderSummary(offer: ProductPage, reader: Reader): Html {
  const { product, pictures, chosen } = offer;
  const { terms, checkout, choice } = reader.texts;
  const { quantity, unitAmount, discountAmount, total, discount } = chosen.price;
  const devices = product.activationLimit ?? 1;
  const [picture] = pictures;
  const unitPrice = amountOf(offer, unitAmount, reader);
  const rows: (readonly [string, HtmlValue] | false | undefined)[] = [
    [terms.quantity, quantity === 1 ? terms.oneLicense(devices) : terms.severalLicenses(quantity, quantity * devices)],
    product.priceAmount > 0 && [
      choice.unitPrice,
      discount ? withFormerPrice(unitPrice, amountOf(offer, product.priceAmount, reader), reader) : unitPrice,
    ],
    discount && [choice.discount, choice.discountBy(formatMoney(-discountAmount, product.currency, reader.locale), discount.code)],
    [terms.total, html`<strong>${withTax(offer, total, reader)}</strong>`],
  ];
  return facts([
    [
      checkout.product,
      html`${picture && html`<img class="thumbnail" src="${picture.path}" width="${picture.width}" height="${picture.height}" alt="">`}<strong>${sellerText(product.name, sellerTexts(offer))}</strong>`,
    ],
    ...rows.filter((row) => row !== false && row !== undefined),
  ]);
}

/** The rest of the final confirmation: seller, payment, delivery and cancellation, once more. */
export function orderTerms(offer: PricedOffer, reader: Reader): Html {
  const { product, sellerName, chosen } = offer;
  const free = chosen.price.total === 0;
  const { terms, product: texts } = reader.texts;
  const others = sellerTexts(offer);
  return facts([
    [terms.seller, sellerParagraphs(product.tokushohoSellerName?.trim() || sellerName, others)],
    [terms.otherCharges, terms.noOtherCharges],
    ...paymentAndDelivery(free, reader),
    [terms.refunds, html`<p>${leaveAnyTime(free, reader)}</p>${sellerParagraphs(product.refundPolicy, others)}`],
    [terms.updates, updatesInWords(offer, reader)],
    [texts.environment, sellerParagraphs(product.softwareOperatingEnvironment, others)],
  ]);
}
