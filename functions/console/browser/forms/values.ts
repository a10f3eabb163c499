/** What a control of a form holds, as the form shows it: numbers, prices and days are text until they are sent. */
export type Value = string | boolean | readonly string[] | Readonly<Record<string, string>>;

/** What a form holds, by the names that its fields have in the API. */
export type Values = Readonly<Record<string, Value>>;

/** Whether two values say the same of a field. */
export type Alike = (field: string, one: Value | undefined, other: Value | undefined) => boolean;

/** Whether two values are equal: lists in the same order, records in any. */
export const sameValue = (one: Value | undefined, other: Value | undefined): boolean => one === other || textOf(one) === textOf(other);

/** Equal for equal values alone. */
function textOf(value: Value | undefined): string {
  const isRecord = typeof value === 'object' && !Array.isArray(value);
  return JSON.stringify(isRecord ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value) + String(isRecord);
}

/** The names of the fields of which the two say something else. */
export const differingFields = <V extends Values>(one: V, other: V, alike: Alike): string[] =>
  Object.keys(one).filter((field) => !alike(field, one[field], other[field]));

/** The lines of a text area that hold something, without the white space around them. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The number that was typed: full-width digits and commas between groups of three are taken. `NaN` for all else, nothing too. */
export function wholeNumber(text: string): number {
  const typed = text.normalize('NFKC').trim();
  return /^-?(?:\d+|\d{1,3}(?:,\d{3})+)$/.test(typed) ? Number(typed.replaceAll(',', '')) : Number.NaN;
}
