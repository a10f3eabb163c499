import type { Locale } from '../locale.ts';
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
  ...frame
}: MailFrame & { purchase: MailedPurchase; linkHours: number }): RenderedMail {
  const say = purchaseMailTexts[frame.locale];
  const { productName, amount, completionUrl, seller } = purchase;
  const isFree = amount === 0;
  return renderMail({
    ...frame,
    seller,
    subject: say.subject(productName, isFree),
    blocks: [
      { text: say.greeting(productName, isFree), as: 'greeting' },
      { text: say.whatToDo },
      { button: say.openPurchase, url: completionUrl },
      { text: say.lasts(linkHours) },
      { text: say.keepPrivate },
      { facts: [[say.facts.product, productName], ...purchaseFacts(purchase, frame.locale)] },
      { text: say.notYou, as: 'note' },
    ],
  });
}

/** What was ordered when, for how much, and from whom. */
export function purchaseFacts({ orderId, seller, siteUrl, amount, currency, paidAt, timeZone }: MailedPurchase, locale: Locale): Fact[] {
  const say = purchaseMailTexts[locale].facts;
  const isFree = amount === 0;
  return [
    [say.price, isFree ? say.free : say.taxIncluded(formatMoney(amount, currency, locale))],
    [isFree ? say.orderedOn : say.paidOn, say.day(paidAt, timeZone)],
    [say.order, orderId],
    [say.seller, seller.name],
    ...(siteUrl === undefined ? [] : [[say.site, siteUrl, 'page'] as const]),
    ...(seller.supportEmail === '' ? [] : [[say.support, seller.supportEmail] as const]),
  ];
}
