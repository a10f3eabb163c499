/** Without line breaks, other controls, or marks of the reading order: it cannot pose as another line or header. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** On one line of at most `most` code points; what is cut off shows as an ellipsis. */
export function truncatedLine(text: string, max: number): string {
  const characters = [...oneLine(text)];
  return characters.length <= max
    ? characters.join('')
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}
