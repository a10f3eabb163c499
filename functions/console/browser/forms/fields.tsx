import { FieldFrame, type FieldProps, useField } from './field.tsx';
import type { Value } from './values.ts';
import { say } from './words.ts';

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

/** How many characters are left, from four fifths on. */
function leftOf(value: string, most: number | undefined): string | undefined {
  if (most === undefined || value.length < 0.8 * most) return undefined;
  const left = most - [...value].length;
  return left < 0 ? say.over(-left) : say.left(left);
}

/** One line of text. */
export function TextField({ most, type = 'text', autocomplete = 'off', isCode = false, ...props }: TextProps) {
  const field = useField(props, undefined, most === undefined ? '' : 'note');
  const value = asText(field.value);
  const isWords = type === 'text' && !isCode;
  return (
    <FieldFrame {...props} field={field} note={most === undefined ? undefined : leftOf(value, most)}>
      <input
        {...field.control}
        type={type === 'search' ? 'search' : 'text'}
        inputMode={type}
        autocomplete={autocomplete}
        autocapitalize={isWords ? undefined : 'none'}
        spellcheck={isWords}
        value={value}
        onInput={({ currentTarget }) => field.set(currentTarget.value)}
      />
    </FieldFrame>
  );
}

/** Text of several lines. */
export function TextArea({ most, rows = 6, ...props }: FieldProps & { most?: number; rows?: number }) {
  const field = useField(props, undefined, most === undefined ? '' : 'note');
  const value = asText(field.value);
  return (
    <FieldFrame {...props} field={field} note={most === undefined ? undefined : leftOf(value, most)}>
      <textarea
        {...field.control}
        rows={rows}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => field.set(currentTarget.value)}
      />
    </FieldFrame>
  );
}

/** A list with a line for each; kept as it is typed, and sent as `linesOf` reads it. */
export function Lines({ rows = 4, ...props }: FieldProps & { rows?: number }) {
  const field = useField(props);
  return (
    <FieldFrame {...props} field={field}>
      <textarea
        {...field.control}
        rows={rows}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={asText(field.value)}
        onInput={({ currentTarget }) => field.set(currentTarget.value)}
      />
    </FieldFrame>
  );
}

/** A whole number; kept as it is typed, and sent as `wholeNumber` reads it. */
export function NumberField({ unit, ...props }: FieldProps & { unit?: string }) {
  const field = useField(props);
  return (
    <FieldFrame {...props} field={field}>
      <input
        {...field.control}
        class="short"
        inputMode="numeric"
        autocomplete="off"
        value={asText(field.value)}
        onInput={({ currentTarget }) => field.set(currentTarget.value)}
      />
      {unit && <span> {unit}</span>}
    </FieldFrame>
  );
}

/** A price as people write it in the currency; kept as it is typed, and sent as `readPrice` reads it. */
export function PriceField({ currency, ...props }: FieldProps & { currency: string }) {
  const field = useField(props);
  return (
    <FieldFrame {...props} field={field}>
      <input
        {...field.control}
        class="short"
        inputMode="decimal"
        autocomplete="off"
        value={asText(field.value)}
        onInput={({ currentTarget }) => field.set(currentTarget.value)}
      />
      <span> {currency.toUpperCase()}</span>
    </FieldFrame>
  );
}

/** A day; kept as `2026-01-31`. */
export function DateField(props: FieldProps) {
  const field = useField(props);
  return (
    <FieldFrame {...props} field={field}>
      <input
        {...field.control}
        type="date"
        class="short"
        autocomplete="off"
        value={asText(field.value)}
        onInput={({ currentTarget }) => field.set(currentTarget.value)}
      />
    </FieldFrame>
  );
}
