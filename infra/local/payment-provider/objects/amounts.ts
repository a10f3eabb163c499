import { refuse } from '../provider-error.ts';

/** Every currency that is taken; it has two decimals unless it is in a list below. The provider does not go by ISO 4217. */
const currencies = new Set(
  (
    'aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk ' +
    'djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd ' +
    'kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln ' +
    'pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst ' +
    'xaf xcd xcg xof xpf yer zar zmw'
  ).split(' '),
);
const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
/** The last of the three is always 0. */
const withThreeDecimals = new Set('bhd jod kwd omr tnd'.split(' '));
/** Written as if they had the two decimals that they have lost. */
const inWholeUnits = new Set('isk ugx'.split(' '));

/** The least that can be charged, in the minor unit, where the provider documents it. */
const smallest: Record<string, number> = {
  aed: 200,
  bgn: 100,
  czk: 1500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  krw: 500,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
};
const defaultMinimum = 50;
const largest = 99_999_999;

const param = 'line_items[0][price_data][unit_amount]';

/** @throws ProviderError for an amount or a currency that is not taken. Nothing is due at 0. */
export function checkAmount(amount: number, currency: string): void {
  if (!currencies.has(currency)) throw refuse(`Invalid currency: ${currency}`, { param: 'line_items[0][price_data][currency]' });
  const least = smallest[currency] ?? defaultMinimum;
  if (amount > largest) throw refuse('The total amount is too large.', { code: 'amount_too_large', param });
  if (amount > 0 && amount < least) {
    throw refuse(`The total amount must be at least ${formatAmount(least, currency)}.`, { code: 'amount_too_small', param });
  }
  const step = stepOf(currency);
  if (amount % step !== 0) throw refuse(`The amount must be a multiple of ${step}.`, { code: 'invalid_charge_amount', param });
}

function stepOf(currency: string): number {
  if (withThreeDecimals.has(currency)) return 10;
  return inWholeUnits.has(currency) ? 100 : 1;
}

function decimalsOf(currency: string): number {
  if (withThreeDecimals.has(currency)) return 3;
  return withoutDecimals.has(currency) ? 0 : 2;
}

/** `¥1,200`, `$19.00`: the minor unit as people write it. */
export function formatAmount(amount: number, currency: string): string {
  const digits = decimalsOf(currency);
  const fractions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase(), ...fractions }).format(
    amount / 10 ** digits,
  );
}
