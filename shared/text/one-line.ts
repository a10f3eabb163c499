/** Without line breaks, other controls, or marks of the reading order: it cannot pose as another line or header. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** On one line of at most `most` code points; what is cut off shows as an ellipsis. */
export function shortLine(text: string, most: number): string {
  const characters = [...oneLine(text)];
  return characters.length <= most
    ? characters.join('')
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
