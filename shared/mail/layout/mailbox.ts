/** The most bytes of UTF-8 in one encoded word, which may have 75 characters in all. */
const wordBytes = 45;

/** An address with a display name, as a header has it: printable ASCII on one line, whatever the name holds. */
export function mailboxOf(displayName: string, address: string): string {
  // Many programs decode encoded words in quotation marks too, though they should not.
  const isPlain = /^[ -~]*$/.test(displayName) && !displayName.includes('=?');
  return `${isPlain ? quoted(displayName) : encodedWords(displayName)} <${address}>`;
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Encoded words of RFC 2047, each of whole characters. */
function encodedWords(text: string): string {
  const words: string[] = [''];
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(longer) <= wordBytes) words[words.length - 1] = longer;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
