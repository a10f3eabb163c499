/** What the interface's description says of a part of a request body: as much of JSON Schema as it uses for that. */
export interface BodySchema {
  type?: string;
  properties?: Readonly<Record<string, BodySchema>>;
  required?: readonly string[];
  /** The values of a map. */
  additionalProperties?: BodySchema;
  items?: BodySchema;
  enum?: readonly unknown[];
  /** What counts where nothing is given. */
  default?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** What is wrong with a body, and where. */
export interface BodyFault {
  path: readonly (string | number)[];
  /** What goes after the name, as the API says it. */
  text: string;
}

const types: Readonly<Record<string, readonly [text: string, fits: (value: unknown) => boolean]>> = {
  string: ['text', (value) => typeof value === 'string'],
  number: ['a number', (value) => Number.isFinite(value)],
  integer: ['a whole number', (value) => Number.isSafeInteger(value)],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  array: ['a list', Array.isArray],
  object: ['an object', (value) => isObject(value)],
};

/**
 * What a schema has against a body: nothing that the service takes, though it may refuse more, whose rules no schema
 * can tell. What it refuses, it says itself.
 */
export function faultsInBody(schema: BodySchema, value: unknown, path: BodyFault['path'] = []): BodyFault[] {
  const faulty = (text: string): BodyFault[] => [{ path, text }];
  const [name, fits] = types[schema.type ?? ''] ?? ['', () => true];
  if (!fits(value)) return faulty(value === undefined ? 'is missing' : `must be ${name}`);
  if (schema.enum && !schema.enum.includes(value)) return faulty(`must be one of ${schema.enum.join(', ')}`);
  if (typeof value === 'string') return faultOfText(schema, value, typeof path.at(-1) === 'number').flatMap(faulty);
  if (typeof value === 'number') return faultOfSize(value, schema.minimum, schema.maximum, '').flatMap(faulty);
  if (Array.isArray(value)) {
    const inItems = value.flatMap((item, index) => faultsInBody(schema.items ?? {}, item, [...path, index]));
    return [...faultOfSize(value.length, schema.minItems, schema.maxItems, 'a list of ').flatMap(faulty), ...inItems];
  }
  if (!isObject(value)) return [];
  const { properties = {}, required = [], additionalProperties = {} } = schema;
  const members = new Map<string, unknown>(Object.entries(value));
  const known = Object.entries(properties).flatMap(([member, inner]) => {
    const isGiven = members.get(member) !== undefined;
    return isGiven || required.includes(member) ? faultsInBody(inner, members.get(member), [...path, member]) : [];
  });
  const others = [...members].flatMap(([member, inner]) =>
    Object.hasOwn(properties, member) ? [] : faultsInBody(additionalProperties, inner, [...path, member]),
  );
  return [...known, ...others];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

function faultOfText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, format }: BodySchema, text: string, isItem: boolean): string[] {
  // Counted as the service counts: in code points.
  if ([...text].length > maxLength) return [`must be at most ${maxLength} characters long`];
  // A field that must hold something holds more than blanks; of a list's items the service takes them.
  if (minLength > 0 && (isItem ? text : text.trim()) === '') return ['must not be blank'];
  // What input methods leave in an address the service folds.
  if (format === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text.normalize('NFKC').trim())) return ['must be an e-mail address'];
  if (format === 'uri' && !/^https?:\/\/[^/?#@\s]+(?:[/?#]|$)/i.test(text)) {
    return ['must be an http or https URI without spaces, quotes, backslashes or credentials'];
  }
  return [];
}

function faultOfSize(size: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, what: string): string[] {
  if (size < least) return [`must be ${what}at least ${least}`];
  return size > most ? [`must be ${what}at most ${most}`] : [];
}
