import { describe, expect, test } from '@jest/globals';
import type { Locale } from '../../../shared/locale.ts';
import { type Notice, renderNoticeMail } from '../../../shared/mail/buyer-mails/notice-mail.ts';
import { MailKind, type NoticeKind } from '../../../shared/mail/outbox/mail.ts';
import { expectGolden } from '../../support/golden.ts';

const kinds = MailKind.options.filter((kind): kind is NoticeKind => kind !== 'completion');
const locales = ['ja', 'en'] as const;
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
