import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { priceText, readPrice } from '../../../../functions/console/browser/forms/price.ts';
import { wholeNumber } from '../../../../functions/console/browser/forms/values.ts';
import { amountStepOf, defaultCurrencies } from '../../../../shared/currencies.ts';

describe('a price', () => {
  test.each([
    ['1,200', 'JPY', 1200],
    ['１，２００', 'JPY', 1200],
    ['¥1,200', 'JPY', 1200],
    ['￥1200', 'JPY', 1200],
    ['1200円', 'jpy', 1200],
    ['0', 'JPY', 0],
    ['99,999,999', 'JPY', 99_999_999],
    ['12.50', 'USD', 1250],
    ['12.5', 'USD', 1250],
    ['12', 'usd', 1200],
    ['$1,234.56', 'USD', 123_456],
    ['12.50 USD', 'USD', 1250],
    ["1'200.00", 'CHF', 120_000],
    ['1’200.00', 'CHF', 120_000],
    ['1 200.00 kr', 'SEK', 120_000],
    ['1200', 'ISK', 120_000],
    ['1.25', 'KWD', 1250],
    ['12,50', 'EUR', 1250],
    ['1.234,5 €', 'EUR', 123_450],
    ['1 234,50', 'SEK', 123_450],
  ])('%s in %s is %i', (text, currency, amount) => {
    expect(readPrice(text, currency)).toEqual({ amount });
  });

  test.each([
    ['', 'JPY', 'is missing'],
    ['  ', 'USD', 'is missing'],
    ['-1', 'JPY', 'must be an amount such as 120000'],
    ['1,2', 'JPY', 'must be an amount such as 120000'],
    ['1,25', 'KWD', 'must be an amount such as 120.000'],
    ['1,234,56', 'EUR', 'must be an amount such as 1200.00'],
    ['1.234', 'EUR', 'must have at most 2 decimals in this currency'],
    ['$12', 'JPY', 'must be an amount such as 120000'],
    ['1e3', 'JPY', 'must be an amount such as 120000'],
    ['.5', 'USD', 'must be an amount such as 1200.00'],
    ['12.5', 'JPY', 'must be a whole amount in this currency'],
    ['12.505', 'USD', 'must have at most 2 decimals in this currency'],
    ['1.255', 'KWD', 'must be a multiple of 0.010 in this currency'],
    ['1200.50', 'ISK', 'must be a multiple of 1 in this currency'],
    ['1,000,000', 'USD', 'must be at most 999999.99'],
    ['9'.repeat(400), 'JPY', 'must be at most 99999999'],
  ])('%j in %s: %s', (text, currency, fault) => {
    expect(readPrice(text, currency)).toEqual({ fault });
  });

  test('is written as it is read', () => {
    fc.assert(
      fc.property(fc.constantFrom(...defaultCurrencies, 'ISK', 'KWD'), fc.nat(999_999), (currency, steps) => {
        const amount = steps * amountStepOf(currency);
        if (amount <= 99_999_999) expect(readPrice(priceText(amount, currency), currency)).toEqual({ amount });
      }),
    );
  });
});

test.each([
  ['12', 12],
  ['１２', 12],
  ['1,200', 1200],
  [' 0 ', 0],
  ['-1', -1],
])('%j is the number %d', (text, number) => {
  expect(wholeNumber(text)).toBe(number);
});

test.each(['', '1.5', '1,2', 'x', '1e3', '0x10', '１２個'])('%j is no whole number', (text) => {
  expect(wholeNumber(text)).toBeNaN();
});
