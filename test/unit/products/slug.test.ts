import { describe, expect, test } from '@jest/globals';
import { canonicalSlug, isSlug, productPath, releasesPath, slugOf } from '../../../shared/products/slug.ts';
import { mixesScripts } from '../../../shared/text/words.ts';

describe('the slug of a product name', () => {
  test.each([
    ['Photo Studio 2', 'photo-studio-2'],
    ['  --Photo!!  Studio__2--  ', 'photo-studio-2'],
    ['Ｐｈｏｔｏ　Ｓｔｕｄｉｏ ②', 'photo-studio-2'],
    ['写真スタジオ ２', '写真スタジオ-2'],
    ['ﾌｫﾄ', 'フォト'],
    ['Éditeur d’images', 'éditeur-d-images'],
    ['E\u0301diteur', 'éditeur'],
    ['हिन्दी सॉफ्टवेयर', 'हिन्दी-सॉफ्टवेयर'],
    ['برنامج ٣', 'برنامج-٣'],
    ['ПРОГРАММА', 'программа'],
    ['C++ / C#', 'c-c'],
    ['a\u200bb', 'ab'],
    ['Ph\u00adoto\u2060 \u3164Stu\u{e0041}dio\ufe0f', 'photo-studio'],
    ['e\u034f\u0301diteur', 'éditeur'],
    ['🎨 paint 🎨', 'paint'],
  ])('%p is %p', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
    expect(isSlug(slug)).toBe(true);
  });

  test.each(['', '   ', '---', '!!! ???', '🎨', '\u115f\u200d'])('%p has none', (name) => {
    expect(slugOf(name)).toBe('');
  });

  test('is at most 80 code points long and does not end in a dash', () => {
    expect([...slugOf('𠮷'.repeat(200))]).toHaveLength(80);
    expect(slugOf(`${'a'.repeat(79)} bcd`)).toBe('a'.repeat(79));
    expect(isSlug(slugOf('𠮷'.repeat(200)))).toBe(true);
  });

  test.each(['pаypal', 'Ρhoto', 'tool for Вindows', '５µm', 'Ϲ\u200bafé', 'Ꭰdobe', 'wօrd', 'kitاb', 'aअ'])(
    '%p imitates: two scripts in one word',
    (name) => {
      expect(mixesScripts(name)).toBe(true);
    },
  );

  test.each([
    ...['Photo Программа', 'Ω Studio', 'Photo日本', 'ПРОГРАММА 2', 'Wordまとめー', 'Photoアプリ', 'Wi한글'],
    ...['Café\u0323', 'v٢', 'MC\u200bハンマー', 'Re\u0332ad'],
  ])('%p does not', (name) => {
    expect(mixesScripts(name)).toBe(false);
  });

  test.each(['', '-a', 'a-', 'a--b', 'a b', 'a\0', 'a/../b', '%41', 'a'.repeat(81), 'x'.repeat(100_000)])('%j cannot be one', (text) => {
    expect(isSlug(text)).toBe(false);
  });

  test.each([
    ['フォトカ\u3099', 'フォトガ'],
    ['e\u0301diteur', 'éditeur'],
    ['studio/', 'studio'],
    ['studio.', 'studio'],
    ['studio。', 'studio'],
    ['studio/.。/', 'studio'],
    ['Studio-2', 'Studio-2'],
    ['./studio', './studio'],
  ])('%j is meant as %j', (text, slug) => {
    expect(canonicalSlug(text)).toBe(slug);
  });

  test('is in the addresses of the pages', () => {
    expect([productPath('音楽-プロ'), releasesPath('a-b')]).toEqual(['/p/%E9%9F%B3%E6%A5%BD-%E3%83%97%E3%83%AD', '/p/a-b/releases']);
  });
});
