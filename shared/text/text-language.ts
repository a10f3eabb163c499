/** Kana, and the marks that only Japanese text has. */
const japaneseOnly = /[\p{Script=Hiragana}\p{Script=Katakana}〒]/u;
const han = /\p{Script=Han}/u;

/**
 * The language of a text that somebody else wrote, as the `lang` attribute names it: `ja` or, where it cannot be
 * told, empty, which claims none. Chinese characters alone are Japanese where another text of the same writer is.
 */
export function languageOf(text: string, others: readonly string[] = []): 'ja' | '' {
  if (japaneseOnly.test(text)) return 'ja';
  return han.test(text) && others.some((other) => japaneseOnly.test(other)) ? 'ja' : '';
}
