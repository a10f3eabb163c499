import type Stripe from 'stripe';
import { truncatedLine } from '../../text/one-line.ts';

/** The longest prefix that an account has is 10 of the 22 characters of a line on a statement, and 2 part it from the suffix. */
const suffixLength = 10;
/** How long a suffix in kana and one in kanji may be. */
const [kanaLength, kanjiLength] = [22, 17];
/** The provider takes far longer ones, and shows them beside the price. */
const maxNameLength = 100;

/** The seller's name in the head of the provider's page, in place of the platform's; nothing when it would be blank. */
export function brandingOf(sellerName: string): Pick<Stripe.Checkout.SessionCreateParams, 'branding_settings'> {
  const displayName = truncatedLine(sellerName, maxNameLength);
  return displayName === '' ? {} : { branding_settings: { display_name: displayName } };
}

/**
 * What follows the platform's name on the buyer's card statement: the seller's name as far as it is
 * Latin letters, which is all that banks take. Undefined when none is left.
 */
export function statementSuffixOf(sellerName: string): string | undefined {
  const latin = sellerName.normalize('NFKD').replace(/\p{M}/gu, '');
  const suffix = latin
    .replace(/[^A-Za-z0-9.&-]+/g, ' ')
    .trim()
    .slice(0, suffixLength)
    .trim();
  return /[A-Za-z]/.test(suffix) ? suffix : undefined;
}

/** The same in the forms of Japan: in katakana as far as the name is kana, and as it is written. None where it has neither kana nor kanji. */
export function japaneseSuffixesOf(sellerName: string): { kana: string | undefined; kanji: string | undefined } {
  const name = sellerName.normalize('NFKC');
  const kana = kept(toKatakana(name), /[^\p{Script=Katakana}ーA-Za-z0-9.&-]+/gu, kanaLength);
  const kanji = kept(name, /[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ーA-Za-z0-9.&-]+/gu, kanjiLength);
  return {
    kana: /\p{Script=Katakana}/u.test(kana) ? kana : undefined,
    kanji: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(kanji) ? kanji : undefined,
  };
}

const kept = (text: string, left: RegExp, length: number) => [...text.replace(left, ' ').trim()].slice(0, length).join('').trim();

/** Hiragana stands in the same order as katakana. */
const toKatakana = (text: string) => text.replace(/[\u3041-\u3096\u309d\u309e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0x60));
