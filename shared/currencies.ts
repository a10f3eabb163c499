/** How a currency is counted in the amounts that are charged. */
export interface Currency {
  /** Decimal digits of its minor unit: an amount of 1200 is 12.00 with two, and 1200 with none. */
  minorDigits: number;
  /** Every amount is a multiple of this. */
  step: number;
}

/**
 * Every currency that the payment provider charges, as the provider counts it. For some this differs from ISO 4217
 * and from what `Intl` knows, so both are never asked.
 */
const twoDecimals: Currency = { minorDigits: 2, step: 1 };
const twoDecimalCodes =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK DKK DOP ' +
  'DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL ' +
  'MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP ' +
  'SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER ZAR ZMW';
const others: readonly (readonly [Currency, codes: string])[] = [
  [{ minorDigits: 0, step: 1 }, 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'],
  // They have no minor unit any more, and are counted as if they had.
  [{ minorDigits: 2, step: 100 }, 'ISK UGX'],
  // Card networks take no third digit.
  [{ minorDigits: 3, step: 10 }, 'BHD JOD KWD OMR TND'],
];

const isIn = (codes: string, code: string): boolean => codes.split(' ').includes(code.toUpperCase());

const findException = (code: string): Currency | undefined => others.find(([, codes]) => isIn(codes, code))?.[0];

/** By its ISO 4217 code in any letter case; undefined when the provider does not charge it. */
export const findCurrency = (code: string): Currency | undefined =>
  findException(code) ?? (isIn(twoDecimalCodes, code) ? twoDecimals : undefined);

/** As the provider counts it; a currency that it does not charge any more counts as most do. */
export const minorDigitsOf = (code: string): number => (findException(code) ?? twoDecimals).minorDigits;

/** What an amount in this currency is a multiple of. */
export const amountStepOf = (code: string): number => (findException(code) ?? twoDecimals).step;

/**
 * The currencies of prices where the setting CURRENCIES is empty: ISO 4217 codes.
 *
 * See "Add a currency" in shared/products/recipes.md.
 */
export const defaultCurrencies = 'JPY USD EUR GBP AUD CAD SGD HKD KRW CHF NZD SEK NOK DKK'.split(' ');
