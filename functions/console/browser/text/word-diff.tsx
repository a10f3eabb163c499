import { Fragment } from 'preact';
import { type FieldValue, fieldText } from './field-text.ts';
import { Marked } from './seller-text.tsx';
import { texts } from './texts.ts';
import { type DiffPart, wordDiff } from './word-diff.ts';

/** Word by word: what is gone in `<del>`, what came in `<ins>`. */
function Parts({ parts }: { parts: DiffPart[] }) {
  return (
    <bdi dir="auto" class="lines">
      {parts.map(({ kind, text }, index) => {
        if (kind === 'same') return <Marked key={index} text={text} multiline />;
        const Element = kind === 'added' ? 'ins' : 'del';
        return (
          <Fragment key={index}>
            <span class="visually-hidden">{texts[kind]} </span>
            <Element>
              <Marked text={blanksShown(text)} multiline />
            </Element>
          </Fragment>
        );
      })}
    </bdi>
  );
}

/** A change of nothing but blanks would not be seen. */
const blanksShown = (text: string) =>
  /^\s+$/.test(text)
    ? text
        .replace(/\r?\n/g, '↵$&')
        .replace(/[ \u3000]/g, '␣')
        .replace(/\t/g, '⇥')
    : text;

interface FieldDiffProps {
  /** As the API names it. */
  field: string;
  label: string;
  before: FieldValue;
  after: FieldValue;
  /** How values that are no free text read, such as an amount; they are compared whole. */
  show?: (value: string | number | boolean) => string;
}

/** A field against what it was, within a `<dl>`: texts, lists and records by their words, all other values whole. */
export function FieldDiff({ field, label, before, after, show }: FieldDiffProps) {
  const read = show ?? usually;
  const [from, to] = [fieldText(before, read), fieldText(after, read)];
  const isWhole = show !== undefined || [before, after].some((value) => typeof value === 'number' || typeof value === 'boolean');
  return (
    <div data-field={field} class={from === to ? undefined : 'changed'}>
      <dt>{label}</dt>
      <dd>
        {from === '' && to === '' ? (
          <span class="quiet">{texts.none}</span>
        ) : (
          <Parts parts={isWhole ? whole(from, to) : wordDiff(from, to)} />
        )}
      </dd>
    </div>
  );
}

const usually = (value: string | number | boolean) =>
  typeof value === 'boolean' ? texts[value ? 'yes' : 'no'] : typeof value === 'number' ? value.toLocaleString(LANGUAGE) : value;

function whole(before: string, after: string): DiffPart[] {
  if (before === after) return [{ kind: 'same', text: after }];
  const parts: DiffPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return parts.filter(({ text }) => text !== '');
}
