import { describe, expect, test } from '@jest/globals';
import { daysInWords, isSameTotal, offerFacts, seatsOf, sum } from '../../../functions/pages/browser/offers/offer-rules.ts';
import { parseQuantity, urlWithChoice } from '../../../functions/pages/checkout/choice.ts';
import { sampleOffers } from '../../support/samples/sample-purchase.ts';

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
    [365, 'ja', '365 日'],
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
