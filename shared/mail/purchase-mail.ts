import type { Locale } from '../locale.ts';
import { type Added, addedInWords } from '../text/addition-words.ts';
import { formatMoney } from '../text/money.ts';
import { type Fact, type MailFrame, type MailSeller, type RenderedMail, renderMail } from './mail-page.ts';
import { en } from './purchase-mail-en.ts';
import { ja } from './purchase-mail-ja.ts';
import type { PurchaseMailTexts } from './purchase-mail-texts.ts';

export const purchaseMailTexts: Record<Locale, PurchaseMailTexts> = { ja, en };

/** A purchase as mails name it: enough to prove it to the seller, and the link that leads to it. */
export interface MailedPurchase {
  orderId: string;
  productName: string;
  seller: MailSeller;
  /** The seller's own pages. */
  siteUrl?: string | undefined;
  /** In the minor unit of `currency`; 0 is free, and then nothing speaks of a payment. */
  amount: number;
  quantity: number;
  /** What one cost, after the discount. */
  unitAmount: number;
  /** What the discount took off the whole order. */
  discountAmount?: number | undefined;
  /** What was added to a license; then the link leads to the receipt. */
  addition?: Added | undefined;
  currency: string;
  paidAt: Date;
  /** Where its day is counted. */
  timeZone: string;
  /** Holds the completion token: the one secret in the mail. */
  completionUrl: string;
}

/** The mail that leads a buyer to what they bought and proves that they bought it; never with the key. */
export function renderPurchaseMail({
  purchase,
  linkHours,
  isUsable = true,
  ...frame
}: MailFrame & {
  purchase: MailedPurchase;
  linkHours: number;
  /** Of an addition: whether the license can be used now. */
  isUsable?: boolean;
}): RenderedMail {
  const say = purchaseMailTexts[frame.locale];
  const { productName, amount, completionUrl, seller, addition } = purchase;
  const isFree = amount === 0;
  const title = titleOf(purchase, frame.locale);
  const { whatToDo, keepPrivate } = addition ? say.addition : say;
  const greeting = addition ? say.addition.greeting(productName, addedInWords(addition, frame.locale)) : say.greeting(productName, isFree);
  return renderMail({
    ...frame,
    seller,
    subject: say.subject(title, isFree),
    blocks: [
      { text: greeting, as: 'greeting' },
      ...(isUsable ? [] : [{ text: say.addition.unusable }]),
      { text: whatToDo },
      { button: openingOf(purchase, frame.locale), url: completionUrl },
      { text: say.lasts(linkHours) },
      { text: keepPrivate },
      { facts: [[say.facts.product, title], ...purchaseFacts(purchase, frame.locale)] },
      { text: say.notYou, as: 'note' },
    ],
  });
}

/** What was bought, in a line: the product, and what was added to its license. */
export const titleOf = ({ productName, addition }: MailedPurchase, locale: Locale) =>
  addition ? `${productName}: ${addedInWords(addition, locale)}` : productName;

/** What the button says that leads to it. */
export function openingOf({ addition }: MailedPurchase, locale: Locale): string {
  const { openPurchase, addition: ofAddition } = purchaseMailTexts[locale];
  return addition ? ofAddition.openReceipt : openPurchase;
}

/** What was ordered when, for how much, and from whom. */
export function purchaseFacts(purchase: MailedPurchase, locale: Locale): Fact[] {
  const { orderId, seller, siteUrl, amount, paidAt, timeZone } = purchase;
  const say = purchaseMailTexts[locale].facts;
  const isFree = amount === 0;
  return [
    ...priceFacts(purchase, locale),
    [isFree ? say.orderedOn : say.paidOn, say.day(paidAt, timeZone)],
    [say.order, orderId],
    [say.seller, seller.name],
    ...(siteUrl === undefined ? [] : [[say.site, siteUrl, 'page'] as const]),
    ...(seller.supportEmail === '' ? [] : [[say.support, seller.supportEmail] as const]),
  ];
}

/** Quantity and price of one where several were bought, and what a discount took off. */
function priceFacts({ amount, quantity, unitAmount, discountAmount = 0, currency }: MailedPurchase, locale: Locale): Fact[] {
  const say = purchaseMailTexts[locale].facts;
  const money = (minor: number) => formatMoney(minor, currency, locale);
  const isFree = amount === 0;
  const isOne = quantity === 1;
  return [
    ...(isOne ? [] : [[say.quantity, String(quantity)] as const]),
    ...(isOne || isFree ? [] : [[say.priceEach, say.taxIncluded(money(unitAmount))] as const]),
    [isOne || isFree ? say.price : say.total, isFree ? say.free : say.taxIncluded(money(amount))],
    ...(discountAmount === 0 ? [] : [[say.discount, say.takenOff(money(discountAmount))] as const]),
  ];
}
