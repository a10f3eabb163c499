import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mailLink } from '../../../functions/pages/views/components.ts';
import { maskEmail } from '../../../shared/buyer-email/buyer-email.ts';
import { isMailAddress, mailboxOf } from '../../../shared/mail/layout/mailbox.ts';

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

test.each([
  ['help@example.com', true],
  ["o'neil+shop@mail.example.co.jp", true],
  [`${'a'.repeat(64)}@${'b'.repeat(63)}.example`, true],
  [`${'a'.repeat(65)}@example.com`, false],
  [`a@${'b'.repeat(250)}.example`, false],
  ['a@example', false],
  ['@example.com', false],
  ['a b@example.com', false],
  ['a@example.com\r\nBcc: x@y.example', false],
  ['a@example.com\n', false],
  ['"a"@example.com', false],
  ['é@example.com', false],
  ['a@b@example.com', false],
  ['', false],
])('%j as an address of a header: %s', (text, expected) => {
  expect(isMailAddress(text)).toBe(expected);
});

test.each([
  ['buyer@example.com', 'b…@example.com'],
  ['b@example.com', 'b…@example.com'],
  ['Buyer.Name+shop@sub.example.co.jp', 'B…@sub.example.co.jp'],
  ['太郎@例え.jp', '太…@例え.jp'],
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
