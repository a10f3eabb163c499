import { minorDigitsOf } from '../currencies.ts';

/** Formatters are expensive to create, one per currency and language. */
const formats = new Map<string, Intl.NumberFormat>();

/** An amount in the currency's minor unit, as readers of `locale` write it: `¥4,800`, `$49.00`. */
export function formatMoney(amount: number, currency: string, locale: string): string {
  const digits = minorDigitsOf(currency);
  const name = `${locale} ${currency}`;
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  const format = formats.get(name) ?? new Intl.NumberFormat(locale, options);
  formats.set(name, format);
  return format.format(amount / 10 ** digits);
}

/** The code to write beside the amount: empty where the amount shows it, or where its sign means one currency alone. */
export function currencyCodeBeside(formatted: string, currency: string): string {
  const code = currency.toUpperCase();
  return code === 'JPY' || formatted.includes(code) ? '' : code;
}
