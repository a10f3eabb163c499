import { type Html, html } from '../html.ts';
import type { Locale } from '../locale.ts';
import { mailButton, mailPage, oneLine, type RenderedMail } from './mail-page.ts';
import { en } from './purchase-mail-en.ts';
import { ja } from './purchase-mail-ja.ts';
import type { PurchaseMailTexts } from './purchase-mail-texts.ts';

const texts: Record<Locale, PurchaseMailTexts> = { ja, en };

export interface PurchaseMail {
  locale: Locale;
  productName: string;
  sellerName: string;
  supportEmail: string;
  /** Holds the completion token: the one secret in the mail. */
  completionUrl: string;
  /** How long the link works. */
  linkHours: number;
}

/**
 * The mail that leads a buyer to what they bought: the completion link and whom to ask, never the key.
 *
 * The subject is always one line. The HTML has neither tables, scripts nor anything
 * that is fetched; the plain text has the same content.
 */
export function renderPurchaseMail(mail: PurchaseMail): RenderedMail {
  const { locale, linkHours, completionUrl } = mail;
  const say = texts[locale];
  const productName = oneLine(mail.productName);
  const facts: [string, string][] = [
    [say.product, productName],
    [say.seller, oneLine(mail.sellerName)],
    [say.support, oneLine(mail.supportEmail)],
  ];
  const subject = say.subject(productName);
  const greeting = say.greeting(productName);
  const text = [
    greeting,
    say.whatToDo,
    completionUrl,
    `${say.lasts(linkHours)}\n${say.keepPrivate}`,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    say.notYou,
  ].join('\n\n');
  return { subject, text: `${text}\n`, html: mailPage(locale, subject, contentOf({ mail, say, greeting, facts })) };
}

function contentOf({ mail, say, greeting, facts }: Rendering): Html {
  return html`<p style="margin:0 0 16px;font-size:18px"><strong>${greeting}</strong></p>
<p style="margin:0 0 24px">${say.whatToDo}</p>
<p style="margin:0 0 24px">${mailButton(mail.completionUrl, say.openPurchase)}</p>
<p style="margin:0 0 8px">${say.lasts(mail.linkHours)}</p>
<p style="margin:0 0 24px">${say.keepPrivate}</p>
<dl style="margin:0 0 24px;padding:16px 0 0;border-top:1px solid #8a8f8c">
${facts.map(([name, value]) => html`<dt style="font-size:14px">${name}</dt><dd style="margin:0 0 12px;font-weight:600;overflow-wrap:anywhere">${value}</dd>\n`)}</dl>
<p style="margin:0 0 4px;font-size:14px">${say.copyInstead}</p>
<p style="margin:0 0 24px;font-size:14px;overflow-wrap:anywhere">${mail.completionUrl}</p>
<p style="margin:0;font-size:14px">${say.notYou}</p>`;
}

interface Rendering {
  mail: PurchaseMail;
  say: PurchaseMailTexts;
  greeting: string;
  facts: readonly [string, string][];
}
