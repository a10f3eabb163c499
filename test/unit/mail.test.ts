import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mailLink } from '../../functions/pages/views/components.ts';
import { buyerEmailHashes, mailboxHash, maskEmail } from '../../shared/buyer-email/buyer-email.ts';
import { Keyring } from '../../shared/crypto/keyring.ts';
import { toMailbox } from '../../shared/email-address.ts';
import { type Locale, locales } from '../../shared/locale.ts';
import { type Notice, renderNoticeMail } from '../../shared/mail/buyer-mails/notice-mail.ts';
import { renderPurchaseLinksMail } from '../../shared/mail/buyer-mails/purchase-links-mail.ts';
import { type MailedPurchase, renderPurchaseMail } from '../../shared/mail/buyer-mails/purchase-mail.ts';
import type { MailContext, RenderedMail } from '../../shared/mail/layout/mail-layout.ts';
import { mailboxOf } from '../../shared/mail/layout/mailbox.ts';
import { MailKind, type NoticeKind } from '../../shared/mail/outbox/mail.ts';
import { causeOfKind, mailCauseOf } from '../../shared/mail/outbox/mail-cause.ts';
import type { Operator } from '../../shared/operator.ts';
import { expectGolden } from '../support/golden.ts';

const operator: Operator = {
  serviceName: 'Minato Licenses',
  name: 'Minato Ltd.',
  address: '1-2-3 Kaigan\nMinato-ku, Tokyo',
  contact: 'desk@minato.example',
  termsUrl: 'https://minato.example/terms?a=1&b=2',
  privacyUrl: 'https://minato.example/privacy',
};

const purchaseOf = ({ locale }: Pick<MailContext, 'locale'>, more: Partial<MailedPurchase> = {}): MailedPurchase => ({
  orderId: 'ord_01K5B3D8W6QZ0V7N4T2R9XHJEM',
  productName: locale === 'ja' ? '波形エディター Pro' : 'Waveform Editor Pro',
  seller: { name: locale === 'ja' ? '株式会社みなと工房' : 'Harbour Works Ltd.', supportEmail: 'support@harbour.example' },
  siteUrl: 'https://harbour.example/',
  amount: locale === 'ja' ? 4800 : 4900,
  quantity: 1,
  unitAmount: locale === 'ja' ? 4800 : 4900,
  currency: locale === 'ja' ? 'JPY' : 'usd',
  paidAt: new Date('2026-01-14T20:30:00.000Z'),
  timeZone: locale === 'ja' ? 'Asia/Tokyo' : 'UTC',
  completionUrl: 'https://shop.example/complete#token=eyJhbGciOiJIUzI1NiJ9.eyJvcmRlciI6Im9yZF8xIn0.c2lnbmF0dXJl',
  ...more,
});
const purchaseMail = (frame: Partial<MailContext> = {}, more: Partial<MailedPurchase> = {}, known: object = {}) => {
  const whole = { locale: 'en' as const, operator, ...frame };
  return renderPurchaseMail({ ...whole, ...known, purchase: purchaseOf(whole, more), linkHours: 24 });
};
const linksMail = (frame: Partial<MailContext>, ...purchases: Partial<MailedPurchase>[]) => {
  const whole = { locale: 'en' as const, operator, ...frame };
  return renderPurchaseLinksMail({ ...whole, purchases: purchases.map((more) => purchaseOf(whole, more)), linkHours: 24 });
};

const asText = ({ subject, text }: RenderedMail) => `Subject: ${subject}\n\n${text}`;

