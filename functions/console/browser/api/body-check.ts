import { fault, type PlainRule } from '../../../../shared/faults/fault.ts';
import * as rules from '../../../../shared/faults/rules.ts';
import { withScheme } from '../../../../shared/text/web-address.ts';

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

const types: Readonly<Record<string, readonly [rule: PlainRule, fits: (value: unknown) => boolean]>> = {
  string: [rules.notText, (value) => typeof value === 'string'],
  number: [rules.notNumber, (value) => Number.isFinite(value)],
  integer: [rules.notWhole, (value) => Number.isSafeInteger(value)],
  boolean: [rules.notBoolean, (value) => typeof value === 'boolean'],
  array: [rules.notList, Array.isArray],
  object: [rules.notObject, (value) => isObject(value)],
};

/**
 * What a schema has against a body: nothing that the service takes, though it may refuse more, whose rules no schema
 * can tell. What it refuses, it says itself.
 */
export function bodySchemaFaults(schema: BodySchema, value: unknown, path: BodyFault['path'] = []): BodyFault[] {
  const faulty = (text: string): BodyFault[] => [{ path, text }];
  const [rule, fits] = types[schema.type ?? ''] ?? [rules.otherType, () => true];
  if (!fits(value)) return faulty(fault(value === undefined ? rules.missing : rule));
  if (schema.enum && !schema.enum.includes(value)) return faulty(fault(rules.notOneOf, { values: schema.enum.join(', ') }));
  if (typeof value === 'string') return faultOfText(schema, value, typeof path.at(-1) === 'number').flatMap(faulty);
  if (typeof value === 'number') return faultOfNumber(schema, value).flatMap(faulty);
  if (Array.isArray(value)) {
    const inItems = value.flatMap((item, index) => bodySchemaFaults(schema.items ?? {}, item, [...path, index]));
    return [...faultOfLength(schema, value.length).flatMap(faulty), ...inItems];
  }
  if (!isObject(value)) return [];
  const { properties = {}, required = [], additionalProperties = {} } = schema;
  const members = new Map<string, unknown>(Object.entries(value));
  const known = Object.entries(properties).flatMap(([member, inner]) => {
    const isGiven = members.get(member) !== undefined;
    return isGiven || required.includes(member) ? bodySchemaFaults(inner, members.get(member), [...path, member]) : [];
  });
  const others = [...members].flatMap(([member, inner]) =>
    Object.hasOwn(properties, member) ? [] : bodySchemaFaults(additionalProperties, inner, [...path, member]),
  );
  return [...known, ...others];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

function faultOfText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, format }: BodySchema, text: string, isItem: boolean): string[] {
  // Counted as the service counts: in code points.
  if ([...text].length > maxLength) return [fault(rules.tooLong, { max: maxLength })];
  // A field that must hold something holds more than blanks; of a list's items the service takes them.
  if (minLength > 0 && (isItem ? text : text.trim()) === '') return [fault(rules.blank)];
  // What input methods leave in an address the service folds.
  const folded = text.normalize('NFKC').trim();
  if (format === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(folded)) return [fault(rules.notEmail)];
  if (format === 'uri' && !/^https?:\/\/[^/?#@\s]+(?:[/?#]|$)/i.test(withScheme(folded))) {
    return [fault(rules.notWebUri)];
  }
  return [];
}

function faultOfNumber({ minimum: min = Number.NEGATIVE_INFINITY, maximum: max = Number.POSITIVE_INFINITY }: BodySchema, value: number) {
  if (value < min) return [fault(rules.tooSmall, { min })];
  return value > max ? [fault(rules.tooLarge, { max })] : [];
}

function faultOfLength({ minItems: min = 0, maxItems: max = Number.POSITIVE_INFINITY }: BodySchema, length: number) {
  if (length < min) return [fault(rules.tooFew, { min })];
  return length > max ? [fault(rules.tooMany, { max })] : [];
}
