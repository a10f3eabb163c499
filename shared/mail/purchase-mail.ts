import { type Html, html } from '../html.ts';
import type { Locale } from '../locale.ts';
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
  /** The buyer requested a fresh link, so the mail does not thank them for buying. */
  resent?: boolean;
  /** How long the link works. */
  linkHours: number;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/**
 * The mail that leads a buyer to what they bought: the completion link and whom to ask, never the key.
 *
 * The subject is always one line. The HTML has neither tables, scripts nor anything
 * that is fetched; the plain text has the same content.
 */
export function renderPurchaseMail(mail: PurchaseMail): RenderedMail {
  const { locale, resent = false, linkHours, completionUrl } = mail;
  const say = texts[locale];
  const productName = oneLine(mail.productName);
  const facts: [string, string][] = [
    [say.product, productName],
    [say.seller, oneLine(mail.sellerName)],
    [say.support, oneLine(mail.supportEmail)],
  ];
  const subject = resent ? say.resentSubject(productName) : say.subject(productName);
  const greeting = resent ? say.resentGreeting(productName) : say.greeting(productName);
  const text = [
    greeting,
    say.whatToDo,
    completionUrl,
    `${say.lasts(linkHours)}\n${say.keepPrivate}`,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    say.notYou,
  ].join('\n\n');
  return { subject, text: `${text}\n`, html: page({ mail, say, subject, greeting, facts, linkHours }).toString() };
}

function page({ mail, say, subject, greeting, facts, linkHours }: Rendering): Html {
  return html`<!doctype html>
<html lang="${mail.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.7 system-ui,-apple-system,'Hiragino Sans','Noto Sans JP',sans-serif">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-size:18px"><strong>${greeting}</strong></p>
<p style="margin:0 0 24px">${say.whatToDo}</p>
<p style="margin:0 0 24px"><a href="${mail.completionUrl}" style="display:inline-block;padding:12px 28px;border-radius:8px;background:#1f5f4a;color:#ffffff;font-weight:600;text-decoration:none">${say.openPurchase}</a></p>
<p style="margin:0 0 8px">${say.lasts(linkHours)}</p>
<p style="margin:0 0 24px">${say.keepPrivate}</p>
<dl style="margin:0 0 24px;padding:16px 0 0;border-top:1px solid #8a8f8c">
${facts.map(([name, value]) => html`<dt style="font-size:14px">${name}</dt><dd style="margin:0 0 12px;font-weight:600;overflow-wrap:anywhere">${value}</dd>\n`)}</dl>
<p style="margin:0 0 4px;font-size:14px">${say.copyInstead}</p>
<p style="margin:0 0 24px;font-size:14px;overflow-wrap:anywhere">${mail.completionUrl}</p>
<p style="margin:0;font-size:14px">${say.notYou}</p>
</div>
</body>
</html>
`;
}

interface Rendering {
  mail: PurchaseMail;
  say: PurchaseMailTexts;
  subject: string;
  greeting: string;
  facts: readonly [string, string][];
  linkHours: number;
}

/** Without line breaks, other controls, or marks that reverse the reading order: nothing can pose as another header or line. */
function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
