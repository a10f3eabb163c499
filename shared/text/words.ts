const words = /[\p{L}\p{M}\p{Nd}]+/gu;

/**
 * Invisible characters would distinguish names that look alike. They are removed first, since they keep a letter and
 * its mark from composing.
 */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/** The words of a name, letters, marks and digits of any script, in one form whatever they were written as. */
export const wordsOf = (name: string): string[] => name.replace(unseen, '').normalize('NFKC').toLowerCase().match(words) ?? [];

/** What may not stand in one word with Latin letters: all but Chinese, Japanese and Korean, which no one takes for them, and what has no script of its own. */
const foreignToLatin =
  /[^\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Script=Common}\p{Script=Inherited}\p{Nd}]/u;

/** Whether a word of the text mixes Latin letters with those of a script that may look alike, and so may imitate another name. */
export function mixesScripts(text: string): boolean {
  return wordsOf(text).some((word) => /\p{Script=Latin}/u.test(word) && foreignToLatin.test(word));
}
