declare const brand: unique symbol;

/** A discount code in its stored form: 3 to 32 of A-Z, 0-9 and -. */
export type DiscountCode = string & { readonly [brand]: 'DiscountCode' };

const isDiscountCode = (text: string): text is DiscountCode => /^[A-Z0-9-]{3,32}$/.test(text);

/** The code in its stored form, upper case; undefined if the text cannot be a code. */
export function parseDiscountCode(text: string): DiscountCode | undefined {
  // Of letters of other scripts some become ASCII in upper case.
  const code = /^[A-Za-z0-9-]{3,32}$/.test(text) ? text.toUpperCase() : '';
  return isDiscountCode(code) ? code : undefined;
}

/** What somebody entered for a code: the text, and the code that it is; undefined for one that cannot be a code. */
export interface EnteredCode {
  text: string;
  code: DiscountCode | undefined;
}

const isSpace = (character = '') => character !== '' && ' \t\n\v\f\r'.includes(character);

/** The entered text without surrounding ASCII white space; undefined if nothing is left. */
export function readEnteredCode(entered = ''): EnteredCode | undefined {
  let [start, end] = [0, entered.length];
  while (start < end && isSpace(entered[start])) start += 1;
  while (start < end && isSpace(entered[end - 1])) end -= 1;
  if (start === end) return undefined;
  const text = entered.slice(start, end);
  return { text, code: parseDiscountCode(text) };
}
