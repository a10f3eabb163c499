import type { Value } from '../forms/values.ts';
import { SellerText } from '../text/seller-text.tsx';
import { FieldFrame, type FieldProps, useField } from './field.tsx';

/** A value and what it is called. */
export type Option = readonly [value: string, words: string];

const optionWords = (options: readonly Option[]) => {
  const words = new Map(options);
  const one = (value: string) => words.get(value) ?? value;
  return (value: Value) => (typeof value === 'string' ? one(value) : Array.isArray(value) ? value.map(one).join('\n') : String(value));
};

/** One of several. A value that is none of them, which a later version may have stored, stays possible. */
export function Choice({ options, ...props }: FieldProps & { options: readonly Option[] }) {
  const field = useField(props, optionWords(options));
  const { value } = field;
  const isStrange = typeof value === 'string' && !options.some(([option]) => option === value);
  const all = isStrange ? [[value, value] as const, ...options] : options;
  return (
    <FieldFrame {...props} field={field}>
      <select {...field.control} autocomplete="off" value={String(value)} onChange={({ currentTarget }) => field.set(currentTarget.value)}>
        {all.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** Yes or no. */
export function Check(props: Omit<FieldProps, 'optional'>) {
  const field = useField({ ...props, optional: true });
  return (
    <FieldFrame {...props} field={field} isCheck>
      <input
        {...field.control}
        type="checkbox"
        checked={field.value === true}
        onChange={({ currentTarget }) => field.set(currentTarget.checked)}
      />
    </FieldFrame>
  );
}

/** Any of several, in their own order. */
export function Checks({ options, ...props }: FieldProps & { options: readonly Option[] }) {
  const field = useField(props, optionWords(options));
  const chosen: readonly string[] = Array.isArray(field.value) ? field.value : [];
  const { id, required: _, ...control } = field.control;
  const all = [
    ...options,
    ...chosen.filter((value) => !options.some(([option]) => option === value)).map((value) => [value, value] as const),
  ];
  return (
    <FieldFrame {...props} field={field} isGroup>
      {all.map(([option, words], at) => (
        <label key={option} class="check">
          <input
            {...control}
            id={at === 0 ? id : undefined}
            type="checkbox"
            value={option}
            checked={chosen.includes(option)}
            onChange={({ currentTarget: { checked } }) =>
              field.set(all.map(([one]) => one).filter((one) => (one === option ? checked : chosen.includes(one))))
            }
          />
          <SellerText text={words} />
        </label>
      ))}
    </FieldFrame>
  );
}
