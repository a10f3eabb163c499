/** What spreadsheets, and programs that write for them, make of a code. See "CSV" in imports.md */

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const m = '(?:0?[1-9]|1[0-2])';
const d = '(?:0?[1-9]|[12]\\d|3[01])';
const y = '(?:\\d{4}|\\d{2})';

const spoilt = [
  // A negative exponent only where the number is written as spreadsheets do: 1234E-5678 may be two groups of a code.
  '[+-]?\\d+(?:[.,]\\d+)?e\\+\\d+',
  '[+-]?\\d[.,]\\d+e-?\\d{1,3}',
  '[+-]?\\de-\\d{2,3}',
  '[+-]?\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?',
  '#+',
  '#(?:[a-z]+(?:/0)?[!?]|n/a|nv|getting_data)',
  'err:\\d{3}',
  'undefined|null|nan|none|\\[object object\\]',
  `(?:${y}/${m}/${d}|${m}/${d}/${y}|${d}/${m}/${y}|${m}/${d}|${d}/${m}|\\d{4}/${m}|${m}/\\d{4})(?: .*)?`,
  `(?:${d}[-/ ])?${month}[-/ ]${y}(?: .*)?`,
  `\\d{4}[-/ ]${month}(?:[-/ ]${d})?(?: .*)?`,
  `${d}[-/ ]${month}`,
  `${month}[- ]${d}(?:,? \\d{4})?(?: .*)?`,
  `(?:\\d{2,4}年)?${m}月(?:${d}日)?`,
];
const spoiltForm = new RegExp(`^(?:${spoilt.join('|')})$`, 'i');

/** Whether a trimmed cell is what a spreadsheet shows in place of a code: a number, a date, an error, or nothing at all. */
export const isSpoiltBySpreadsheet = (cell: string): boolean => spoiltForm.test(cell);

/** A cell without the apostrophe by which a spreadsheet keeps it a text. */
export const withoutTextMark = (cell: string): string => cell.replace(/^'/, '').trim();
