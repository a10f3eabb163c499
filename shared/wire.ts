/**
 * Names are snake_case on the wire and camelCase in the code; they are converted here and
 * nowhere else. Names of another form, such as header names in a map, stay as they are.
 */
const toSnake = memoize((name) =>
  /^[a-z][A-Za-z0-9]*$/.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name,
);
const toCamel = memoize((name) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()));

/** Clients choose names too, so not every one is kept. */
function memoize(convert: (name: string) => string): (name: string) => string {
  const kept = new Map<string, string>();
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = convert(name);
    if (kept.size < 1000 && name.length <= 64) kept.set(name, made);
    return made;
  };
}

/** Objects whose names are what clients chose. */
const clientNamedFields = new Set(['featureLabels', 'feature_labels']);

/** Names that mean something to the language or to the SDK, with any `_` before them. */
const unsafeNames = /^_*(?:constructor|__proto__)$/;

/** A name that a client chose, as the code and the table hold it: with a `_` more where it would mean something to them. */
export const safeClientName = (name: string): string => (unsafeNames.test(name) ? `_${name}` : name);
const originalClientName = (name: string): string => (unsafeNames.test(name) ? name.slice(1) : name);

export const wireName = toSnake;
export const codeName = toCamel;

/** Where in a request body something is, as its sender named it: `features.1`. */
export function wirePath(path: readonly PropertyKey[]): string {
  const names = path.map((part, at) => {
    if (typeof part !== 'string') return String(part);
    return clientNamedFields.has(String(path[at - 1])) ? [...originalClientName(part)].slice(0, 64).join('') : wireName(part);
  });
  return names.join('.');
}

/** A reply body as JSON data with snake_case names. */
export function toWire(value: unknown): unknown {
  return renameKeys(value, toSnake, originalClientName);
}

/** A request body with camelCase names. Fields whose names are not snake_case are left out: no endpoint declares one. */
export function fromWire(value: unknown): unknown {
  return renameKeys(value, (name) => (toSnake(toCamel(name)) === name ? toCamel(name) : undefined), safeClientName);
}

function renameKeys(value: unknown, rename: (name: string) => string | undefined, renameChosen: (name: string) => string): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => renameKeys(element, rename, renameChosen));
  }
  if (!isPlainObject(value)) {
    return value;
  }
  const renamed: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const key = rename(name);
    if (key === undefined) continue;
    renamed[key] = clientNamedFields.has(name) ? renameClientKeys(field, renameChosen) : renameKeys(field, rename, renameChosen);
  }
  return renamed;
}

const renameClientKeys = (value: unknown, rename: (name: string) => string): unknown =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([name, field]) => [rename(name), field])) : value;

function isPlainObject(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The type of a body as it is on the wire. A text may be any: later versions add values. */
export type Wire<Body> = Body extends string
  ? string
  : Body extends readonly (infer Element)[]
    ? Wire<Element>[]
    : Body extends object
      ? { [Name in keyof Body as Name extends string ? WireName<Name> : never]: Wire<Body[Name]> }
      : Body;

/** A name of the code as it is on the wire. */
export type WireName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${WireName<Rest>}`
  : '';
