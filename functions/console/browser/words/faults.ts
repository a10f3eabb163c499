import { inJapanese, inJapaneseOrGeneral } from '../../../../shared/faults/japanese.ts';
import { codeOfSpreadsheet } from '../../../../shared/faults/rules.ts';

/** What the API, or a form of ours, says is wrong with a field, in the reader's language; it goes after the field's name. */
export const faultWords = (text: string): string => (LANGUAGE === 'ja' ? inJapaneseOrGeneral(text) : text);

const spoiltCode = 'A spreadsheet turned the code into a number, a date or an error. Format the column as text, and enter the codes again.';

/** Why a row of an import was refused; a reason of a later version reads as it came. */
export const rowReason = (reason: string): string =>
  (LANGUAGE === 'ja' ? inJapanese(reason) : reason === codeOfSpreadsheet && spoiltCode) || reason;
