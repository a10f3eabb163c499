import { type Html, html } from '../html.ts';
import type { Locale } from '../locale.ts';
import type { NoticeKind } from './mail.ts';
import { mailButton, mailPage, oneLine, type RenderedMail } from './mail-page.ts';
import { type NoticeMailTexts, type NoticeTexts, noticeMailTexts } from './notice-mail-texts.ts';

export interface NoticeMail {
  kind: NoticeKind;
  locale: Locale;
  productName: string;
  sellerName: string;
  supportEmail: string;
  orderId: string;
  /** Of a released device: what its app called it, if anything. */
  deviceLabel?: string | undefined;
  /** When it was done. */
  at: Date;
  /** The page that mails fresh links. */
  manageUrl: string;
}

/**
 * The mail that tells a buyer what was done to their purchase. It holds no secret: neither token nor key
 * nor address. Like the other mails its subject is one line, its HTML fetches nothing, and the plain text
 * has the same content.
 */
export function renderNoticeMail(mail: NoticeMail): RenderedMail {
  const say = noticeMailTexts[mail.locale];
  const notice = say.notices[mail.kind];
  const productName = oneLine(mail.productName);
  const subject = notice.subject(productName);
  const what = notice.what(productName);
  const facts = factsOf(mail, say);
  const text = [
    what,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    notice.meaning,
    ...(notice.link ? [`${notice.link.why}\n${mail.manageUrl}`] : []),
    notice.notYou,
  ].join('\n\n');
  const content = html`<p style="margin:0 0 16px;font-size:18px"><strong>${what}</strong></p>
<dl style="margin:0 0 24px">
${facts.map(([name, value]) => html`<dt style="font-size:14px">${name}</dt><dd style="margin:0 0 12px;font-weight:600;overflow-wrap:anywhere">${value}</dd>\n`)}</dl>
<p style="margin:0 0 24px">${notice.meaning}</p>
${linkOf(notice, say, mail.manageUrl)}<p style="margin:0;font-size:14px">${notice.notYou}</p>`;
  return { subject, text: `${text}\n`, html: mailPage(mail.locale, subject, content) };
}

function factsOf(mail: NoticeMail, say: NoticeMailTexts): [string, string][] {
  const device: [string, string][] =
    mail.kind === 'device_released' ? [[say.device, oneLine(mail.deviceLabel ?? '') || say.unnamedDevice]] : [];
  return [
    ...device,
    [say.at, momentOf(mail)],
    [say.product, oneLine(mail.productName)],
    [say.order, mail.orderId],
    [say.seller, oneLine(mail.sellerName)],
    [say.support, oneLine(mail.supportEmail)],
  ];
}

/** To the minute, with its time zone. */
const momentOf = ({ at, locale }: NoticeMail) =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: locale === 'ja' ? 'Asia/Tokyo' : 'UTC',
    timeZoneName: 'short',
  }).format(at);

const linkOf = ({ link }: NoticeTexts, say: NoticeMailTexts, manageUrl: string): Html =>
  link === undefined
    ? html``
    : html`<p style="margin:0 0 16px">${link.why}</p>
<p style="margin:0 0 24px">${mailButton(manageUrl, link.label)}</p>
<p style="margin:0 0 4px;font-size:14px">${say.copyInstead}</p>
<p style="margin:0 0 24px;font-size:14px;overflow-wrap:anywhere">${manageUrl}</p>
`;
