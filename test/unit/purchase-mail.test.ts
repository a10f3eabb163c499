import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Locale } from '../../shared/locale.ts';
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
    const again = renderPurchaseMail(mailOf(locale, { resent: true }));
    expectGolden(`purchase-mail-resent.${locale}.txt`, `Subject: ${again.subject}\n\n${again.text}`);
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
