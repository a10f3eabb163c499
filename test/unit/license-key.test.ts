import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codeFault } from '../../shared/code-batches/code-batch.ts';
import { newId } from '../../shared/ids.ts';
import { currentLookup, deviceHashOf, licenseLookups, pepperVersionOf } from '../../shared/licenses/license-lookup.ts';
import { openLicenseKey } from '../../shared/licenses/new-license.ts';
import {
  generateLicenseKey,
  isMalformedKeyText,
  isMalformedLicenseKey,
  isPossibleKey,
  keyAlphabet,
  licenseKeyHint,
  lookupFormsOf,
  normalizeLicenseKey,
} from '../../shared/text/license-key.ts';
import { tries } from '../support/depth.ts';
import { encryptionKeys, keyringOf, sampleLicense } from '../support/samples/licenses.ts';

const prefixSymbols = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const prefixes = fc.string({ unit: fc.constantFrom(...prefixSymbols), minLength: 1, maxLength: 12 });
const seeds = fc.uint8Array({ minLength: 23, maxLength: 23 });
const keys = fc.tuple(prefixes, seeds).map(([prefix, seed]) => generateLicenseKey(prefix, () => seed));

describe('a generated license key', () => {
  test('is the prefix and five groups of five symbols', () => {
    fc.assert(
      fc.property(prefixes, seeds, (prefix, seed) => {
        const key = generateLicenseKey(prefix, () => seed);
        expect(key).toMatch(new RegExp(`^${prefix}(-[0-9A-HJKMNP-TV-Z]{5}){5}$`));
        expect(isMalformedLicenseKey(normalizeLicenseKey(key))).toBe(false);
      }),
    );
  });

  test('uses every symbol equally often, five bits of each random byte', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const [, symbols = ''] = generateLicenseKey('A', (size) => new Uint8Array(size).fill(byte)).split('-');
      counts.set(symbols.charAt(0), (counts.get(symbols.charAt(0)) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join('')).toBe(keyAlphabet);
    expect(new Set(counts.values())).toEqual(new Set([8]));
  });

  test('differs each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => generateLicenseKey('LIC1', randomBytes))).size).toBe(1000);
  });

  test.each(['', 'ABCDEFGHIJKLM', 'abc', 'A-B', 'Ä', 'A B'])('is refused for the prefix %j', (prefix) => {
    expect(() => generateLicenseKey(prefix, randomBytes)).toThrow('prefix');
  });
});

describe('check symbols', () => {
  const inPrefix = [...new Set(prefixSymbols.map(normalizeLicenseKey))];

  test('catch every replacement of one symbol, in every place, by every other', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const symbols = [...normalizeLicenseKey(key)];
        const missed = symbols.flatMap((symbol, place) => {
          const others = place < symbols.length - 25 ? [...inPrefix, 'é', '字', '😀', '*'] : [...keyAlphabet];
          return others.filter((other) => other !== symbol && !isMalformedLicenseKey(symbols.with(place, other).join('')));
        });
        expect(missed).toEqual([]);
      }),
      { numRuns: tries(20) },
    );
  });

  test('catch every swap of neighbours that leaves a key of the right form', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const symbols = [...normalizeLicenseKey(key)];
        const missed = symbols.slice(1).filter((symbol, before) => {
          const swapped = symbols.with(before, symbol).with(before + 1, symbols[before] ?? '');
          const uLeavesThePrefix = swapped.slice(-25).includes('U');
          return symbol !== symbols[before] && !uLeavesThePrefix && !isMalformedLicenseKey(swapped.join(''));
        });
        expect(missed).toEqual([]);
      }),
      { numRuns: tries(300) },
    );
  });

  test('judge only what has the form of a generated key, or of a part of one', () => {
    const symbols = '0'.repeat(24);
    const long = (length: number) => 'A'.repeat(length - 25);
    const judged = ['0'.repeat(10), `A${symbols}`, `${long(26)}${symbols}0`, `${long(37)}${symbols}0`];
    const others = ['', '0'.repeat(9), `U${symbols}`, `-${symbols}`, 'KEY_KEY_KEY', `A${symbols}U`, `${long(38)}${symbols}0`];
    expect([...judged, ...others].filter(isMalformedLicenseKey)).toEqual(judged);
  });
});

