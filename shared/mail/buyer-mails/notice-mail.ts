import { type Locale, momentIn, timeZoneOf } from '../../locale.ts';
import { describeAdded } from '../../text/addition-words.ts';
import { formatMoney } from '../../text/money.ts';
import { type MailContext, type MailFact, type MailSeller, type RenderedMail, renderMail } from '../layout/mail-layout.ts';
import type { Mail, MailedAddition, NoticeKind } from '../outbox/mail.ts';
import { noticeMailTexts } from './notice-mail-texts.ts';
import { purchaseMailTexts } from './purchase-mail-texts.ts';

/** What was done to a purchase, and when. */
export interface Notice {
  kind: NoticeKind;
  orderId: string;
  productName: string;
  seller: MailSeller;
  /** Whether the order only added to a license. */
  isOfAddition?: boolean;
  /** What was paid, in the minor unit of `currency`. */
  amount: number;
  currency: string;
  /** Of a released device: what its app called it, if anything. */
  deviceLabel?: string | undefined;
  /** Of an addition: what was added, and what the license has since. */
  addition?: MailedAddition | undefined;
  /** Of an upgrade: to which product. */
  upgrade?: Mail['upgrade'];
  at: Date;
  /** The page that mails fresh links. */
  manageUrl: string;
}

/** The mail that tells a buyer what was done to their purchase. It holds no secret: neither token nor key nor address. */
export function renderNoticeMail({ notice, ...frame }: MailContext & { notice: Notice }): RenderedMail {
  const { kind, productName, seller, addition, upgrade, manageUrl } = notice;
  const {
    subject,
    event: what,
    meaning,
    meaningOfAddition = meaning,
    link,
    notByYou: notYou,
  } = noticeMailTexts[frame.locale].notices[kind];
  return renderMail({
    ...frame,
    seller,
    subject: subject(productName),
    blocks: [
      { text: what(productName, addition ? describeAdded(addition, frame.locale) : (upgrade?.productName ?? '')), as: 'greeting' },
      { facts: factsOf(notice, frame.locale) },
      { text: notice.isOfAddition ? meaningOfAddition : meaning },
      ...(link ? [{ text: link.why }, { button: link.label, url: manageUrl }] : []),
      { text: notYou, as: 'note' },
    ],
  });
}

function factsOf(notice: Notice, locale: Locale): MailFact[] {
  const { kind, orderId, productName, seller, amount, currency, deviceLabel, addition, at } = notice;
  const texts = noticeMailTexts[locale];
  const { amountName } = texts.notices[kind];
  const { product, order, seller: soldBy, support } = purchaseMailTexts[locale].facts;
  return [
    ...(kind === 'device_released' ? [[texts.device, deviceLabel?.trim() || texts.unnamedDevice] as const] : []),
    ...(addition ? additionFacts(addition, locale) : []),
    ...(amountName === undefined ? [] : [[amountName, formatMoney(amount, currency, locale)] as const]),
    [texts.at, momentIn(locale, at)],
    [product, productName],
    [order, orderId],
    [soldBy, seller.name],
    ...(seller.supportEmail === '' ? [] : [[support, seller.supportEmail] as const]),
  ];
}

function additionFacts({ kind, activationLimit, updatesUntil }: MailedAddition, locale: Locale): MailFact[] {
  const texts = noticeMailTexts[locale];
  if (kind === 'seats') return [[texts.seatsInAll, String(activationLimit)]];
  const { day } = purchaseMailTexts[locale].facts;
  return updatesUntil === undefined ? [] : [[texts.updatesUntil, day(new Date(updatesUntil), timeZoneOf(locale))]];
}
