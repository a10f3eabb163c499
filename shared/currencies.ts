/**
 * The currencies of prices where the setting CURRENCIES is empty: ISO 4217 codes.
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
