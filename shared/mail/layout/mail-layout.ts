import { toMailbox } from '../../email-address.ts';
import { type Html, html } from '../../html.ts';
import { type Locale, locales } from '../../locale.ts';
import { type Operator, serviceNameIn } from '../../operator.ts';
import { oneLine, truncatedLine } from '../../text/one-line.ts';

/** A mail as it is sent. Only `renderMail` makes one, so that each says who stands behind it. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  /** The display name of the sender; the address is the service's own. */
  senderName: string;
  /** Where an answer goes, if to anybody. */
  replyTo?: string | undefined;
}

/** What a mail is made for: whose service sends it, and in which language. */
export interface MailContext {
  locale: Locale;
  operator: Operator;
}

/** On whose behalf a mail is sent, and who answers to it. */
export interface MailSeller {
  name: string;
  supportEmail: string;
}

/** What a mail consists of. Each text is put on one line; a page address may be opened from the mail. */
export type MailBlock =
  | { text: string; as?: 'greeting' | 'note' }
  | { button: string; url: string }
  | { facts: readonly MailFact[] }
  | { title: string; locale?: Locale; blocks: readonly MailBlock[] };
export type MailFact = readonly [name: string, value: string, kind?: 'page' | undefined];

/**
 * A mail in both its forms, which say the same, with who stands behind it at the end.
 *
 * No text of anybody can pose as another line or header, or as markup. The HTML is one narrow
 * column, without tables, scripts or anything that is fetched. Whoever answers writes to the
 * seller, or to the operator where the mail is not of one seller.
 */
export function renderMail({
  seller,
  subject,
  blocks,
  ...frame
}: MailContext & { seller?: MailSeller | undefined; subject: string; blocks: readonly MailBlock[] }): RenderedMail {
  const { locale, operator } = frame;
  const all = [...blocks, footerOf(frame)];
  const title = oneLine(subject);
  return {
    subject: title,
    text: `${all.map((block) => textOf(block)).join('\n\n')}\n`,
    html: pageOf(locale, title, all),
    senderName: senderNameOf(seller, serviceNameIn(locale, operator)),
    replyTo: toMailbox((seller ? seller.supportEmail : operator.contact) ?? ''),
  };
}

/** The same in every language, one after the other, for those who named none; `locale` comes first. */
export function renderInEveryLanguage(
  { locale, operator }: MailContext,
  partIn: (language: Locale) => { subject: string; blocks: readonly MailBlock[] },
): RenderedMail {
  const inOrder = [locale, ...locales.filter((other) => other !== locale)];
  const parts = inOrder.map((language) => ({ language, ...partIn(language) }));
  return renderMail({
    locale,
    operator,
    subject: parts.map(({ subject }) => subject).join(' / '),
    blocks: parts.map(({ language, subject: title, blocks }) => ({ title, locale: language, blocks })),
  });
}

const frameTexts = {
  en: {
    copyInstead: 'If the button does not work, paste this address into your browser:',
    sentBy: 'Sent by',
    operator: 'Operator',
    address: 'Address',
    contact: 'Operator’s contact',
    terms: 'Terms of use',
    privacy: 'Privacy policy',
  },
  ja: {
    copyInstead: 'ボタンで開けないときは、次のアドレスをブラウザーに貼り付けてください。',
    sentBy: '送信元',
    operator: '運営者',
    address: '所在地',
    contact: '運営者の連絡先',
    terms: '利用規約',
    privacy: 'プライバシーポリシー',
  },
};

function footerOf({ locale, operator }: MailContext): MailBlock {
  const texts = frameTexts[locale];
  const facts: (readonly [string, string | undefined, 'page'?])[] = [
    [texts.sentBy, serviceNameIn(locale, operator)],
    [texts.operator, operator.name],
    [texts.address, operator.address],
    [texts.contact, operator.contact],
    [texts.terms, operator.termsUrl, 'page'],
    [texts.privacy, operator.privacyUrl, 'page'],
  ];
  return { facts: facts.flatMap(([name, value, kind]): MailFact[] => (value === undefined ? [] : [[name, value, kind]])) };
}

/** The longest parts of a display name: an encoded one of both still fits into one line of a header. */
const maxNameLengths = { seller: 60, service: 40 };

function senderNameOf(seller: MailSeller | undefined, serviceName: string): string {
  const names = [truncatedLine(seller?.name ?? '', maxNameLengths.seller), truncatedLine(serviceName, maxNameLengths.service)];
  return names.filter((name) => name !== '').join(' via ');
}

function textOf(block: MailBlock): string {
  if ('text' in block) return oneLine(block.text);
  if ('url' in block) return `${oneLine(block.button)}:\n${oneLine(block.url)}`;
  if ('facts' in block) return block.facts.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`).join('\n');
  return `${oneLine(block.title)}\n\n${block.blocks.map(textOf).join('\n\n')}`;
}

function pageOf(locale: Locale, title: string, blocks: readonly MailBlock[]): string {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.7 system-ui,-apple-system,'Hiragino Sans','Noto Sans JP',sans-serif;overflow-wrap:anywhere;word-break:break-word">
<div style="max-width:560px;margin:0 auto">
${blocks.map((block) => htmlOf(block, locale))}</div>
</body>
</html>
`.toString();
}

const paragraphStyles = {
  greeting: 'margin:0 0 16px;font-size:18px;font-weight:600',
  text: 'margin:0 0 16px',
  note: 'margin:0 0 16px;font-size:14px',
};
/** Gmail and Outlook do not support overflow-wrap; Outlook on Windows breaks words only with this. */
const anywhere = 'word-break:break-all';
const ruled = 'margin:0 0 24px;padding:16px 0 0;border-top:1px solid #8a8f8c';

function htmlOf(block: MailBlock, locale: Locale): Html {
  if ('text' in block) return html`<p style="${paragraphStyles[block.as ?? 'text']}">${oneLine(block.text)}</p>\n`;
  if ('url' in block) return buttonOf(block, locale);
  if ('facts' in block) return html`<dl style="${ruled}">\n${block.facts.map(factOf)}</dl>\n`;
  return html`<div${block.locale && html` lang="${block.locale}"`} style="${ruled}">
<h2 style="margin:0 0 8px;font-size:18px">${oneLine(block.title)}</h2>
${block.blocks.map((inner) => htmlOf(inner, block.locale ?? locale))}</div>
`;
}

function buttonOf({ button, url }: { button: string; url: string }, locale: Locale): Html {
  return html`<p style="margin:0 0 16px"><a href="${url}" style="display:inline-block;padding:12px 28px;border-radius:8px;background:#1f5f4a;color:#ffffff;font-weight:600;text-decoration:none">${oneLine(button)}</a></p>
<p style="margin:0 0 4px;font-size:14px">${frameTexts[locale].copyInstead}</p>
<p style="margin:0 0 24px;font-size:14px;${anywhere}">${oneLine(url)}</p>
`;
}

function factOf([name, value, kind]: MailFact): Html {
  const shown = oneLine(value);
  return html`<div style="margin:0 0 8px;font-size:14px"><dt style="display:inline">${oneLine(name)}: </dt><dd style="display:inline;margin:0;font-weight:600">${
    kind === 'page' ? html`<a href="${shown}" style="${anywhere}">${shown}</a>` : shown
  }</dd></div>\n`;
}
