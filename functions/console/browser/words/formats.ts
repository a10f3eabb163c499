import { formatSize } from '../../../../shared/text/file-size.ts';
import { currencyCodeBeside, formatMoney } from '../../../../shared/text/money.ts';

const locale = LANGUAGE;

/** In the reader's zone. */
const dateTime = /* @__PURE__ */ new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const whole = /* @__PURE__ */ new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'long',
});
const day = /* @__PURE__ */ new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const relative = /* @__PURE__ */ new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const count = /* @__PURE__ */ new Intl.NumberFormat(locale);
const plural = /* @__PURE__ */ new Intl.PluralRules(locale);

const shown = (format: Intl.DateTimeFormat, at: string): string => (Number.isNaN(Date.parse(at)) ? at : format.format(new Date(at)));

/** A moment, in the reader's time zone: `Feb 3, 2026, 6:00 PM`. */
export const formatTime = (at: string): string => shown(dateTime, at);
/** The same to the second, with the name of the zone. */
export const formatWholeTime = (at: string): string => shown(whole, at);
/** The day of a moment, in the reader's time zone. */
export const formatDay = (at: string): string => shown(day, at);
export const formatCount = (number: number): string => count.format(number);
export const formatBytes = (bytes: number): string => formatSize(bytes, locale);

/** An amount with its currency, which is named by its code where a sign could be another's. */
export function formatPrice(amount: number, currency: string): string {
  const text = formatMoney(amount, currency, locale);
  return `${text} ${currencyCodeBeside(text, currency)}`.trimEnd();
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Whole units of the largest that fits, in seconds' sign: what is not a minute off is 0 minutes. */
function unitsOf(seconds: number): [number, Intl.RelativeTimeFormatUnitSingular] {
  for (const [unit, length] of units) if (Math.abs(seconds) >= length) return [Math.trunc(seconds / length), unit];
  return [0, 'minute'];
}

/** How far a moment is from now, in the largest unit: `3 hours ago`, `in 2 days`; a month and more away, the day. */
export function formatAgo(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  return Math.abs(seconds) < 30 * 86_400 ? relative.format(...unitsOf(seconds)) : formatDay(at);
}

const unitNames = { day: '日', hour: '時間', minute: '分' };
const isUnit = (unit: string): unit is keyof typeof unitNames => unit in unitNames;

/** How long until something is due, or since when it is overdue. */
export function formatDue(at: string, now: number): { text: string; overdue: boolean } {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Number.isNaN(seconds)) return { text: at, overdue: false };
  const overdue = seconds < 0;
  const [amount, unit] = unitsOf(seconds);
  const number = Math.max(1, Math.abs(amount));
  if (LANGUAGE === 'ja') {
    const length = `${number}${isUnit(unit) ? unitNames[unit] : unit}`;
    return { text: overdue ? `期限を${length}超過` : `期限まで${length}`, overdue };
  }
  const length = `${number} ${unit}${number === 1 ? '' : 's'}`;
  return { text: overdue ? `${length} overdue` : `due in ${length}`, overdue };
}

/** A number with its noun: `counted(2, 'file', 'files')`; Japanese has one form for both. */
export const counted = (number: number, one: string, other: string): string =>
  `${formatCount(number)} ${plural.select(number) === 'one' ? one : other}`;
