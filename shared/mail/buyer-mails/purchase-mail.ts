import { type Locale, momentIn } from '../../locale.ts';
import { type AddedItem, describeAdded } from '../../text/addition-words.ts';
import { formatMoney } from '../../text/money.ts';
import { type MailContext, type MailFact, type MailSeller, type RenderedMail, renderMail } from '../layout/mail-layout.ts';
import { purchaseMailTexts } from './purchase-mail-texts.ts';

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
  addition?: AddedItem | undefined;
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
  boughtBefore,
  ...frame
}: MailContext & {
  purchase: MailedPurchase;
  linkHours: number;
  /** Of an addition: whether the license can be used now. */
  isUsable?: boolean;
  /** When the same was paid for shortly before, maybe by accident. */
  boughtBefore?: string | undefined;
}): RenderedMail {
  const texts = purchaseMailTexts[frame.locale];
  const { productName, amount, completionUrl, seller, addition } = purchase;
  const isFree = amount === 0;
  const title = purchaseTitle(purchase, frame.locale);
  const { whatToDo, keepPrivate } = addition ? texts.addition : texts;
  const greeting = addition
    ? texts.addition.greeting(productName, describeAdded(addition, frame.locale))
    : texts.greeting(productName, isFree);
  return renderMail({
    ...frame,
    seller,
    subject: texts.subject(title, isFree),
    blocks: [
      { text: greeting, as: 'greeting' },
      ...(isUsable ? [] : [{ text: texts.addition.unusable }]),
      ...(boughtBefore === undefined ? [] : [{ text: texts.boughtBefore(momentIn(frame.locale, new Date(boughtBefore))) }]),
      { text: whatToDo },
      { button: buttonLabel(purchase, frame.locale), url: completionUrl },
      { text: texts.cutLink },
      { text: texts.linkLifetime(linkHours) },
      { text: keepPrivate },
      { facts: [[texts.facts.product, title], ...purchaseFacts(purchase, frame.locale)] },
      { text: texts.notForYou, as: 'note' },
    ],
  });
}

/** What was bought, in a line: the product, and what was added to its license. */
export const purchaseTitle = ({ productName, addition }: MailedPurchase, locale: Locale) =>
  addition ? `${productName}: ${describeAdded(addition, locale)}` : productName;

/** What the button says that leads to it. */
export function buttonLabel({ addition }: MailedPurchase, locale: Locale): string {
  const { openPurchase, addition: ofAddition } = purchaseMailTexts[locale];
  return addition ? ofAddition.openReceipt : openPurchase;
}

/** What was ordered when, for how much, and from whom. */
export function purchaseFacts(purchase: MailedPurchase, locale: Locale): MailFact[] {
  const { orderId, seller, siteUrl, amount, paidAt, timeZone } = purchase;
  const texts = purchaseMailTexts[locale].facts;
  const isFree = amount === 0;
  return [
    ...priceFacts(purchase, locale),
    [isFree ? texts.orderedOn : texts.paidOn, texts.day(paidAt, timeZone)],
    [texts.order, orderId],
    [texts.seller, seller.name],
    ...(siteUrl === undefined ? [] : [[texts.site, siteUrl, 'page'] as const]),
    ...(seller.supportEmail === '' ? [] : [[texts.support, seller.supportEmail] as const]),
  ];
}

/** Quantity and price of one where several were bought, and what a discount took off. */
function priceFacts({ amount, quantity, unitAmount, discountAmount = 0, currency }: MailedPurchase, locale: Locale): MailFact[] {
  const texts = purchaseMailTexts[locale].facts;
  const money = (minor: number) => formatMoney(minor, currency, locale);
  const isFree = amount === 0;
  const isOne = quantity === 1;
  return [
    ...(isOne ? [] : [[texts.quantity, String(quantity)] as const]),
    ...(isOne || isFree ? [] : [[texts.priceEach, texts.taxIncluded(money(unitAmount))] as const]),
    [isOne || isFree ? texts.price : texts.total, isFree ? texts.free : texts.taxIncluded(money(amount))],
    ...(discountAmount === 0 ? [] : [[texts.discount, texts.takenOff(money(discountAmount))] as const]),
  ];
}
