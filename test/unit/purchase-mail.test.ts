import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Locale } from '../../shared/locale.ts';
import { renderPurchaseLinksMail } from '../../shared/mail/purchase-links-mail.ts';
import { type PurchaseMail, renderPurchaseMail } from '../../shared/mail/purchase-mail.ts';

const mailOf = (locale: Locale, more: Partial<PurchaseMail> = {}): PurchaseMail => ({
  locale,
  productName: locale === 'ja' ? '波形エディター Pro' : 'Waveform Editor Pro',
  sellerName: locale === 'ja' ? '株式会社みなと工房' : 'Harbour Works Ltd.',
  supportEmail: 'support@harbour.example',
  completionUrl: 'https://shop.example/complete#token=eyJhbGciOiJIUzI1NiJ9.eyJvcmRlciI6Im9yZF8xIn0.c2lnbmF0dXJl',
  linkHours: 24,
  ...more,
});

/** Compares with a golden file; run with UPDATE_GOLDEN=1 to write it, then read the difference. */
function expectGolden(name: string, actual: string): void {
  const path = new URL(`../golden/${name}`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) writeFileSync(path, actual);
  expect(actual).toBe(readFileSync(path, 'utf8'));
}

describe('the purchase mail', () => {
  test.each(['ja', 'en'] as const)('reads as its golden files in %s', (locale) => {
    const first = renderPurchaseMail(mailOf(locale));
    expectGolden(`purchase-mail.${locale}.txt`, `Subject: ${first.subject}\n\n${first.text}`);
    expectGolden(`purchase-mail.${locale}.html`, first.html);
  });

  test.each(['ja', 'en'] as const)('is small, without tables, scripts or anything fetched, in %s', (locale) => {
    const { html } = renderPurchaseMail(mailOf(locale, { productName: 'あ'.repeat(200), sellerName: '漢'.repeat(200) }));
    expect(Buffer.byteLength(html)).toBeLessThan(20_000);
    expect(html).not.toMatch(/<(table|img|script|link|iframe|style|form)\b|url\(|@import/i);
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1])).toEqual([mailOf(locale).completionUrl]);
  });

  test('takes no markup and no further header from names', () => {
    const { subject, text, html } = renderPurchaseMail(
      mailOf('en', {
        productName: 'A & <img src=x onerror="x">\r\nBcc: x@evil.example\u2028\u202egnp',
        sellerName: '"><script>x</script>',
      }),
    );
    expect(subject).toBe('Your purchase: A & <img src=x onerror="x"> Bcc: x@evil.example gnp');
    expect(html).not.toMatch(/<img|<script/);
    expect(html).toContain('A &amp; &lt;img src=x onerror=&quot;x&quot;&gt; Bcc: x@evil.example gnp');
    expect(text).not.toMatch(/^Bcc/m);
  });
});

describe('the mail with fresh links', () => {
  const purchaseOf = (locale: Locale, at: number, more: Partial<PurchaseMail> = {}) => ({
    ...mailOf(locale, more),
    paidAt: new Date(`2026-0${at}-14T20:30:00.000Z`),
    completionUrl: `https://shop.example/complete#token=eyJhbGciOiJIUzI1NiJ9.eyJvcmRlciI6Im9yZF8${at}In0.c2lnbmF0dXJl`,
  });
  const linksOf = (locale: Locale, ...purchases: ReturnType<typeof purchaseOf>[]) =>
    renderPurchaseLinksMail({ locale, purchases, linkHours: 24 });

  test.each(['ja', 'en'] as const)('reads as its golden files in %s, for one purchase and for several', (locale) => {
    const one = linksOf(locale, purchaseOf(locale, 1));
    expectGolden(`purchase-link-mail.${locale}.txt`, `Subject: ${one.subject}\n\n${one.text}`);
    const two = linksOf(locale, purchaseOf(locale, 2, { productName: 'ネジ & Bolt' }), purchaseOf(locale, 1));
    expectGolden(`purchase-links-mail.${locale}.txt`, `Subject: ${two.subject}\n\n${two.text}`);
    expectGolden(`purchase-links-mail.${locale}.html`, two.html);
  });

  test('links to the purchases and nowhere else, and takes no markup and no further line from names', () => {
    const hostile = { productName: 'A & <img src=x>\r\nBcc: x@evil.example\u202e', sellerName: '"><script>x</script>\nSupport: x' };
    const { subject, text, html } = linksOf('en', purchaseOf('en', 1, hostile));
    expect(subject).toBe('A fresh link to your purchase: A & <img src=x> Bcc: x@evil.example');
    expect(html).not.toMatch(/<(table|img|script|link|iframe|style|form)\b|url\(|@import/i);
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1])).toEqual([purchaseOf('en', 1).completionUrl]);
    expect(text).not.toMatch(/^(Bcc|Support: x)/m);
  });
});
