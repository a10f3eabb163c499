import { describe, expect, test } from '@jest/globals';
import { endpointUrl } from '../../../shared/webhook-endpoints/endpoints/endpoint-url.ts';

const accepts = (url: string, stage: 'local' | 'staging' | 'production' = 'production') => endpointUrl(stage).safeParse(url).success;
const longest = `https://hooks.example.com/${'a'.repeat(2048 - 'https://hooks.example.com/'.length)}`;

describe('the URL of an endpoint', () => {
  test.each([
    'https://example.com',
    'https://hooks.example.com/events?from=us&key=1',
    'https://hooks.example.com:443/events',
    'HTTPS://Hooks.Example.com/',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://a.例え.jp/フック',
    'https://1.2.3.4.example.com/',
    'https://a.localhost.example.com/',
    'https://example.thelocal/',
    'https://example.com/@hook:80',
    longest,
  ])('is https of a public name: %s', (url) => {
    expect(accepts(url)).toBe(true);
    expect(endpointUrl('production').parse(url)).toBe(url);
  });

  const urls = (list: string) => list.trim().split(/\s+/);
  test.each([
    [
      'another scheme',
      urls('http://b.jp/?https://b.jp ftp://example.com/ ws://example.com/ javascript:alert(1) //example.com/ example.com'),
    ],
    ['a port', urls('https://example.com:80/ https://example.com:8443/ https://example.com:0/ https://example.com:65536/')],
    ['credentials', urls('https://user:pass@example.com/ https://user@example.com/ https://@example.com/ https://:@example.com/')],
    ['an address behind credentials', ['https://example.com@169.254.169.254/']],
    ['a fragment', urls('https://example.com/#x https://example.com/# https://example.com#@10.0.0.1/')],
    ['an IPv4 address', urls('https://127.0.0.1/ https://8.8.8.8/ https://8.8.8.8./ https://8.8.8/ https://134744072/')],
    ['an octal address', urls('https://0177.0.0.1/ https://017700000001/')],
    ['a hexadecimal address', urls('https://0x7f.0.0.1/ https://0x7f000001/ https://0x7f.1/')],
    ['an address in other digits', urls('https://１２７.０.０.１/ https://127。0。0。1/ https://①②⑦.0.0.1/ https://%31%32%37.0.0.1/')],
    ['an IPv6 address', urls('https://[::1]/ https://[2606:2800::1]/ https://[::ffff:127.0.0.1]/')],
    ['an IPv6 address of another kind', urls('https://[64:ff9b::7f00:1]/ https://[fe80::1%25eth0]/')],
    ['a name without a dot', urls('https://localhost/ https://metadata/ https://com/ https://xn--fiqs8s/')],
    [
      'a local name',
      urls('https://a.localhost/ https://printer.local/ https://metadata.google.internal/ https://A.LOCALHOST/ https://x.ⓛocal/'),
    ],
    ['a name that ends with a dot', urls('https://example.com./ https://localhost./ https://a.internal./')],
    ['an empty label', urls('https://a..example.com/ https://.example.com/')],
    ['a misformed label', urls('https://-a.example.com/ https://a.example.1/ https://a.b-/ https://a_b.c_d/')],
    ['a name that is too long', [`https://${'a'.repeat(64)}.example.com/`, `https://${'abcdefg.'.repeat(32)}com/`]],
    ['space that parsers leave out', [' https://example.com/', 'https://example.com/ ', 'https://exa\tmple.com/']],
    ['signs that parsers leave out', ['https://example.com/\u0000', 'https://exam\u200eple.com/']],
    [
      'slashes that parsers correct',
      ['https:\\\\example.com/', 'https:/example.com/', 'https:///example.com/', 'https://example.com\\hook'],
    ],
    ['a backslash before an address', ['https://example.com\\@10.0.0.1/']],
    ['nothing', ['', 'https://', 'https://?', 'https:///']],
  ])('is not one with %s', (_, refused) => {
    for (const stage of ['local', 'staging', 'production'] as const) expect(refused.filter((url) => accepts(url, stage))).toEqual([]);
  });

  test('is at most 2,048 characters long, and longer ones are not looked at', () => {
    expect(endpointUrl('production').safeParse(`${longest}a`).error?.issues).toMatchObject([
      { message: 'must be at most 2048 characters long' },
    ]);
    expect(accepts(`https://example.com/${'😀'.repeat(2028)}`)).toBe(true);
  });

  test.each([
    ['https://shop.example.com', 'production', 'https://Shop.example.com:443/v1/public/products/a/checkout', false],
    ['https://shop.example.com/', 'staging', 'https://shop.example.com/__local/receiver', false],
    ['https://shop.example.com:8443', 'production', 'https://shop.example.com/', false],
    ['https://shop.example.com', 'production', 'https://hooks.shop.example.com/', true],
    ['https://shop.example.com', 'local', 'https://shop.example.com/', false],
    ['http://127.0.0.1:3000', 'local', 'http://127.0.0.1:3000/v1/licenses/activate', false],
    ['http://127.0.0.1:3000', 'local', 'http://127.0.0.1:3000/__local/%2e%2e/v1/licenses/activate', false],
    ['http://127.0.0.1:3000', 'local', 'http://127.0.0.1:3000/__local/receiver/shop', true],
    ['http://127.0.0.1:3000', 'local', 'http://127.0.0.1:3001/hook', true],
  ] as const)('of a service at %s (%s) may be %s: %s', (own, stage, url, taken) => {
    expect(endpointUrl(stage, own).safeParse(url).success).toBe(taken);
  });

  test.each(['http://127.0.0.1', 'http://127.0.0.1:3000/__local/receiver/shop', 'http://127.0.0.1:80/?a=b'])('may locally be %s', (url) => {
    expect(accepts(url, 'local')).toBe(true);
    expect(accepts(url, 'staging')).toBe(false);
    expect(accepts(url, 'production')).toBe(false);
  });

  test.each([
    ...urls('http://127.0.0.2/ http://127.1/ http://2130706433/ http://0x7f.0.0.1/ http://localhost/ http://localhost:3000/ http://[::1]/'),
    ...urls('http://10.0.0.1/ http://169.254.169.254/ http://0.0.0.0/ http://127.0.0.1.example.com/ http://127.0.0.1@example.com/'),
    ...urls('http://example.com/?http://127.0.0.1/ http://user@127.0.0.1/ http://127.0.0.1:3000/#x http://127.0.0.1:99999/'),
    ...urls('https://127.0.0.1/ https://127.0.0.1:3000/'),
  ])('may locally not be %s', (url) => {
    expect(accepts(url, 'local')).toBe(false);
  });
});
