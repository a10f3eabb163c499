import { describe, expect, test } from '@jest/globals';
import { checkAmount } from '../../infra/local/payment-provider/objects/amounts.ts';
import { amountStepOf, defaultCurrencies, findCurrency, minorDigitsOf } from '../../shared/currencies.ts';

test.each(defaultCurrencies)('%s can be charged at the fake payment provider', (currency) => {
  expect(() => checkAmount(100_000, currency.toLowerCase())).not.toThrow();
});

describe('the minor unit', () => {
  const list = (codes: string) => codes.split(' ');

  test.each(list('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'))('of %s has no digits', (code) => {
    expect(findCurrency(code)).toEqual({ minorDigits: 0, step: 1 });
  });

  test.each(list('BHD JOD KWD OMR TND'))('of %s has three digits, of which the last is zero', (code) => {
    expect(findCurrency(code)).toEqual({ minorDigits: 3, step: 10 });
  });

  test.each(list('ISK UGX'))('of %s has two digits that are zero', (code) => {
    expect(findCurrency(code)).toEqual({ minorDigits: 2, step: 100 });
  });

  test.each(list('HUF TWD IDR COP PKR LAK ALL AFN AMD IDR LBP MMK MNT RSD SOS STD UZS YER USD EUR GBP'))('of %s has two digits', (code) => {
    expect(findCurrency(code)).toEqual({ minorDigits: 2, step: 1 });
  });

  test('is found in any letter case', () => {
    expect([minorDigitsOf('jpy'), minorDigitsOf('Kwd'), amountStepOf('isk')]).toEqual([0, 3, 100]);
  });

  test.each(['XTS', 'IQD', 'LYD', 'CUP', 'IRR', 'BTC', 'YEN', '', 'constructor', 'JPY '])(
    'of %j is not known, and counts as two digits',
    (code) => {
      expect(findCurrency(code)).toBeUndefined();
      expect([minorDigitsOf(code), amountStepOf(code)]).toEqual([2, 1]);
    },
  );
});
