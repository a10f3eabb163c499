import { useId } from 'preact/hooks';

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
