import { describe, expect, test } from '@jest/globals';
import { locales } from '../../../shared/locale.ts';
import { renderPurchaseLinksMail } from '../../../shared/mail/buyer-mails/purchase-links-mail.ts';
import { type MailedPurchase, renderPurchaseMail } from '../../../shared/mail/buyer-mails/purchase-mail.ts';
import type { MailContext, RenderedMail } from '../../../shared/mail/layout/mail-layout.ts';
import type { Operator } from '../../../shared/operator.ts';
import { expectGolden } from '../../support/golden.ts';

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
const purchaseMail = (frame: Partial<MailContext> = {}, more: Partial<MailedPurchase> = {}) => {
  const whole = { locale: 'en' as const, operator, ...frame };
  return renderPurchaseMail({ ...whole, purchase: purchaseOf(whole, more), linkHours: 24 });
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
  [
    'addition-mail',
    (frame) => {
      const purchase = purchaseOf(frame, { ...seats, amount: 4800 });
      return renderPurchaseMail({ ...frame, operator, purchase, linkHours: 24, isUsable: false });
    },
  ],
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
    const unreachable = [
      '',
      'not an address',
      'a@b',
      '写真@harbour.example',
      'a@写真.example',
      'a@b.example, c@d.example',
      '<a@b.example>',
    ];
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
