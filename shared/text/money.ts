import { minorDigitsOf } from '../currencies.ts';

/** An amount in the currency's minor unit, as readers of `locale` write it: `¥4,800`, `$49.00`. */
export function formatMoney(amount: number, currency: string, locale: string): string {
  const digits = minorDigitsOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount / 10 ** digits);
}

/** The code to write beside the amount: empty where the amount shows it, or where its sign means one currency alone. */
export function codeBeside(formatted: string, currency: string): string {
  const code = currency.toUpperCase();
  return code === 'JPY' || formatted.includes(code) ? '' : code;
}
