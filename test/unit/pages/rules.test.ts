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
import { daysInWords, isSameTotal, offerFacts, seatsOf, sum } from '../../../functions/pages/browser/offers/offer-rules.ts';
import { likelyAddress } from '../../../functions/pages/browser/purchase/likely-address.ts';
import { tokenIn } from '../../../functions/pages/browser/purchase/link-text.ts';
import { canonicalPathOf } from '../../../functions/pages/canonical-path.ts';
import { parseQuantity, urlWithChoice } from '../../../functions/pages/checkout/choice.ts';
import type { LicenseId, ProductId } from '../../../shared/ids.ts';
import { parseRequestCode } from '../../../shared/leases/request-code.ts';
import { issueLease, requestCodeOf } from '../../support/samples/leases.ts';
import { sampleOffers } from '../../support/samples/sample-purchase.ts';

const code = requestCodeOf({ p: 'prd_1', d: 'device', l: '工場の端末' });

const token = `eyJhbGciOiJIUzI1NiJ9.eyJ1c2UiOiJtYWlsIn0.${'c2ln_-'.repeat(7)}A`;

test.each([
  ...['', '.', '>', ')', ' thanks', '\n> quoted', '。', '&utm_source=x', '...'].map((behind) => [
    `https://x.test/complete?lang=ja#token=${token}${behind}`,
    token,
  ]),
  [`#token=${token}`, token],
  [` <${token}>. `, token],
  [`Your link: ${token}, once more ${token}`, token],
  [`> https://x.test/complete#token=${token.slice(0, 30)}\r\n> ${token.slice(30)}\r\n> The link works`, token],
  [`https://x.test/receipt#token=${token.slice(0, -9)} ${token.slice(-9)}The link works`, token],
  [`https://x.test/complete*token=${token}__;Iw!!`, token],
  ['eyJ'.repeat(33_000), ''],
  [`https://safe.test/?url=https%3A%2F%2Fx.test%2Fcomplete%23token%3D${token}&data=1`, token],
  ['#token=abc. ', 'abc'],
  ['https://safe.test/?url=https%3A%2F%2Fx.test%2Fcomplete%23Token%3Dabc&data=1', 'abc'],
  [`#token=${token.slice(0, -1)}`, token.slice(0, -1)],
  ['https://x.test/complete?lang=ja', ''],
  ['https://x.test/complete#token=', ''],
  ['#main', ''],
  [token.slice(0, -1), ''],
  ['', ''],
])('the token in %j is %j', (text, found) => {
  expect(tokenIn(text)).toBe(found);
});

test.each([
  ['/manage%e3%80%82', '/manage'],
  ['/receipt。', '/receipt'],
  ['/v1/public/products/a/checkout.', '/v1/public/products/a/checkout'],
  ['/v1/public/products/a/quote/', '/v1/public/products/a/quote'],
  ['/p/a', undefined],
])('what is meant by the path %s is %s', (path, meant) => {
  expect(canonicalPathOf(path)).toBe(meant);
});

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

test.each([
  ['h.sato@gmial.com', 'h.sato@gmail.com'],
  ['Sato@GMAIL.CON', 'Sato@gmail.com'],
  ['sato@gnail.cm', 'sato@gmail.com'],
  ['sato@gmail.co.jp', 'sato@gmail.com'],
  ['sato@icloud.jp', 'sato@icloud.com'],
  ['sato@iclud.com', 'sato@icloud.com'],
  ['sato@yahoo.cmo', 'sato@yahoo.com'],
  ['sato@yaho.co.jp', 'sato@yahoo.co.jp'],
  ['sato@docomo.ne.jo', 'sato@docomo.ne.jp'],
  ['sato@ezwed.ne.jp', 'sato@ezweb.ne.jp'],
  ['sato@sotfbank.ne.jp', 'sato@softbank.ne.jp'],
  ['sato@otulook.jp', 'sato@outlook.jp'],
  ['sato@yahoo.co.pj', 'sato@yahoo.co.jp'],
  ['sato@hotnail.com', 'sato@hotmail.com'],
  ['sato@hotmail.co.jo', 'sato@hotmail.co.jp'],
  ['sato@ymobile.ne.j', 'sato@ymobile.ne.jp'],
  ['sato@outlook.om', 'sato@outlook.com'],
  ['sato@outlok.jp', 'sato@outlook.jp'],
])('of %s %s was probably meant', (address, meant) => {
  expect(likelyAddress(address)).toBe(meant);
});

test.each([
  ...['sato@gmail.com', 'sato@Yahoo.co.jp', 'sato@mail.com', 'sato@email.com', 'sato@ymail.com', 'sato@small.com'],
  ...['sato@yahoo.co.uk', 'sato@outlook.de', 'sato@softbank.co.jp', 'sato@example.com', 'sato@a.jp', 'sato@例え.jp'],
])('of %s nothing else is supposed', (address) => {
  expect(likelyAddress(address)).toBeUndefined();
});

test.each([
  ['1', 1],
  [' 100 ', 100],
  ['３', 3],
  ['007', 7],
  ['', undefined],
  ['0', undefined],
  ['101', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e1', undefined],
])('“%s” asks for %p seats', (typed, seats) => {
  expect(seatsOf(typed)).toBe(seats);
});

test.each([
  [undefined, 1],
  [' ', 1],
  ['5', 5],
  ['６', undefined],
  ['+5', undefined],
  ['0x5', undefined],
])('“%s” asks for %p of a product of which one order takes five', (text, quantity) => {
  expect(parseQuantity(text, { maxQuantity: 5 })).toBe(quantity);
});

describe('what is offered', () => {
  test.each([
    [undefined, []],
    [{}, []],
    [{ upgrades: [] }, []],
    [{ seat: sampleOffers().seat }, ['offers', 'offer-seats']],
    [sampleOffers(), ['offers', 'offer-seats', 'offer-updates', 'offer-upgrades']],
  ])('%j', (offers, facts) => {
    expect(offerFacts({ offers } as never)).toEqual(facts);
  });

  test.each([
    [{ quantity: 1, amount: 4800, currency: 'jpy' }, 'ja', '￥4,800'],
    [{ quantity: 3, amount: 3750, currency: 'USD' }, 'en', '3 × $12.50 = $37.50 USD'],
    [{ quantity: 2, amount: 2468, currency: 'KWD' }, 'en', '2 × KWD\u00a01.234 = KWD\u00a02.468'],
  ])('costs %j (%s)', (order, locale, words) => {
    expect(sum(order, locale)).toBe(words);
  });

  test.each([
    [1, 'en', '1 day'],
    [365, 'en', '365 days'],
    [365, 'ja', '365日'],
  ])('lasts %i days (%s)', (days, locale, words) => {
    expect(daysInWords(days, locale)).toBe(words);
  });
});

test.each([
  [{ amount: 4800, currency: 'jpy' }, true],
  [{ amount: 4801, currency: 'JPY' }, false],
  [{ amount: 4800, currency: 'KRW' }, false],
])('%j is the total of 4,800 yen: %p', (other, same) => {
  expect(isSameTotal({ amount: 4800, currency: 'JPY' }, other)).toBe(same);
});

test('an address asks for the same again, however long that was', () => {
  expect(urlWithChoice('/p/a', {})).toBe('/p/a');
  expect(urlWithChoice('/p/a', { quantity: '2', code: 'A&B' }, { changed: 'yes' })).toBe('/p/a?quantity=2&code=A%26B&changed=yes');
  expect(urlWithChoice('/p/a', { code: 'x'.repeat(9000) })).toHaveLength(10 + 64);
});
