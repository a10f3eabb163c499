/** Parameters as the provider's v1 interface takes them: nested names in brackets, every value a text. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };

const deepest = 8;

/** `a[b][0]=x&c[]=y` → `{a: {b: ['x']}, c: ['y']}` */
export function parseForm(text: string): Record<string, FormValue> {
  const root = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    place(root, pathOf(name), value);
  }
  const parsed = plain(root);
  return typeof parsed === 'string' || Array.isArray(parsed) ? {} : parsed;
}

function pathOf(name: string): string[] {
  const [first = ''] = name.split('[', 1);
  const brackets = [...name.slice(first.length).matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '');
  return [first, ...brackets].slice(0, deepest);
}

function place(root: Map<string, unknown>, path: string[], value: string): void {
  let at = root;
  path.slice(0, -1).forEach((part) => {
    const next = at.get(part);
    const map = next instanceof Map ? next : new Map<string, unknown>();
    at.set(part, map);
    at = map;
  });
  const last = path.at(-1) ?? '';
  at.set(last === '' ? String(at.size) : last, value);
}

/** Maps become objects, or arrays where every name counts up from 0. */
function plain(value: unknown): FormValue {
  if (!(value instanceof Map)) return String(value);
  const entries = [...value].map(([name, field]): [string, FormValue] => [String(name), plain(field)]);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, field]) => field) : Object.fromEntries(entries);
}
