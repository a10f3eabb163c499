import { describe, expect, test } from '@jest/globals';
import {
  entryFaults,
  failureFaults,
  leaseEndsAt,
  momentInWords,
  readerLocale,
  readRequestCode,
  requestCodeIn,
  waitInWords,
} from '../../../functions/pages/browser/activation-rules.ts';
import type { LicenseId, ProductId } from '../../../shared/ids.ts';
import { parseRequestCode } from '../../../shared/leases/request-code.ts';
import { issueLease, requestCodeOf } from '../../support/samples/leases.ts';

const code = requestCodeOf({ p: 'prd_1', d: 'device', l: '工場の端末' });

describe('what is entered', () => {
  test.each([
    ['LIC1-7K3QD', code, []],
    ['', '', ['license_key_missing', 'request_code_missing']],
    [' \t', code, ['license_key_missing']],
    ['k'.repeat(512), code, []],
    ['k'.repeat(513), code, ['license_key_malformed']],
    ['k'.repeat(1_000_000), 'x', ['license_key_malformed', 'request_code_malformed']],
  ])('is looked at before it is sent: %#', (key, request, faults) => {
    expect(entryFaults(key, request)).toEqual(faults);
  });

  test.each([
    [code, true],
    [`LAR1.${'A'.repeat(3995)}`, true],
    [`LAR1.${'A'.repeat(3996)}`, false],
    [code.slice(5), false],
    [code.toLowerCase(), false],
    ['LAR1.', false],
    [`x${code}`, false],
    [`"${code}"`, false],
    [`${code}=`, false],
    [`${code}\u0000`, false],
    [`${code}.x`, false],
    ['<img src=x onerror=alert(1)>', false],
  ])('has the form of a request code or not: %#', (text, expected) => {
    expect(entryFaults('key', text)).toEqual(expected ? [] : ['request_code_malformed']);
    // What is refused here the service would refuse as well.
    if (!expected) expect(parseRequestCode(text)).toBeUndefined();
  });

  test('may be in pieces', () => {
    expect(requestCodeIn(`\ufeff ${[...code].join(' \r\n\u3000\u00a0\u0085\u200b\u2060')}\n`)).toBe(code);
  });
});

describe('a file', () => {
  const utf16 = (text: string) => new Blob([Buffer.from(`\ufeff${text}`, 'utf16le')]);

  test.each([
    ['its text', new Blob([code]), code],
    ['lines', new Blob([`\n${code.slice(0, 20)}\r\n${code.slice(20)}\n`]), `${code.slice(0, 20)}\r\n${code.slice(20)}`],
    ['a mark of UTF-8 before it', new Blob([`\ufeff${code}`]), code],
    ['UTF-16, as Windows writes it', utf16(`${code}\r\n`), code],
    ['something else', new Blob(['{"p":"x"}']), undefined],
    ['nothing', new Blob([]), undefined],
    ['64 KB', new Blob([code, ' '.repeat(64 * 1024 - code.length)]), code],
    ['more than 64 KB', new Blob([code, ' '.repeat(64 * 1024 - code.length + 1)]), undefined],
    ['no text', new Blob([Buffer.of(0, 159, 146, 150)]), undefined],
  ])('with %s is read, or is no request code', async (_, file, expected) => {
    expect(await readRequestCode(file)).toBe(expected);
  });
});

describe('a failure', () => {
  test.each([
    ['rate_limited', 'x', ['rate_limited']],
    ['offline', '', ['unreachable']],
    ['unreachable', '', ['unreachable']],
    ['offline_not_offered', 'request_code: ', ['offline_not_offered']],
    ['invalid_request', 'request_code must be a whole request code, as the app shows it', ['request_code_malformed']],
    ['invalid_request', 'license_key must not be blank', ['license_key_malformed']],
    ['invalid_request', 'license_key is missing; request_code is missing', ['license_key_malformed', 'request_code_malformed']],
    ['invalid_request', 'body holds a NUL character or half of a surrogate pair', ['license_key_malformed']],
  ])('%s (%s) names its faults', (failure, message, faults) => {
    expect(failureFaults({ code: failure, message })).toEqual(faults);
  });
});

describe('a lease', () => {
  const license = {
    id: 'lic_1' as LicenseId,
    productId: 'prd_1' as ProductId,
    features: ['書き出し', '\u2028"', '???>>>'],
    activationLimit: 1,
  };

  test('tells until when it holds', () => {
    const lease = issueLease({ kind: 'offline', days: 30, license, deviceFingerprint: 'd' }, new Date('2026-02-01T00:00:00.900Z'));
    expect(leaseEndsAt(lease)).toEqual(new Date('2026-03-03T00:00:00.000Z'));
  });

  test('is none in any other form', () => {
    const claims = ['{}', '{"exp":"1"}', '{"exp":1.5}', 'null'].map((text) => `a.${btoa(text)}.c`);
    for (const text of [undefined, '', 'a', 'a.b.c', ...claims]) expect(leaseEndsAt(text)).toBeUndefined();
  });
});

describe('words', () => {
  test('follow the reader within the language of the page', () => {
    expect(readerLocale('en', ['ja-JP', 'en-GB', 'en-US'])).toBe('en-GB');
    expect(readerLocale('ja', ['en-GB', 'ja'])).toBe('ja');
    expect(readerLocale('ja', ['en-GB', 'jam'])).toBe('ja');
    expect(readerLocale('en', [])).toBe('en');
  });

  test('write a date out, with its time zone', () => {
    const moment = new Date('2026-03-03T12:34:56.000Z');
    const zone = (locale: string) =>
      new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }).formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value;
    const [day, hour, minute] = [moment.getDate(), moment.getHours(), moment.getMinutes()];
    expect(momentInWords(moment, 'ja')).toBe(`2026年3月${day}日 ${hour}:${String(minute).padStart(2, '0')} ${zone('ja')}`);
    expect(momentInWords(moment, 'en-US')).toMatch(/^March [34], 2026 at \d+:34 [AP]M \S+$/);
    expect(momentInWords(moment, 'en-GB')).toMatch(/^[34] March 2026 at \d+:34 \S+$/);
  });

  test.each([
    [1, '1 second', '1秒'],
    [42, '42 seconds', '42秒'],
    [59, '59 seconds', '59秒'],
    [60, '1 minute', '1分'],
    [61, '2 minutes', '2分'],
    [3600, '60 minutes', '60分'],
    [0, '1 minute', '1分'],
  ])('say how long %i seconds are', (seconds, english, japanese) => {
    expect(waitInWords(seconds, 'en')).toBe(english);
    expect(waitInWords(seconds, 'ja').replace(/\s/, '')).toBe(japanese);
  });
});
