import { describe, expect, test } from '@jest/globals';
import { createPageAssets } from '../../functions/pages/assets/assets.ts';
import { createReaderOf } from '../../functions/pages/reader.ts';
import { renderProduct } from '../../functions/pages/views/product-view.ts';
import { checkAmount } from '../../infra/local/payment-provider/objects/amounts.ts';
import { amountStepOf, defaultCurrencies, findCurrency, minorDigitsOf } from '../../shared/currencies.ts';
import { preferredLocale } from '../../shared/locale.ts';
import { formatMoney } from '../../shared/text/money.ts';
import { sampleOffers } from '../support/samples/sample-offers.ts';

test.each([
  ['ja', 'ja'],
  ['ja-JP,ja;q=0.9,en;q=0.8', 'ja'],
  ['en-GB,en;q=0.9,ja;q=0.8', 'en'],
  ['fr,ja;q=0.4,en;q=0.3', 'ja'],
  ['en;q=0,ja;q=0.1', 'ja'],
  ['fr-FR', 'en'],
  ['ja;q=x, en', 'en'],
  ['*', 'en'],
  ['', 'en'],
  [undefined, 'en'],
])('from %j a reader is served in %s', (header, locale) => {
  expect(preferredLocale(header)).toBe(locale);
});

test.each([
  [4800, 'JPY', 'ja', '\uffe54,800'],
  [4800, 'JPY', 'en', '¥4,800'],
  [4900, 'USD', 'en', '$49.00'],
  [4905, 'usd', 'ja', '$49.05'],
  [12_000, 'KRW', 'en', '₩12,000'],
  [99_999_999, 'EUR', 'en', '€999,999.99'],
  [99_999_990, 'KWD', 'en', 'KWD\u00a099,999.990'],
  [1045, 'HUF', 'en', 'HUF\u00a010.45'],
  [12_345, 'IDR', 'en', 'IDR\u00a0123.45'],
  [50_000, 'ISK', 'en', 'ISK\u00a0500.00'],
  [500_000, 'UGX', 'en', 'UGX\u00a05,000.00'],
  [5000, 'COP', 'en', 'COP\u00a050.00'],
  [4500, 'VND', 'en', '₫4,500'],
  [4500, 'MGA', 'en', 'MGA\u00a04,500'],
])('%i of %s is written for %s as %s', (amount, currency, locale, written) => {
  expect(formatMoney(amount, currency, locale)).toBe(written);
});

test.each([
  [12_340, 'KWD', '12.340'],
  [4800, 'jpy', '4800'],
  [12_345, 'IDR', '123.45'],
])('%i of %s is %s for search engines', (priceAmount, currency, decimal) => {
  const [offer] = [...sampleOffers.values()];
  const chosen = { price: { quantity: 1, unitAmount: priceAmount, discountAmount: 0, total: priceAmount }, faults: [], choice: {} };
  const page = renderProduct(
    {
      ...offer!,
      product: { ...offer!.product, priceAmount, currency },
      slug: 'shop',
      pictures: [],
      downloads: [],
      hasDiscounts: false,
      chosen,
    },
    createReaderOf({ operator: {}, assets: createPageAssets([]) })('en', undefined),
    'http://shop.test',
  );
  expect(page.toString()).toContain(`"price":"${decimal}"`);
});

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
