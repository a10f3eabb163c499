import { mixesScripts } from '../../../../shared/text/words.ts';

/** What a reader of the text would not see, or be misled by. */
export type MarkKind = 'direction' | 'line' | 'control' | 'invisible' | 'private' | 'unassigned' | 'broken' | 'stacked';

/** A part of a text; the texts of all its pieces, joined, are the text. */
export type Piece =
  | { kind: 'plain'; text: string }
  /** A word, or more where no word can be told, of scripts that look alike. */
  | { kind: 'mixed'; text: string }
  /** Characters to be shown by their code and never themselves. */
  | { kind: 'mark'; text: string; mark: MarkKind; label: string };

const emoji =
  '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F\\p{Emoji_Modifier}]?(?:\\u200D\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?){0,9}';
/** The flags of England, Scotland and Wales, the only ones that are made of tags. */
const flags =
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}';
const keycap = '[#*0-9]\\uFE0F\\u20E3?';
/** Japanese names are written with variants of Chinese characters. */
const variant = '\\p{Script=Han}[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]';
/** Braille without a dot and the controls of some scripts leave no trace either, though Unicode has them among what is seen. */
const blank = '\\p{Default_Ignorable_Code_Point}\\u2800\\uFFF9-\\uFFFB\\u{13430}-\\u{1343F}\\u{1D159}';
const unseen = `${blank}\\p{Bidi_Control}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\p{Cs}`;
/** More marks than this on one letter are no writing, and cover what stands above and below. */
const maxStackedMarks = 6;

const tokensOf = (layout: string) =>
  new RegExp(
    `${flags}|${emoji}|${keycap}|${variant}` +
      `|(?<unseen>^\\p{M}+|(?!${layout})[${unseen}](?:(?!${layout})[${unseen}\\p{M}])*)|(?<stacked>\\p{M}{${maxStackedMarks + 1},})`,
    'gu',
  );
const onOneLine = tokensOf('[]');
const onLines = tokensOf('\\r?\\n|\\t');

/** From the gravest on: of several in a row the first that is there is told. */
const kinds: readonly [MarkKind, RegExp][] = [
  ['direction', /\p{Bidi_Control}/u],
  ['line', /[\r\n\p{Zl}\p{Zp}]/u],
  ['control', /\p{Cc}/u],
  ['broken', /\p{Cs}/u],
  ['invisible', new RegExp(`[${blank}]`, 'u')],
  ['private', /\p{Co}/u],
  ['unassigned', /\p{Cn}/u],
];

/**
 * Splits what somebody else wrote into what can be shown as it is, words that mix scripts, and what must be shown by its code.
 * Line ends and tabs are layout in a text of several lines, and marks in one of one line. Its time grows with the length alone.
 */
export function markedText(text: string, multiline = false): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const upTo = (end: number) => {
    if (end > from) pieces.push(...wordsIn(text.slice(from, end)));
  };
  for (const { index, 0: token, groups } of text.matchAll(multiline ? onLines : onOneLine)) {
    const begins = groups?.['unseen'] === undefined ? groups?.['stacked'] && index + endOfStack(token) : index;
    if (typeof begins !== 'number') continue;
    upTo(begins);
    from = index + token.length;
    pieces.push(markOf(text.slice(begins, from)));
  }
  upTo(text.length);
  return pieces;
}

/** Marks above the basic plane take two places. */
const endOfStack = (token: string) => [...token.slice(0, 2 * maxStackedMarks)].slice(0, maxStackedMarks).join('').length;

function markOf(text: string): Piece {
  const mark = kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'stacked';
  return { kind: 'mark', text, mark, label: labelOf([...text]) };
}

/** So many are named of several in a row. */
const maxNamed = 3;

function labelOf(characters: string[]): string {
  const named = characters
    .slice(0, maxNamed)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const isOne = characters.every((character) => character === characters[0]);
  if (isOne) return characters.length > 1 ? `${named[0]} ×${characters.length}` : `${named[0]}`;
  return characters.length > maxNamed ? `${named.join(' ')} +${characters.length - maxNamed}` : named.join(' ');
}

/** A plain stretch, with the words in it that mix scripts apart. */
function wordsIn(stretch: string): Piece[] {
  if (!mixesScripts(stretch)) return [{ kind: 'plain', text: stretch }];
  const parts = stretch.split(/(\s+)/u).flatMap((part) => {
    if (!mixesScripts(part)) return [{ text: part, mixed: false }];
    const words = part.split(/([\p{L}\p{M}\p{Nd}]+)/u).map((text) => ({ text, mixed: mixesScripts(text) }));
    // Some characters are words only once they are taken apart: then the whole is what mixes.
    return words.some(({ mixed }) => mixed) ? words : [{ text: part, mixed: true }];
  });
  const pieces: Piece[] = [];
  let plain = '';
  for (const { text, mixed } of parts) {
    if (!mixed) plain += text;
    else {
      if (plain) pieces.push({ kind: 'plain', text: plain });
      pieces.push({ kind: 'mixed', text });
      plain = '';
    }
  }
  return plain ? [...pieces, { kind: 'plain', text: plain }] : pieces;
}
