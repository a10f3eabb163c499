import { refuse } from './provider-error.ts';

/**
 * The least that can be charged, in the minor unit: what the provider documents, or about what its
 * least amount in the platform's own currency is worth. Currencies that are not here are not taken.
 */
const smallest: Record<string, number> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  bhd: 200,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  idr: 800000,
  inr: 50,
  isk: 7000,
  jpy: 50,
  krw: 500,
  kwd: 200,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  ugx: 180000,
  usd: 50,
};
const largest = 99_999_999;

/** Two decimals, unless the provider says otherwise; it does not go by ISO 4217. */
const decimals: Record<string, number> = { bhd: 3, jpy: 0, krw: 0, kwd: 3 };
/** Of three decimals the last is 0; and some currencies without decimals are written as if they had two. */
const multiples: Record<string, number> = { bhd: 10, isk: 100, kwd: 10, ugx: 100 };

const param = 'line_items[0][price_data][unit_amount]';

/** @throws ProviderError for an amount or a currency that is not taken. Nothing is due at 0. */
export function checkAmount(amount: number, currency: string): void {
  const least = smallest[currency];
  if (least === undefined) throw refuse(`Invalid currency: ${currency}`, { param: 'line_items[0][price_data][currency]' });
  if (amount > largest) throw refuse('The total amount is too large.', { code: 'amount_too_large', param });
  if (amount > 0 && amount < least) {
    throw refuse(`The total amount must be at least ${formatAmount(least, currency)}.`, { code: 'amount_too_small', param });
  }
  const multiple = multiples[currency] ?? 1;
  if (amount % multiple !== 0) throw refuse(`The amount must be a multiple of ${multiple}.`, { code: 'invalid_charge_amount', param });
}

/** `¥1,200`, `$19.00`: the minor unit as people write it. */
export function formatAmount(amount: number, currency: string): string {
  const digits = decimals[currency] ?? 2;
  const fractions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase(), ...fractions }).format(
    amount / 10 ** digits,
  );
}
