import { inJapanese, inJapaneseOrGeneral } from '../../../../shared/faults/japanese.ts';

/** What the API, or a form of ours, says is wrong with a field, in the reader's language; it goes after the field's name. */
export const faultWords = (text: string): string => (LANGUAGE === 'ja' ? inJapaneseOrGeneral(text) : text);

/** Why a row of an import was refused; a reason of a later version reads as it came. */
export const rowReason = (reason: string): string => (LANGUAGE === 'ja' && inJapanese(reason)) || reason;
