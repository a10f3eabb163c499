import { describe, expect, test } from '@jest/globals';
import { mailLink } from '../../../functions/pages/views/components.ts';

const hrefOf = (address: string) =>
  /href="([^"]*)"/.exec(mailLink(address).toString())?.[1]?.replaceAll('&amp;', '&').replaceAll('&#39;', "'") ?? '';

describe('a link to an address', () => {
  test.each([
    ...['help?bcc=spy@example.com', 'help?subject=x&body=y@example.com', 'a&cc=b@example.com', 'a%3Fbcc=b@example.com'],
    ...['a%40evil.example,b@example.com', 'a#b@example.com', "o'brien+tag=x;y@example.com", 'a@example.com?bcc=spy'],
    ...['太郎@例え.jp', 'a/../b@example.com'],
  ])('writes to %s alone, and adds nothing to the mail', (address) => {
    const link = new URL(hrefOf(address));
    expect([link.protocol, link.search, link.hash]).toEqual(['mailto:', '', '']);
    expect(link.pathname.replaceAll('@', '')).toMatch(/^[\w.!~*'()%-]*$/);
    expect(decodeURIComponent(link.pathname)).toBe(address);
  });
});
