import { type Html, html } from '../html.ts';
import type { Locale } from '../locale.ts';
import { mailButton, mailPage, oneLine, type RenderedMail } from './mail-page.ts';
import { en } from './purchase-mail-en.ts';
import { ja } from './purchase-mail-ja.ts';
import type { PurchaseMailTexts } from './purchase-mail-texts.ts';

const texts: Record<Locale, PurchaseMailTexts> = { ja, en };

/** One purchase in the mail. */
export interface LinkedPurchase {
  productName: string;
  sellerName: string;
  supportEmail: string;
  paidAt: Date;
  /** Holds the completion token: the one secret of the purchase in the mail. */
  completionUrl: string;
}

export interface PurchaseLinksMail {
  locale: Locale;
  /** At least one, in the order in which they are listed. */
  purchases: readonly LinkedPurchase[];
  /** How long the links work. */
  linkHours: number;
}

interface Entry {
  productName: string;
  facts: readonly [string, string][];
  completionUrl: string;
}

/**
 * The mail that gives a buyer a fresh link to each purchase, never a key. Like the purchase mail its subject
 * is one line, its HTML fetches nothing, and the plain text has the same content.
 */
export function renderPurchaseLinksMail({ locale, purchases, linkHours }: PurchaseLinksMail): RenderedMail {
  const say = texts[locale];
  const entries = purchases.map((purchase) => entryOf(purchase, locale));
  const subject = say.links.subject(entries.length, entries[0]?.productName ?? '');
  const text = [
    say.links.greeting(entries.length),
    ...entries.map(({ productName, facts, completionUrl }) =>
      [productName, ...facts.map(([name, value]) => `${name}: ${value}`), completionUrl].join('\n'),
    ),
    `${say.links.last(linkHours)}\n${say.links.keepPrivate}`,
    say.links.notYou,
  ].join('\n\n');
  return { subject, text: `${text}\n`, html: mailPage(locale, subject, contentOf(say, entries, linkHours)) };
}

function entryOf({ productName, sellerName, supportEmail, paidAt, completionUrl }: LinkedPurchase, locale: Locale): Entry {
  const say = texts[locale];
  const boughtOn = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: locale === 'ja' ? 'Asia/Tokyo' : 'UTC' }).format(paidAt);
  return {
    productName: oneLine(productName),
    facts: [
      [say.links.boughtOn, boughtOn],
      [say.seller, oneLine(sellerName)],
      [say.support, oneLine(supportEmail)],
    ],
    completionUrl,
  };
}

function contentOf(say: PurchaseMailTexts, entries: readonly Entry[], linkHours: number): Html {
  return html`<p style="margin:0 0 24px;font-size:18px"><strong>${say.links.greeting(entries.length)}</strong></p>
${entries.map((entry) => sectionOf(say, entry))}<p style="margin:0 0 8px;padding:16px 0 0;border-top:1px solid #8a8f8c">${say.links.last(linkHours)}</p>
<p style="margin:0 0 24px">${say.links.keepPrivate}</p>
<p style="margin:0;font-size:14px">${say.links.notYou}</p>`;
}

const sectionOf = (
  say: PurchaseMailTexts,
  { productName, facts, completionUrl }: Entry,
): Html => html`<div style="margin:0 0 24px;padding:16px 0 0;border-top:1px solid #8a8f8c">
<h2 style="margin:0 0 8px;font-size:18px;overflow-wrap:anywhere">${productName}</h2>
${facts.map(([name, value]) => html`<p style="margin:0;font-size:14px;overflow-wrap:anywhere">${name}: ${value}</p>\n`)}<p style="margin:16px 0">${mailButton(completionUrl, say.openPurchase)}</p>
<p style="margin:0 0 4px;font-size:14px">${say.copyInstead}</p>
<p style="margin:0;font-size:14px;overflow-wrap:anywhere">${completionUrl}</p>
</div>
`;
