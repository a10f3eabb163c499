/** The API says why a row has no code in English alone. */
const inJapanese: readonly (readonly [RegExp, string])[] =
  LANGUAGE !== 'ja'
    ? []
    : [
        [/ is missing/, 'コードがありません。'],
        [/ is not (\d+) to (\d+) characters long/, 'コードは$1～$2文字にしてください。'],
        [/ other than printable ASCII/, '半角英数字と記号以外の文字があります。'],
        [/ starts with one of/, '先頭に = + - @ は使えません。'],
        [/Fewer than (\d+) characters/, '空白とハイフンを除いて$1文字以上必要です。'],
      ];

/** Why a row of an import was refused; a reason of a later version reads as it came. */
export function rowReason(reason: string): string {
  for (const [pattern, words] of inJapanese) {
    const found = pattern.exec(reason);
    if (found) return words.replace(/\$(\d)/g, (_, index: string) => found[Number(index)] ?? '');
  }
  return reason;
}
