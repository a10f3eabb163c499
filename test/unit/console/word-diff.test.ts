import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fieldText } from '../../../functions/console/browser/text/field-text.ts';
import { webAddressOf } from '../../../functions/console/browser/text/web-address.ts';
import { wordDiff } from '../../../functions/console/browser/text/word-diff.ts';
import { processorMs } from '../../support/processor-time.ts';

const signs = { same: '', added: '+', removed: '-' };
const shown = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : `[${signs[kind]}${text}]`))
    .join('');

const side = (before: string, after: string, left: 'added' | 'removed') =>
  wordDiff(before, after)
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('');

describe('a difference by words', () => {
  test.each([
    ['', '', ''],
    ['same text', 'same text', 'same text'],
    ['', 'new', '[+new]'],
    ['old', '', '[-old]'],
    ['Edits photos.', 'Edits big photos.', 'Edits [+big ]photos.'],
    ['one two three', 'one 2 three', 'one [-two][+2] three'],
    ['a quick fox ran', 'a slow dog ran', 'a [-quick fox][+slow dog] ran'],
    ['写真を編集します。', '動画を編集します。', '[-写真][+動画]を編集します。'],
    ['one\ntwo\nthree', 'one\nthree', 'one\n[-two\n]three'],
    ['one\ntwo', 'one\ntwo\n', 'one\ntwo[+\n]'],
    ['pay', 'p\u200bay', '[-pay][+p\u200bay]'],
  ])('from %j to %j', (before, after, parts) => {
    expect(shown(before, after)).toBe(parts);
  });

  const words = fc
    .array(fc.oneof(fc.constantFrom('a', 'b', ' ', '\n', '写真', '動画', '\u200b', '\ud800', '👩‍👩‍👧'), fc.string({ maxLength: 3 })), {
      maxLength: 40,
    })
    .map((all) => all.join(''));

  test('taken back it is the text before, applied the text after, and no two parts of a kind meet', () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        expect(side(before, after, 'added')).toBe(before);
        expect(side(before, after, 'removed')).toBe(after);
        const parts = wordDiff(before, after);
        expect(parts.every(({ kind, text }, index) => text !== '' && kind !== parts[index + 1]?.kind)).toBe(true);
      }),
    );
  });

  const of20000 = (unit: (index: number) => string) =>
    Array.from({ length: 20_000 }, (_, index) => unit(index))
      .join('')
      .slice(0, 20_000);
  test.each<[string, string, string]>([
    ['nothing in common', of20000(() => 'a '), of20000(() => 'b ')],
    ['every second word', of20000((i) => `w${i} `), of20000((i) => (i % 2 ? `w${i} ` : `v${i} `))],
    ['many lines', of20000((i) => `${i % 7}\n`), of20000((i) => `${i % 5}\n`)],
    [
      'lines of which each changed a little',
      of20000((i) => `line ${i} ${'ab '.repeat(40)}\n`),
      of20000((i) => `line ${i} ${'ba '.repeat(40)}\n`),
    ],
    ['Japanese', of20000((i) => (i % 3 ? '写真' : 'を編集')), of20000((i) => (i % 2 ? '動画' : 'を編集'))],
    ['one character a word', of20000((i) => '!?'.charAt(i % 2)), of20000((i) => '?!#'.charAt(i % 3))],
  ])('two texts of 20,000 characters with %s take no time', (_, before, after) => {
    wordDiff('warm', 'up');
    expect(processorMs(() => expect(side(before, after, 'removed')).toBe(after))).toBeLessThan(800);
  });
});

describe('a field as a text', () => {
  test.each([
    [undefined, ''],
    [null, ''],
    [false, 'false'],
    [0, '0'],
    [['export', 'batch'], 'export\nbatch'],
    [{ export: { ja: '書き出し', en: 'Export' }, batch: undefined }, 'export · en: Export\nexport · ja: 書き出し'],
    [{}, ''],
  ])('%j reads %j', (value, text) => {
    expect(fieldText(value, String)).toBe(text);
  });
});

describe('an address that somebody wrote', () => {
  test.each([
    ['https://example.com/a b', { href: 'https://example.com/a%20b', foreign: false }],
    ['http://пример.рф', { href: 'http://xn--e1afmkfd.xn--p1ai/', foreign: true }],
    ['https://example.com/пример', { href: 'https://example.com/%D0%BF%D1%80%D0%B8%D0%BC%D0%B5%D1%80', foreign: false }],
  ])('%p opens as %p', (text, address) => {
    expect(webAddressOf(text)).toEqual(address);
  });

  test('nothing else does', () => {
    const schemes = ['', 'example.com', 'javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', 'ftp://a.b', 'https://'];
    const people = ['https://paypal.com@evil.example', 'https://:x@evil.example'];
    expect([...schemes, ...people].map(webAddressOf)).toEqual(Array(9).fill(undefined));
  });

  test('whatever it is, what shows is plain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        expect(webAddressOf(`https://example.com/${path}`)?.href ?? '').toMatch(/^[\x21-\x7e]*$/);
      }),
    );
  });
});
