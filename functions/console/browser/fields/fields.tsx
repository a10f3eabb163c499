import type { Value } from '../forms/values.ts';
import { texts } from '../forms/words.ts';
import { type Field, FieldFrame, type FieldProps, useField } from './field.tsx';

interface TextProps extends FieldProps {
  /** How many characters may be sent: told when it is near, and never cut off. */
  most?: number;
  type?: 'text' | 'email' | 'url' | 'search';
  /** What a browser may fill in; nothing, unless it is about the user. */
  autocomplete?: 'email' | 'organization' | 'url' | 'off';
  /** Its letters are no words of a language. */
  isCode?: boolean;
}

const asText = (value: Value | undefined) => (typeof value === 'string' ? value : '');

/** What a control carries whose value is kept as it is typed. */
const typedIn = (field: Field) => ({
  ...field.control,
  autocomplete: 'off',
  value: asText(field.value),
  onInput: ({ currentTarget }: { currentTarget: { value: string } }) => field.set(currentTarget.value),
});

/** How many characters are left, from four fifths on. */
function leftOf(value: string, most: number | undefined): string | undefined {
  if (most === undefined || value.length < 0.8 * most) return undefined;
  const left = most - [...value].length;
  return left < 0 ? texts.over(-left) : texts.left(left);
}

/** One line of text. */
export function TextField({ most, type = 'text', autocomplete = 'off', isCode = false, ...props }: TextProps) {
  const field = useField(props, undefined, most === undefined ? '' : 'note');
  const isWords = type === 'text' && !isCode;
  return (
    <FieldFrame {...props} field={field} note={leftOf(asText(field.value), most)}>
      <input
        {...typedIn(field)}
        type={type === 'search' ? 'search' : 'text'}
        inputMode={type}
        autocomplete={autocomplete}
        autocapitalize={isWords ? undefined : 'none'}
        spellcheck={isWords}
      />
    </FieldFrame>
  );
}

/** Text of several lines. */
export function TextArea({ most, rows = 6, ...props }: FieldProps & { most?: number; rows?: number }) {
  const field = useField(props, undefined, most === undefined ? '' : 'note');
  return (
    <FieldFrame {...props} field={field} note={leftOf(asText(field.value), most)}>
      <textarea {...typedIn(field)} rows={rows} />
    </FieldFrame>
  );
}

/** A list with a line for each; kept as it is typed, and sent as `linesOf` reads it. */
export function Lines({ rows = 4, ...props }: FieldProps & { rows?: number }) {
  const field = useField(props);
  return (
    <FieldFrame {...props} field={field}>
      <textarea {...typedIn(field)} rows={rows} autocapitalize="none" spellcheck={false} />
    </FieldFrame>
  );
}

/** What takes a few characters, with what they count after it. */
function ShortField({
  unit,
  control,
  ...props
}: FieldProps & { unit?: string | undefined; control: { type: 'date' | 'datetime-local' } | { inputMode: 'numeric' | 'decimal' } }) {
  const field = useField(props);
  return (
    <FieldFrame {...props} field={field}>
      <input {...typedIn(field)} {...control} class="short" />
      {unit && <span> {unit}</span>}
    </FieldFrame>
  );
}

/** A whole number; kept as it is typed, and sent as `wholeNumber` reads it. */
export const NumberField = (props: FieldProps & { unit?: string }) => <ShortField {...props} control={{ inputMode: 'numeric' }} />;

/** A price as people write it in the currency; kept as it is typed, and sent as `readPrice` reads it. */
export const PriceField = ({ currency, ...props }: FieldProps & { currency: string }) => (
  <ShortField {...props} control={{ inputMode: 'decimal' }} unit={currency.toUpperCase()} />
);

/** A day; kept as `2026-01-31`. */
export const DateField = (props: FieldProps) => <ShortField {...props} control={{ type: 'date' }} />;

/** A moment in the reader's zone, which stands beside it; kept as `2026-01-31T10:00`. */
export const TimeField = (props: FieldProps) => (
  <ShortField {...props} control={{ type: 'datetime-local' }} unit={new Intl.DateTimeFormat().resolvedOptions().timeZone} />
);
