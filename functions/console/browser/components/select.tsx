import { useId } from 'preact/hooks';
import { type WordKind, wordOf } from '../words/words.ts';
import { texts } from './parts-texts.ts';

/** A choice that narrows what is shown, and changes nothing. */
export function Select({
  name,
  label,
  value,
  options,
  onChange,
}: {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <p class="select">
      <label for={id}>{label}</label>
      <select id={id} name={name} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
}

interface WordSelectProps<Word extends string> {
  name: string;
  label: string;
  of: WordKind;
  words: readonly Word[];
  value: Word | undefined;
  onChange: (value: Word | undefined) => void;
}

/** The same among states of a kind, and all of them. */
export const WordSelect = <Word extends string>({ of: kind, words, value, onChange, ...props }: WordSelectProps<Word>) => (
  <Select
    {...props}
    value={value ?? ''}
    options={[['', texts.all], ...words.map((one) => [one, wordOf(kind, one)] as const)]}
    onChange={(chosen) => onChange(words.find((one) => one === chosen))}
  />
);
