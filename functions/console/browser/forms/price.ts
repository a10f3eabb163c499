import { amountStepOf, minorDigitsOf } from '../../../../shared/currencies.ts';
import { fault } from '../../../../shared/faults/fault.ts';
import * as rules from '../../../../shared/faults/rules.ts';

/** The signs that people write beside an amount; those of one currency are faults beside another. */
function signsOf(currency: string): string[] {
  const code = currency.toUpperCase();
  // Only a code of three letters is one to `Intl`.
  const narrow = /^[A-Z]{3}$/.test(code)
    ? new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')?.value
    : undefined;
  return [code, ...(narrow ? [narrow.toUpperCase()] : []), ...(code === 'JPY' ? ['円'] : [])];
}

/**
 * The amount in minor units of a price as people write it in that currency: `1,200` in JPY, `12.50` in USD, `12,50` in EUR,
 * in full-width digits too, with the currency's sign or code before or after it. Else what is wrong, in words that go after
 * the field's name.
 */
export function readPrice(text: string, currency: string): { amount: number } | { fault: string } {
  let typed = text.normalize('NFKC').trim().toUpperCase();
  if (typed === '') return { fault: fault(rules.missing) };
  for (const sign of signsOf(currency)) {
    if (typed.startsWith(sign)) typed = typed.slice(sign.length).trim();
    else if (typed.endsWith(sign)) typed = typed.slice(0, -sign.length).trim();
  }
  const digits = minorDigitsOf(currency);
  // Where two decimals are written, one or two digits after a comma can be nothing else.
  if (digits === 2 && /,\d\d?$/.test(typed)) typed = typed.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ','));
  const [, whole, fraction = ''] = /^(\d+|\d{1,3}(?:[,'’ ]\d{3})+)(?:\.(\d+))?$/.exec(typed) ?? [];
  const example = priceText(120_000, currency);
  if (whole === undefined) return { fault: fault(rules.notAmount, { example }) };
  if (fraction.length > digits) {
    return { fault: digits === 0 ? fault(rules.notWholeAmount) : fault(rules.tooManyDecimals, { max: digits }) };
  }
  const amount = Number(whole.replace(/\D/g, '') + fraction.padEnd(digits, '0'));
  if (amount > mostAmount)
    return { fault: fault(rules.tooLarge, { max: priceText(mostAmount - (mostAmount % amountStepOf(currency)), currency) }) };
  if (amount % amountStepOf(currency) !== 0)
    return { fault: fault(rules.notChargeable, { step: priceText(amountStepOf(currency), currency) }) };
  return { amount };
}

const mostAmount = 99_999_999;

/** The amount as `readPrice` takes it: `1200` in JPY, `12.50` in USD. */
export function priceText(amount: number, currency: string): string {
  const digits = minorDigitsOf(currency);
  // Some currencies have no minor unit any more, though amounts count one.
  if (amountStepOf(currency) === 10 ** digits && amount % amountStepOf(currency) === 0) return String(amount / 10 ** digits);
  const all = String(amount).padStart(digits + 1, '0');
  return `${all.slice(0, -digits)}.${all.slice(-digits)}`;
}