/** What can be read in a form of a mail, whatever parts it. */
const wordsOf = (text: string) => text.replace(/[\s:]+/g, '');
function wordsOfHtml(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const body = html.replace(/^.*<body[^>]*>/s, '').replace(/<[^>]*>/g, '');
  return wordsOf(body.replace(/&([#\w]+);/g, (_, name: string) => entities[name] ?? ''));
}
const copyInstead =
  /Ifthebuttondoesnotwork,pastethisaddressintoyourbrowser|ボタンで開けないときは、次のアドレスをブラウザーに貼り付けてください。/g;

const links = (html: string) => [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1]?.replaceAll('&amp;', '&'));

const addition = { kind: 'seats', quantity: 3, updatesDays: 0 } as const;
const seats = { addition, quantity: 3, unitAmount: 1600, completionUrl: 'https://shop.example/receipt#token=e.e.e' };
const earlier = {
  orderId: 'ord_01K5B3D8W6QZ0V7N4T2R9XHJEN',
  productName: 'ネジ & Bolt',
  amount: 0,
  paidAt: new Date('2026-02-14T20:30:00.000Z'),
  completionUrl: 'https://shop.example/complete#token=eyJhbGciOiJIUzI1NiJ9.eyJvcmRlciI6Im9yZF8yIn0.c2lnbmF0dXJl',
};
const nothingFetched = /<(table|img|script|link|iframe|style|form)\b|url\(|@import/i;

const mails: [string, (frame: Pick<MailContext, 'locale'>) => RenderedMail][] = [
  ['purchase-mail', (frame) => purchaseMail(frame)],
  ['free-mail', (frame) => purchaseMail(frame, { amount: 0 })],
  ['addition-mail', (frame) => purchaseMail(frame, { ...seats, amount: 4800 }, { isUsable: false })],
  ['bought-twice-mail', (frame) => purchaseMail(frame, {}, { boughtBefore: '2026-01-14T08:05:00.000Z' })],
  ['purchase-link-mail', (frame) => linksMail(frame, {})],
  ['purchase-links-mail', (frame) => linksMail(frame, earlier, {})],
  ['addition-links-mail', (frame) => linksMail(frame, seats, {})],
];
test.each(mails.flatMap(([name, render]) => locales.map((locale) => [name, locale, render({ locale })] as const)))(
  'the %s in %s reads as its golden files, says the same as HTML, and fetches nothing',
  (name, locale, mail) => {
    expectGolden(`${name}.${locale}.txt`, asText(mail));
    if (['purchase-mail', 'purchase-links-mail'].includes(name)) expectGolden(`${name}.${locale}.html`, mail.html);
    expect(wordsOfHtml(mail.html).replaceAll(copyInstead, '')).toBe(wordsOf(mail.text));
    expect(mail.html).not.toMatch(nothingFetched);
    const all = mail.subject + mail.text + mail.html;
    if (name === 'free-mail') expect(all).not.toMatch(/\bpa(y|id)|purchas|bought|buying|charge|tax|支払|購入|買い|税|請求/i);
    if (name === 'addition-mail') expect(mail.text + mail.html).not.toMatch(/\bkeys?\b|\bfiles?\b|キー|ファイル/i);
    expect(/cannot be used|お使いになれない/.test(mail.text)).toBe(name === 'addition-mail');
  },
);

describe('the purchase mail', () => {
  test.each([
    ['ja', { quantity: 3, unitAmount: 1600, amount: 4800 }, '数量: 3\n単価: ￥1,600（税込）\n合計: ￥4,800（税込）\nお支払い日'],
    [
      'en',
      { quantity: 3, unitAmount: 1600, amount: 4800, discountAmount: 600 },
      'Quantity: 3\nPrice each: $16.00 (tax included)\nTotal: $48.00 (tax included)\nDiscount: $6.00, taken off already\nPaid on',
    ],
    ['ja', { amount: 4300, unitAmount: 4300, discountAmount: 500 }, '価格: ￥4,300（税込）\n割引: ￥500（差し引き済み）\nお支払い日'],
    [
      'en',
      { quantity: 2, amount: 0, unitAmount: 0, discountAmount: 9800 },
      'Quantity: 2\nPrice: Free\nDiscount: $98.00, taken off already\nOrdered on',
    ],
  ] as const)('in %s tells how many were bought, for how much each and after which discount: %j', (locale, more, lines) => {
    expect(purchaseMail({ locale }, more).text).toContain(`\n${lines}`);
  });

  test.each([
    ['ja', 4800, 'JPY', '価格: ￥4,800（税込）'],
    ['en', 4900, 'usd', 'Price: $49.00 (tax included)'],
    ['en', 12_500, 'KWD', 'Price: KWD\u00a012.500 (tax included)'],
    ['ja', 50_000, 'ISK', '価格: ISK\u00a0500.00（税込）'],
  ] as const)('in %s names %i of %s once, as the pages write it', (locale, amount, currency, line) => {
    const { text } = purchaseMail({ locale }, { amount, currency });
    expect(text).toContain(`\n${line}\n`);
    expect(text.split(/JPY|usd|KWD|ISK|￥|\$/i).length - 1).toBe(1);
  });

  test.each([
    ['ja', 'Asia/Tokyo', 'お支払い日: 2026年1月15日\n'],
    ['ja', 'UTC', 'お支払い日: 2026年1月14日（UTC）\n'],
    ['en', 'UTC', 'Paid on: January 14, 2026 (UTC)\n'],
    ['en', 'Asia/Tokyo', 'Paid on: January 15, 2026 (Japan time)\n'],
  ] as const)('in %s tells the day of the payment in the zone of the order, %s', (locale, timeZone, line) => {
    expect(purchaseMail({ locale }, { timeZone }).text).toContain(line);
  });

  test.each(locales)('is small with the longest names, in %s', (locale) => {
    const seller = { name: '漢'.repeat(200), supportEmail: `${'s'.repeat(64)}@${'d'.repeat(180)}.example` };
    const long = { serviceName: '務'.repeat(100), name: '運'.repeat(200), address: '住'.repeat(500), contact: '連'.repeat(500) };
    const { html } = purchaseMail(
      { locale, operator: long },
      { productName: '"あ'.repeat(100), seller, siteUrl: `https://h/${'p'.repeat(2038)}` },
    );
    expect(Buffer.byteLength(html)).toBeLessThan(30_000);
  });

  test('breaks addresses and long words also where overflow-wrap is unknown', () => {
    const { html } = purchaseMail();
    expect(html).toMatch(/<body style="[^"]*overflow-wrap:anywhere;word-break:break-word"/);
    const shown = [...html.matchAll(/style="([^"]*)">https:[^<]+</g)].map(([, style]) => style);
    expect(shown).toEqual(Array(4).fill(expect.stringMatching(/;word-break:break-all$|^word-break:break-all$/)));
  });
});

describe('the mail with fresh links', () => {
  const of = (name: string, supportEmail: string) => ({ seller: { name, supportEmail } });
  const other = of('Other', 'help@other.example');
  const service = ['Minato Licenses', 'desk@minato.example'] as const;
  test.each([
    ['one seller in that name', earlier, 'Harbour Works Ltd. via Minato Licenses', 'support@harbour.example'],
    ['several sellers in that of the service', other, ...service],
    ['two names with one address in that of the service', of('Other', 'support@harbour.example'), ...service],
    ['one name with two addresses in that of the service', of('Harbour Works Ltd.', 'x@harbour.example'), ...service],
  ])('about purchases of %s is sent, and answered', (_, purchase, senderName, replyTo) => {
    expect(linksMail({}, {}, purchase)).toMatchObject({ senderName, replyTo });
  });

  test('about purchases of several sellers is not to be answered when the operator has no address', () => {
    for (const contact of [undefined, 'https://minato.example/contact', '03-1234-5678']) {
      expect(linksMail({ operator: { ...operator, contact } }, {}, other).replyTo).toBeUndefined();
    }
  });
});

describe.each(['purchase', 'links'] as const)('every mail (%s)', (kind) => {
  const mailOf = (frame: Partial<MailContext>, more: Partial<MailedPurchase> = {}) =>
    kind === 'purchase' ? purchaseMail(frame, more) : linksMail(frame, more, { ...more, orderId: 'ord_2' });

  test('takes no markup and no further header or line from names', () => {
    const hostile = 'A & <img src=x onerror="x">\r\nBcc: x@evil.example\u2028\u202egnp\u200f\u061c';
    const seller = { name: '"><script>x</script>\nSupport: x', supportEmail: 'a@b.example\nTo: x' };
    const mail = mailOf({}, { productName: hostile, seller });
    if (kind === 'purchase') expect(mail.subject).toBe('Your purchase: A & <img src=x onerror="x"> Bcc: x@evil.example gnp');
    else expect(linksMail({}, { productName: hostile }).subject).toBe('Your new link: A & <img src=x onerror="x"> Bcc: x@evil.example gnp');
    expect(mail.senderName).toBe('"><script>x</script> Support: x via Minato Licenses');
    expect(mail.replyTo).toBeUndefined();
    expect(mail.html).not.toMatch(/<img|<script/);
    expect(mail.html).toContain('A &amp; &lt;img src=x onerror=&quot;x&quot;&gt; Bcc: x@evil.example gnp');
    expect(mail.text).not.toMatch(/^(Bcc|Support: x|To)/m);
    expect(mail.text + mail.html).not.toMatch(/\p{Bidi_Control}|[\u2028\r]/u);
  });

  test('says the same as text and as HTML whatever is in its names', () => {
    const more = { productName: 'A & "B" <C>', siteUrl: undefined, seller: { name: 'D', supportEmail: '' } };
    const { text, html } = mailOf({}, more);
    expect(wordsOfHtml(html).replaceAll(copyInstead, '')).toBe(wordsOf(text));
    expect(text + html).not.toMatch(/Support:/);
  });

  test('of a service without operator names the service in general and nobody else', () => {
    const { text, html, senderName } = mailOf({ operator: {} }, { siteUrl: undefined });
    expect(text.trim().split('\n').at(-1)).toBe('Sent by: Software Licenses');
    expect(html).not.toMatch(/Operator|Terms|Privacy|undefined/);
    expect(senderName).toBe('Harbour Works Ltd. via Software Licenses');
    expect(mailOf({ locale: 'ja', operator: {} }).senderName).toBe('株式会社みなと工房 via ソフトウェアライセンス');
    expect(new Set(links(html))).toEqual(new Set([purchaseOf({ locale: 'en' }).completionUrl]));
  });

  test('is answered by the seller, and by nobody whom no mail reaches', () => {
    expect(mailOf({}).replyTo).toBe('support@harbour.example');
    expect(mailOf({}, { seller: { name: 'Harbour', supportEmail: 'a.@例え.jp' } }).replyTo).toBe('"a."@xn--r8jz45g.jp');
    const unreachable = ['', 'not an address', 'a@b', '写真@harbour.example', 'a@b.example, c@d.example', '<a@b.example>'];
    for (const supportEmail of [...unreachable, `${'a'.repeat(65)}@b.example`]) {
      expect(mailOf({}, { seller: { name: 'Harbour', supportEmail } }).replyTo).toBeUndefined();
    }
  });

  test('cuts the names of its sender, each for itself and between characters', () => {
    const seller = { name: '\u{1f3b5}'.repeat(200), supportEmail: 'a@b.example' };
    const { senderName } = mailOf({ operator: { serviceName: '務'.repeat(100) } }, { seller });
    expect(senderName).toBe(`${'\u{1f3b5}'.repeat(59)}… via ${'務'.repeat(39)}…`);
    const whole = { name: '漢'.repeat(60), supportEmail: 'a@b.example' };
    expect(mailOf({ operator: { serviceName: '務'.repeat(40) } }, { seller: whole }).senderName).toBe(
      `${'漢'.repeat(60)} via ${'務'.repeat(40)}`,
    );
  });

  test('of a seller whose name shows nothing is sent by the service alone', () => {
    expect(mailOf({}, { seller: { name: '\u202e\u200f\n', supportEmail: 'a@b.example' } }).senderName).toBe('Minato Licenses');
  });
});

const kinds = MailKind.options.filter((kind): kind is NoticeKind => kind !== 'completion');
const cases = kinds.flatMap((kind) => locales.map((locale) => [kind, locale] as const));

const additions: Partial<Record<NoticeKind, Notice['addition']>> = {
  addition_counts: { kind: 'updates', quantity: 1, updatesDays: 365, activationLimit: 5, updatesUntil: '2028-03-31T15:30:00.000Z' },
  addition_ends: { kind: 'seats', quantity: 3, updatesDays: 0, activationLimit: 2 },
};

const noticeOf = (kind: NoticeKind, locale: Locale, more: Partial<Notice> = {}) => ({
  locale,
  operator: {},
  notice: {
    kind,
    productName: locale === 'ja' ? '波形エディター Pro' : 'Waveform Editor Pro',
    seller: { name: locale === 'ja' ? '株式会社みなと工房' : 'Harbour Works Ltd.', supportEmail: 'support@harbour.example' },
    orderId: 'ord_01JAAAAAAAAAAAAAAAAAAAAAAA',
    amount: locale === 'ja' ? 4800 : 3200,
    currency: locale === 'ja' ? 'JPY' : 'USD',
    deviceLabel: kind === 'device_released' ? 'Studio PC' : undefined,
    addition: additions[kind],
    upgrade:
      kind === 'license_upgraded' ? { productName: locale === 'ja' ? '波形エディター Studio' : 'Waveform Editor Studio' } : undefined,
    at: new Date('2026-01-14T20:30:00.000Z'),
    manageUrl: 'https://shop.example/manage',
    ...more,
  },
});

/** What a reader sees of the HTML, without the words around the address of the button. */
const seenIn = (html: string) =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('a notice', () => {
  test.each(cases)(
    'of the kind %s, in %s, reads as its golden file, says the same as HTML, and links to fresh links or nowhere',
    (kind, locale) => {
      const { subject, text, html } = renderNoticeMail(noticeOf(kind, locale));
      expectGolden(`notice-${kind.replaceAll('_', '-')}.${locale}.txt`, `Subject: ${subject}\n\n${text}`);
      for (const line of text.split('\n').filter(Boolean)) {
        const fact = /^([^:]{1,13}): (.*)$/.exec(line);
        for (const part of fact ? fact.slice(1) : [line]) expect(seenIn(html)).toContain(part.replace(/:$/, ''));
      }
      const linked = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1]);
      const expected = ['device_released', 'key_replaced'].includes(kind) ? ['https://shop.example/manage'] : [];
      expect([linked, text.match(/https?:\S+/g) ?? []]).toEqual([expected, expected]);
      expect(html).not.toMatch(/<(table|img|script|link|iframe|style|form)\b|url\(|@import/i);
    },
  );

  test('names the device on one line, without markup, and one without a name as such', () => {
    const hostile = { deviceLabel: '<b>PC</b>\r\nSupport: x@evil.example\u202e', productName: 'A\r\nBcc: x@evil.example' };
    const { subject, text, html } = renderNoticeMail(noticeOf('device_released', 'en', hostile));
    expect(subject).toBe('A device was released: A Bcc: x@evil.example');
    expect(text).toContain('Device: <b>PC</b> Support: x@evil.example\n');
    expect(text).not.toMatch(/^(Bcc|Support: x)/m);
    expect(html).not.toContain('<b>');
    for (const deviceLabel of [undefined, '', ' \n ']) {
      expect(renderNoticeMail(noticeOf('device_released', 'en', { deviceLabel })).text).toContain('Device: without a name\n');
      expect(renderNoticeMail(noticeOf('device_released', 'ja', { deviceLabel })).text).toContain('端末: 名前なし\n');
    }
  });

  test('of added seats tells how many there are in all', () => {
    const addition = { kind: 'seats', quantity: 1, updatesDays: 0, activationLimit: 6 } as const;
    expect(renderNoticeMail(noticeOf('addition_counts', 'en', { addition })).text).toMatch(/: 1 seat\.\n\nSeats in all: 6\n/);
  });

  test('tells the time with its zone', () => {
    expect(renderNoticeMail(noticeOf('key_replaced', 'en')).text).toContain('Time: January 14, 2026 at 8:30 PM UTC\n');
    expect(renderNoticeMail(noticeOf('key_replaced', 'ja')).text).toContain('日時: 2026年1月15日 5:30 JST\n');
  });
});

const address = 'licenses@shop.example';

/** The display name as a mail program reads it (RFC 5322, RFC 2047), if the header is well-formed. */
function readName(mailbox: string): string | undefined {
  const name = /^([ -~]*) <licenses@shop\.example>$/.exec(mailbox)?.[1] ?? '';
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
  const words = name.split(' ').map((word) => /^=\?UTF-8\?B\?([A-Za-z\d+/]*={0,2})\?=$/.exec(word)?.[1]);
  if (words.some((word) => word === undefined)) return undefined;
  return words.map((word) => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(word ?? '', 'base64'))).join('');
}

describe('a display name', () => {
  test.each([
    ['Harbour Works via Licenses', `"Harbour Works via Licenses" <${address}>`],
    ['O"Neil \\ Sons, <Ltd.>; via x', `"O\\"Neil \\\\ Sons, <Ltd.>; via x" <${address}>`],
    ['写真', `=?UTF-8?B?5YaZ55yf?= <${address}>`],
    ['Shop\nBcc: x', `=?UTF-8?B?U2hvcApCY2M6IHg=?= <${address}>`],
    // Programs that decode where they should not would show another name.
    ['=?UTF-8?Q?admin?=', `=?UTF-8?B?PT9VVEYtOD9RP2FkbWluPz0=?= <${address}>`],
  ])('%s is written for a header', (name, written) => {
    expect(mailboxOf(name, address)).toBe(written);
  });

  test('of any characters is read as it was, from one line of words that are short enough', () => {
    const lengths = { minLength: 1, maxLength: 200, size: 'max' } as const;
    const name = fc.oneof(
      fc.string({ unit: 'binary', ...lengths }),
      fc.string({ unit: fc.constantFrom('写', '\u{1f3b5}', '"', 'a', ' ', '\n'), ...lengths }),
    );
    fc.assert(
      fc.property(name, (text) => {
        const mailbox = mailboxOf(text, address);
        expect(mailbox).toMatch(/^[ -~]+$/);
        expect(readName(mailbox)).toBe(text);
        if (!mailbox.startsWith('"')) expect(Math.max(...mailbox.split(' ').map((word) => word.length))).toBeLessThanOrEqual(75);
      }),
    );
  });

  test('of the longest kind fits into one line of a header', () => {
    expect(`From: ${mailboxOf('\u{1f3b5}'.repeat(60 + 5 + 40), `${'a'.repeat(64)}@${'b'.repeat(189)}`)}`.length).toBeLessThan(998);
  });
});

/** Addresses that no mail can reach. */
const unreachable = [
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(250)}.example`,
  `a@${'b'.repeat(64)}.example`,
  `a@${'例'.repeat(63)}.jp`,
  `${'a'.repeat(64)}@${'b.'.repeat(94)}co`,
  'a@example',
  '@example.com',
  'a@',
  'a',
  'a@b..co',
  'a@.co',
  'a@-b.co',
  'a@b\u00adc.co',
  'a@b%2eco',
  'a@192.0.2.1',
  'a@0x7f.1',
  'a@xn--zzzz--.jp',
  'a b@example.com',
  'a@example.com\r\nBcc: x@y.example',
  'a@example.com\n',
  '"a"@example.com',
  'a@b@example.com',
  'a@b.co/c',
  'é@example.com',
  '太郎@例え.jp',
  '',
];

test.each([
  ['Help@Example.com', 'Help@Example.com'],
  ["o'neil+shop@mail.example.co.jp", "o'neil+shop@mail.example.co.jp"],
  [`${'a'.repeat(64)}@${'b'.repeat(63)}.example`, `${'a'.repeat(64)}@${'b'.repeat(63)}.example`],
  ['taro@例え.jp', 'taro@xn--r8jz45g.jp'],
  ['taro@例え。JP', 'taro@xn--r8jz45g.jp'],
  ['taro@xn--r8jz45g.jp', 'taro@xn--r8jz45g.jp'],
  ['a..b@docomo.ne.jp', '"a..b"@docomo.ne.jp'],
  ['a.@ezweb.ne.jp', '"a."@ezweb.ne.jp'],
  ['.a@例え.jp', '".a"@xn--r8jz45g.jp'],
  ['a.b@docomo.ne.jp', 'a.b@docomo.ne.jp'],
  ['a@_mail.b_c.co', 'a@_mail.b_c.co'],
  ...unreachable.map((address) => [address, undefined] as const),
])('%j is an address that the mail service is given as %s', (text, mailbox) => {
  expect(toMailbox(text)).toBe(mailbox);
});

test.each([
  ['buyer@example.com', 'b…@example.com'],
  ['b@example.com', 'b…@example.com'],
  ['Buyer.Name+shop@sub.example.co.jp', 'B…@sub.example.co.jp'],
  ['太郎@例え.jp', '太…@例え.jp'],
  ['no address', 'n…'],
  ['😀smile@example.com', '😀…@example.com'],
])('of %s a reader is shown %s', (whole, masked) => {
  expect(maskEmail(whole)).toBe(masked);
});

const hrefOf = (linked: string) =>
  /href="([^"]*)"/.exec(mailLink(linked).toString())?.[1]?.replaceAll('&amp;', '&').replaceAll('&#39;', "'") ?? '';

test.each([
  ...['help?bcc=spy@example.com', 'help?subject=x&body=y@example.com', 'a&cc=b@example.com', 'a%3Fbcc=b@example.com'],
  ...['a%40evil.example,b@example.com', 'a#b@example.com', "o'brien+tag=x;y@example.com", 'a@example.com?bcc=spy'],
  ...['太郎@例え.jp', 'a/../b@example.com'],
])('a link to %s writes to it alone, and adds nothing to the mail', (linked) => {
  const link = new URL(hrefOf(linked));
  expect([link.protocol, link.search, link.hash]).toEqual(['mailto:', '', '']);
  expect(link.pathname.replaceAll('@', '')).toMatch(/^[\w.!~*'()%-]*$/);
  expect(decodeURIComponent(link.pathname)).toBe(linked);
});

test('what has each mail sent is a payment, an admin, or free to whoever asks', () => {
  const ofOrders = MailKind.options.map((kind) => [kind, mailCauseOf({ kind }, { amount: 1 }), mailCauseOf({ kind }, { amount: 0 })]);
  expect(ofOrders).toEqual([
    ['completion', 'payment', 'free'],
    ['device_released', 'payment', 'free'],
    ['key_replaced', 'payment', 'free'],
    ['address_corrected', 'payment', 'free'],
    ['payment_refunded', 'payment', 'payment'],
    ['dispute_lost', 'payment', 'payment'],
    ['addition_counts', 'payment', 'payment'],
    ['addition_ends', 'payment', 'payment'],
    ['license_upgraded', 'payment', 'free'],
    ['upgrade_held_refunded', 'payment', 'payment'],
    ['upgrade_held_disputed', 'payment', 'payment'],
  ]);
  const { links, endpoint_notice, token_notice, review_notice } = causeOfKind;
  expect([links, endpoint_notice, token_notice, review_notice]).toEqual(['free', 'free', 'free', 'admin']);
  for (const [cause, amount] of [
    ['admin', 0],
    ['free', 1],
    ['payment', 0],
  ] as const) {
    expect(mailCauseOf({ kind: 'completion', cause }, { amount })).toBe(cause);
  }
});

test('the folders of a mailbox, and each way to write its domain, are one', () => {
  const keys = Keyring.parse(`1:${'a'.repeat(43)}`);
  const same = ['taro@例え.jp', 'Taro+1@例え.jp', 'TARO+a+b@xn--r8jz45g.JP', 'taro+@例え.jp', ' taro@例え.jp '].map((address) =>
    mailboxHash(address, keys),
  );
  expect(new Set(same).size).toBe(1);
  const others = ['taro.1@例え.jp', '+taro@例え.jp', '+@例え.jp', 'taro@例え.com'].map((address) => mailboxHash(address, keys));
  expect(new Set([...same, ...others]).size).toBe(5);
});

test('a buyer’s orders are found under every key, and under the Unicode form of each label that has one', () => {
  const keys = Keyring.parse(`2:${'b'.repeat(43)},1:${'a'.repeat(43)}`);
  const hashes = ['a@b.jp', 'a@例え.jp', 'a@b.例え.jp'].map((address) => new Set(buyerEmailHashes(address, keys)).size);
  expect(hashes).toEqual([2, 4, 4]);
});
