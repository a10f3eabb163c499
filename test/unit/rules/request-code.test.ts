import { expect, test } from '@jest/globals';
import { parseRequestCode } from '../../../shared/leases/request-code.ts';

const encoded = (bytes: Buffer | string) => `LAR1.${Buffer.from(bytes).toString('base64url')}`;
const codeOf = (said: unknown) => encoded(JSON.stringify(said));
const [p, d, n] = ['prod_1', 'device-1', 'a'.repeat(22)];

test('a request code says product and device, and a label and a nonce if it likes', () => {
  expect(parseRequestCode(codeOf({ p, d }))).toEqual({ productId: p, deviceFingerprint: d });
  const all = { productId: p, deviceFingerprint: d, deviceLabel: 'Büro', nonce: n };
  expect(parseRequestCode(codeOf({ p, d, l: 'Büro', n, later: 1 }))).toEqual(all);
});

test('white space in a request code means nothing, also what cannot be seen', () => {
  const code = codeOf({ p, d });
  const spread = [...code].join('\u00a0');
  for (const text of [` ${code}\r\n`, spread, code.replaceAll('1', '\u200b 1\u200b\t')]) {
    expect(parseRequestCode(text)).toEqual({ productId: p, deviceFingerprint: d });
  }
});

test.each([
  ['nothing', ''],
  ['no prefix', codeOf({ p, d }).slice('LAR1.'.length)],
  ['another prefix', codeOf({ p, d }).replace('LAR1', 'LAR2')],
  ['the prefix within', `x${codeOf({ p, d })}`],
  ['no JSON', encoded('{')],
  ['no object', codeOf([])],
  ['no product', codeOf({ d })],
  ['no device', codeOf({ p })],
  ['an empty device', codeOf({ p, d: '' })],
  ['a zero in a text', codeOf({ p: 'a\0b', d })],
  ['half a character', encoded('{"p":"\\ud800","d":"x"}')],
  ['bytes that are no text', encoded(Buffer.from('{"p":"\xff","d":"x"}', 'latin1'))],
  ['symbols of no use', `${codeOf({ p, d })}!`],
  ['padding', `${codeOf({ p, d })}=`],
])('what has %s is no request code', (_, code) => {
  expect(parseRequestCode(code)).toBeUndefined();
});

test('a request code has 4,000 symbols at most, spaces apart', () => {
  const withPadding = (length: number) => codeOf({ p, d, x: 'x'.repeat(length) });
  const room = Math.floor(((4000 - codeOf({ p, d, x: '' }).length) * 3) / 4);
  const lengths = Array.from({ length: 8 }, (_, more) => room - 4 + more);
  for (const code of lengths.map(withPadding)) expect(parseRequestCode(code) !== undefined).toBe(code.length <= 4000);
  const longest = lengths.map(withPadding).findLast(({ length }) => length <= 4000) ?? '';
  expect(longest).toHaveLength(4000);
  expect(parseRequestCode(`${longest}  `)).toBeDefined();
});
