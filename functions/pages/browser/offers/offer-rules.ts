import { currencyCodeBeside, formatMoney } from '../../../../shared/text/money.ts';
import type { Purchase } from '../purchase/purchase.ts';

/** What something costs together. */
export interface Total {
  amount: number;
  currency: string;
}

/** How many seats are asked for, as typed with any input method; undefined unless that is a whole number from 1 to 100. */
export function seatsOf(typed: string): number | undefined {
  const text = typed.normalize('NFKC').trim();
  const seats = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return seats >= 1 && seats <= 100 ? seats : undefined;
}

/** What is offered for the license, in the names that the page's `data-when` uses. */
export function offerFacts({ offers }: Pick<Purchase, 'offers'>): string[] {
  if (!offers) return [];
  const { seat, updates, upgrades = [] } = offers;
  const facts = [seat && 'offer-seats', updates && 'offer-updates', upgrades.length > 0 && 'offer-upgrades'].filter(Boolean);
  return facts.length > 0 ? ['offers', ...facts.map(String)] : [];
}

/** An amount as people write it, with its currency where the sign alone would not tell. */
export function price(amount: number, currency: string, locale: string): string {
  const money = formatMoney(amount, currency, locale);
  const code = currencyCodeBeside(money, currency);
  return code === '' ? money : `${money} ${code}`;
}

/** The total with how it comes about, where that is for several. */
export function sum({ quantity, amount, currency }: Total & { quantity: number }, locale: string): string {
  const total = price(amount, currency, locale);
  return quantity > 1 ? `${quantity} × ${formatMoney(amount / quantity, currency, locale)} = ${total}` : total;
}

/** Whether two are the same amount, in whichever letters the currency is written. */
export const isSameTotal = (one: Total, other: Total): boolean =>
  one.amount === other.amount && one.currency.toUpperCase() === other.currency.toUpperCase();

/** Whether an error says that something is no longer among the offers. */
export const isGone = (code: string): boolean => ['addition_not_offered', 'upgrade_not_offered', 'already_upgraded'].includes(code);

/** A time of so many days: `365 days`, `365日`. */
export const daysInWords = (days: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' })
    .formatToParts(days)
    // In Japanese no space stands there, at which a line would break.
    .map(({ type, value }) => (type === 'literal' && locale.startsWith('ja') ? '' : value))
    .join('');
