import { refuse } from './provider-error.ts';

/** The least that can be charged, in the minor unit. Currencies that are not here are not taken. */
const smallest: Record<string, number> = {
  aud: 50,
  cad: 50,
  chf: 50,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  jpy: 50,
  krw: 500,
  nok: 300,
  nzd: 50,
  sek: 300,
  sgd: 50,
  usd: 50,
};
const largest = 99_999_999;

/** @throws ProviderError amount_too_small, amount_too_large, or for a currency that is not taken. Nothing is due at 0. */
export function checkAmount(amount: number, currency: string): void {
  const least = smallest[currency];
  if (least === undefined) throw refuse(`Invalid currency: ${currency}`, { code: 'currency_not_supported', param: 'line_items' });
  if (amount > largest) throw refuse('The total amount is too large.', { code: 'amount_too_large', param: 'line_items' });
  if (amount > 0 && amount < least) {
    throw refuse(`The total amount must be at least ${formatAmount(least, currency)}.`, { code: 'amount_too_small', param: 'line_items' });
  }
}

/** `¥1,200`, `$19.00`: the minor unit as people write it. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
}
