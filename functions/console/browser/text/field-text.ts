/** What a field may hold. */
export type FieldValue = string | number | boolean | null | undefined | readonly FieldValue[] | { readonly [name: string]: FieldValue };

/** A value as a text, lists and records with a line for each entry, so that texts of values compare as the values do. */
export function fieldText(value: FieldValue, show: (value: string | number | boolean) => string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return show(value);
  return [...linesOf(value, show)].join('\n');
}

function* linesOf(
  value: Exclude<FieldValue, undefined | null>,
  show: (value: string | number | boolean) => string,
  name = '',
): Iterable<string> {
  const named = (text: string) => (name === '' ? text : `${name}: ${text}`);
  if (typeof value !== 'object') yield named(show(value));
  else if (isList(value)) yield* value.map((entry) => named(fieldText(entry, show)));
  else {
    for (const key of Object.keys(value).sort()) {
      const entry = value[key];
      if (entry !== undefined && entry !== null) yield* linesOf(entry, show, name === '' ? key : `${name} · ${key}`);
    }
  }
}

const isList = (value: object): value is readonly FieldValue[] => Array.isArray(value);
