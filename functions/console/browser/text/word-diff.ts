import { diffArrays } from 'diff/lib/diff/array.js';

export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** More edits than these are told as one. Time grows with the square of a bound, and with the length of the texts. */
const maxLineEdits = 400;
const maxWordEdits = 200;

const segmenter = 'Segmenter' in Intl ? /* @__PURE__ */ new Intl.Segmenter('ja', { granularity: 'word' }) : undefined;

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
/** Japanese has no spaces between its words; browsers that do not know them compare characters. */
const wordsOf = (text: string) => (segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text]);

/**
 * What was removed and what was added, word by word. The parts that are not added, joined, are `before`; those that are not
 * removed are `after`. Where too much of a passage changed it is removed and added whole, so that the worst texts take no time.
 */
export function wordDiff(before: string, after: string): DiffPart[] {
  const parts = changesOf(linesOf(before), linesOf(after), maxLineEdits);
  return joined(
    parts.flatMap((part) => (part.kind === 'same' ? [part] : changesOf(wordsOf(part.removed), wordsOf(part.added), maxWordEdits))),
  );
}

type Change = { kind: 'same'; text: string } | { kind: 'change'; removed: string; added: string };

function changesOf(before: string[], after: string[], max: number): Change[] {
  const found = diffArrays(before, after, { maxEditLength: max });
  if (!found) return [{ kind: 'change', removed: before.join(''), added: after.join('') }];
  const changes: Change[] = [];
  for (const { added, removed, value } of found) {
    const text = value.join('');
    const last = changes.at(-1);
    if (!added && !removed) changes.push({ kind: 'same', text });
    else if (last?.kind === 'change') {
      if (added) last.added += text;
      else last.removed += text;
    } else changes.push({ kind: 'change', removed: removed ? text : '', added: added ? text : '' });
  }
  return changes;
}

/** A space alone between two changes is part of them: whole phrases read better than every second word. */
function joined(changes: Change[]): DiffPart[] {
  const parts: DiffPart[] = [];
  const push = (kind: DiffPart['kind'], text: string) => {
    if (text !== '') parts.push({ kind, text });
  };
  let removed = '';
  let added = '';
  const end = () => {
    push('removed', removed);
    push('added', added);
    removed = '';
    added = '';
  };
  changes.forEach((change, index) => {
    if (change.kind === 'change') {
      removed += change.removed;
      added += change.added;
    } else if (removed !== '' && added !== '' && /^[ \u3000]+$/.test(change.text) && changes[index + 1]?.kind === 'change') {
      removed += change.text;
      added += change.text;
    } else {
      end();
      const last = parts.at(-1);
      if (last?.kind === 'same') last.text += change.text;
      else push('same', change.text);
    }
  });
  end();
  return parts;
}