describe('possible keys', () => {
  test('are all that are generated, and all codes that can be imported', () => {
    for (const prefix of ['A', 'A'.repeat(12)])
      expect(isPossibleKey(normalizeLicenseKey(generateLicenseKey(prefix, randomBytes)))).toBe(true);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 130 }),
        (text) => {
          const code = text.trim();
          if (codeFault(code) === undefined) expect(isPossibleKey(normalizeLicenseKey(code))).toBe(true);
        },
      ),
      { numRuns: tries(1000) },
    );
  });

  test('have 8 to 128 symbols, and none but ASCII', () => {
    for (const length of [8, 128]) expect(isPossibleKey('K'.repeat(length))).toBe(true);
    for (const key of ['', 'K'.repeat(7), 'K'.repeat(129), 'КЛЮЧКЛЮЧ', 'KKKKKKK\n', 'KKKK KKKK']) expect(isPossibleKey(key)).toBe(false);
  });
});

describe('normalization', () => {
  const noise = [
    ...' \t\n\u00a0\u2007\u202f\u3000\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202e\u0085-‐‑‒–—―−－﹣⁻ーｰ「」｢｣【】〈〉“”„«»‹›。｡۔',
  ];

  test('leaves out white space, invisible characters, dashes of every kind and punctuation outside ASCII, anywhere', () => {
    fc.assert(
      fc.property(keys, fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...noise)), { maxLength: 20 }), (key, insertions) => {
        const noisy = insertions.reduce((text, [place, sign]) => text.slice(0, place) + sign + text.slice(place), key);
        expect(normalizeLicenseKey(noisy)).toBe(normalizeLicenseKey(key));
      }),
    );
  });

  test('is the same of plain text as of any other', () => {
    const plainText = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 60 });
    fc.assert(
      fc.property(plainText, (key) => expect(normalizeLicenseKey(key)).toBe(normalizeLicenseKey(`${key}\u200b`))),
      { numRuns: tries(1000) },
    );
  });

  test('takes no notice of letter case, width, or O for 0, I and L for 1', () => {
    const fullWidth = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
    fc.assert(
      fc.property(keys, fc.infiniteStream(fc.nat(3)), (key, choices) => {
        const spellings = { 0: ['0', 'O', 'o', '０'], 1: ['1', 'I', 'l', 'L'] };
        const respelled = [...key].map((sign) => {
          const choice = choices.next().value ?? 0;
          if (sign === '0' || sign === '1') return spellings[sign][choice] ?? sign;
          return [sign, sign.toLowerCase(), fullWidth(sign), fullWidth(sign.toLowerCase())][choice] ?? sign;
        });
        expect(normalizeLicenseKey(respelled.join(''))).toBe(normalizeLicenseKey(key));
      }),
    );
  });

  test('applied to its own result changes nothing, for whatever can be typed in ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 512 }), (text) => {
        const once = normalizeLicenseKey(text);
        expect(normalizeLicenseKey(once)).toBe(once);
        expect(once).toMatch(/^[^a-z\sOIL-]*$/);
      }),
    );
  });

  test('keeps punctuation of ASCII, without which a typed key is looked up too', () => {
    for (const sign of '"\'`()[]{}<>.,_') {
      expect(lookupFormsOf(`${sign}key${sign}-7k${sign}`)).toEqual([`${sign}KEY${sign}7K${sign}`, 'KEY7K']);
    }
    expect(lookupFormsOf('（lic1＿7k．')).toEqual(['(11C1_7K.', '11C17K']);
    expect(lookupFormsOf('a*b')).toEqual(['A*B']);
  });

  test('keeps letters of other scripts that only look alike', () => {
    expect(normalizeLicenseKey('АВС-ΟΡ')).toBe('АВСΟΡ'); // Cyrillic, Greek
  });
});

