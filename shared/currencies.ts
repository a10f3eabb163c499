/**
 * What prices may be in, unless the setting CURRENCIES says otherwise: ISO 4217 codes.
 *
 * See "Add a currency" in shared/products/README.md.
 */
export const defaultCurrencies: string[] = [
  'JPY',
  'USD',
  'EUR',
  'GBP',
  'AUD',
  'CAD',
  'SGD',
  'HKD',
  'KRW',
  'CHF',
  'NZD',
  'SEK',
  'NOK',
  'DKK',
];
