import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fieldText } from '../../../functions/console/browser/text/field-text.ts';
import { markedText } from '../../../functions/console/browser/text/marked-text.ts';
import { webAddressOf } from '../../../functions/console/browser/text/web-address.ts';
import { wordDiff } from '../../../functions/console/browser/text/word-diff.ts';
import { processorMs } from '../../support/processor-time.ts';

const shown = (text: string, multiline?: boolean) =>
  markedText(text, multiline).map((piece) =>
    piece.kind === 'mark' ? `<${piece.mark} ${piece.label}>` : piece.kind === 'mixed' ? `{${piece.text}}` : piece.text,
  );

const joined = (text: string, multiline?: boolean) => shown(text, multiline).join('');

describe('a seller’s text in pieces', () => {
  test.each([
    ['a\u202eb', 'a<direction U+202E>b'],
    ['a\u2066\u2069b', 'a<direction U+2066 U+2069>b'],
    ['\u200f', '<direction U+200F>'],
    ['a\u200bb', 'a<invisible U+200B>b'],
    ['a\u200b\u200b\u200bb', 'a<invisible U+200B ×3>b'],
    ['\u200b\u200c\u200d\u2060\ufeff', '<invisible U+200B U+200C U+200D +2>'],
    ['\u200b\u202e', '<direction U+200B U+202E>'],
    ['so\u00adft', 'so<invisible U+00AD>ft'],
    ['a\u2028b\u2029', 'a<line U+2028>b<line U+2029>'],
    ['\0\u0007', '<control U+0000 U+0007>'],
    ['\ue000', '<private U+E000>'],
    ['\u0378', '<unassigned U+0378>'],
    ['\ud800x', '<broken U+D800>x'],
    ['a\ufe0f', 'a<invisible U+FE0F>'],
    ['\u{e0041}\u{e007f}', '<invisible U+E0041 U+E007F>'],
    ['\u3164\u115f', '<invisible U+3164 U+115F>'],
    ['\u2800', '<invisible U+2800>'],
    ['\u{13437}\u{1d159}\ufff9', '<invisible U+13437 U+1D159 U+FFF9>'],
    ['\u034f\u0301', '<invisible U+034F U+0301>'],
    ['\u0301a', '<stacked U+0301>a'],
  ])('%j shows %j', (text, pieces) => {
    expect(joined(text)).toBe(pieces);
  });

  test.each([
    'Photo Editor 2',
    '写真スタジオ',
    'برنامج',
    'हिन्दी सॉफ्टवेयर',
    'Cafe\u0301',
    'ê\u0301\u0323',
    '😀 👍🏽 ❤️ 1️⃣ 🇯🇵',
    '👩‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍💻',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '葛\u{e0100}城',
    '　全角',
  ])('%j is plain', (text) => {
    expect(shown(text)).toEqual([text]);
  });

  test.each([
    ['😀\u200d', '😀<invisible U+200D>'],
    ['😀\u200dx', '😀<invisible U+200D>x'],
    ['🏴\u{e0068}\u{e007f}', '🏴<invisible U+E0068 U+E007F>'],
    ['葛\u{e0100}\u{e0101}', '葛\u{e0100}<invisible U+E0101>'],
  ])('what only begins like an emoji or a variant shows the rest: %j', (text, pieces) => {
    expect(joined(text)).toBe(pieces);
  });

  test('line ends and tabs are layout in a text of several lines alone', () => {
    expect(shown('a\r\n\tb\n', true)).toEqual(['a\r\n\tb\n']);
    expect(joined('a\rb', true)).toBe('a<line U+000D>b');
    expect(joined('a\u200b\n\u200b', true)).toBe('a<invisible U+200B>\n<invisible U+200B>');
    expect(joined('a\nb\t')).toBe('a<line U+000A>b<control U+0009>');
  });

  test('no more than six marks stand on a letter', () => {
    expect(joined(`a${'\u0301'.repeat(6)}b`)).toBe(`a${'\u0301'.repeat(6)}b`);
    expect(joined(`a${'\u0301'.repeat(9)}b`)).toBe(`a${'\u0301'.repeat(6)}<stacked U+0301 ×3>b`);
    expect(joined(`\u{1e800}${'\u{1e8d0}'.repeat(8)}`)).toBe(`\u{1e800}${'\u{1e8d0}'.repeat(6)}<stacked U+1E8D0 ×2>`);
  });

  test.each([
    ['pаypal', '{pаypal}'],
    ['see pаypal, please', 'see {pаypal}, please'],
    ['アプリpаypalを', '{アプリpаypalを}'],
    ['Photo Программа', 'Photo Программа'],
    ['Photo日本', 'Photo日本'],
    ['а℀', '{а℀}'],
  ])('%j shows its words of mixed scripts: %j', (text, pieces) => {
    expect(joined(text)).toBe(pieces);
  });

  const nasty = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'a1 \n\r\tа\u200d\u200b\u202e\ufe0f\u0301\u20e3😀葛🏴\u{e0100}\u{e0067}', '\ud800', '\udc00'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 60,
  });

  test('the pieces are the text, and nothing unseen is in one that is shown as it is', () => {
    fc.assert(
      fc.property(nasty, fc.boolean(), (text, multiline) => {
        const pieces = markedText(text, multiline);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        expect(pieces.every((piece) => piece.text !== '')).toBe(true);
        const plain = pieces.flatMap((piece) => (piece.kind === 'mark' ? [] : [piece.text])).join('');
        expect(plain).not.toMatch(/\p{Bidi_Control}|[\u200b\p{Zl}\p{Zp}\p{Cs}]|\p{M}{7}/u);
        if (!multiline) expect(plain).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  const units = ['\u200b', 'a\u200b', '\u0301', '😀\u200d', 'аa ', 'аa', '\ufdfaа', '1', '\ud800a', '🏴\u{e0067}\u{e0062}', '葛'];
  test.each(units)('20,000 characters of %j take no time', (unit) => {
    const text = unit.repeat(Math.ceil(20_000 / unit.length));
    expect(processorMs(() => markedText(text, true))).toBeLessThan(250);
  });
});

const signs = { same: '', added: '+', removed: '-' };
const diffOf = (before: string, after: string) =>
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
    expect(diffOf(before, after)).toBe(parts);
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