describe('a text with keys in it', () => {
  const [key, other] = [1, 2].map((seed) => generateLicenseKey('PRO1', () => new Uint8Array(23).fill(seed)));
  const symbols = normalizeLicenseKey(key ?? '');
  const [longest = '', shortest = ''] = ['ABCDEFGHJK23', 'A'].map((prefix) => generateLicenseKey(prefix, () => new Uint8Array(23).fill(3)));
  const mistyped = key?.replace(/.$/, (last) => (last === 'Z' ? 'Y' : 'Z'));
  const texts: [text: string, verdict: 'found' | 'malformed' | 'unknown'][] = [
    [`${key}`, 'found'],
    [`License key: ${key}`, 'found'],
    [`My license key is ${key?.toLowerCase()}, thanks!`, 'found'],
    [`ライセンスキー：${key}です。`, 'found'],
    [`Key/code 12: ${symbols} (3 seats)`, 'found'],
    [`${key}${key}`, 'found'],
    [`${key} ${key}\n${key}`, 'found'],
    [`Keys: ${symbols}${symbols}`, 'found'],
    [`**${key}**`, 'found'],
    [`/${key}/`, 'found'],
    [`:${key?.replaceAll('-', ' ')}:`, 'found'],
    [`=> ${key?.replaceAll('-', '/')}`, 'found'],
    [`${key?.slice(0, 12)}|${key?.slice(12)}`, 'found'],
    [`${key}, not ${mistyped}`, 'found'],
    [`${key} or ${other}`, 'malformed'],
    [`${key} or ${other?.replaceAll('-', '')}`, 'malformed'],
    [`${key}${other}`, 'malformed'],
    [`${key}Z`, 'malformed'],
    [`Please activate my license key ${mistyped}`, 'malformed'],
    [`*${mistyped}*`, 'malformed'],
    [`Key: ${key?.slice(0, 20)}`, 'malformed'],
    [`${key?.slice(0, 20).replaceAll('-', '.')}`, 'malformed'],
    ['Order/2026/0417', 'unknown'],
    ['鍵をなくしました', 'unknown'],
  ];

  test.each(texts)('%j is %s', (text, verdict) => {
    expect([lookupFormsOf(text).includes(symbols), isMalformedKeyText(text)]).toEqual([verdict === 'found', verdict === 'malformed']);
  });

  test.each([
    ...[longest, shortest].flatMap((one) => [`My key ${one} works`, `My key ${one.replaceAll('-', '')} works`].map((text) => [text, one])),
    [`Key: ${key?.slice(0, 7)}\u200b${key?.slice(7)} works`, key],
    [`Key: ${key?.replace(/./g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))} works`, key],
    [`Key: ${key?.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} works`, key],
  ])('%j has its key, however long the prefix, and however it is spelt', (text = '', one = '') => {
    expect(lookupFormsOf(text)).toContain(normalizeLicenseKey(one));
  });

  test('is read only where it is no key as it stands', () => {
    expect([lookupFormsOf(`${key}`), lookupFormsOf('CODE*12345')]).toEqual([[symbols], ['C0DE*12345']]);
    const words = [`2${normalizeLicenseKey(longest)}`, `${normalizeLicenseKey(longest)}2`];
    expect(words.map(lookupFormsOf)).toEqual(words.map((word) => [word]));
  });
});

describe('what the table holds of a key', () => {
  const peppers = keyringOf('b', 'a');

  test('is a keyed hash for each pepper, the current first', () => {
    const lookups = licenseLookups('prd_1', 'KEY', peppers);
    expect(lookups.map(pepperVersionOf)).toEqual(['b', 'a']);
    expect(lookups[0]).toBe(currentLookup('prd_1', 'KEY', peppers));
    expect(lookups[1]).toBe(currentLookup('prd_1', 'KEY', keyringOf('a')));
    expect(lookups.join()).toMatch(/^b\.[\w-]{43},a\.[\w-]{43}$/);
  });

  test('differs for another product, key, or split of the two', () => {
    const all = ['p/K', 'p/KK', 'pK/K', '/pKK'].map((split) => split.split('/'));
    expect(new Set(all.map(([product = '', key = '']) => currentLookup(product, key, peppers))).size).toBe(4);
  });

  test('binds a device to the license', () => {
    expect(deviceHashOf('device', 'KEY1')).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(deviceHashOf('device', 'KEY1')).toBe('4SAE4ATMNCEHMSRAQEDXCR6NPJ');
    expect(new Set([deviceHashOf('device', 'KEY1'), deviceHashOf('device', 'KEY2'), deviceHashOf('device ', 'KEY1')]).size).toBe(3);
  });

  test('holds the key itself only encrypted, for this license alone', () => {
    const { license } = sampleLicense({ key: 'Old-Code o1l9', licenseIssuanceMode: 'imported_csv' });
    expect(JSON.stringify(license)).not.toMatch(/old-?code/i);
    expect([license.keyHint, openLicenseKey(license, encryptionKeys)]).toEqual(['o1l9', 'Old-Code o1l9']);
    expect(() => openLicenseKey({ ...license, id: newId('license') }, encryptionKeys)).toThrow();
    expect(licenseKeyHint('LIC1-7K3QD-00000-00000-00000-0ABCD')).toBe('ABCD');
    expect(licenseKeyHint('own code a-b–c d')).toBe('abcd');
  });
});
