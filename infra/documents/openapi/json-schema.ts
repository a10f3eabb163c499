import * as z from 'zod/mini';
import type { ZodSchema } from '../../../shared/http/endpoint.ts';
import { wireName } from '../../../shared/wire.ts';

export type JsonSchema = Record<string, unknown>;

const refBase = '#/components/schemas/';

/**
 * Writes zod schemas as JSON Schemas with the names they have on the wire. Named ones
 * become components, `{ $ref }` elsewhere.
 */
export function createSchemaWriter(names: ReadonlyMap<ZodSchema, string>) {
  const components = new Map<string, JsonSchema>();
  // What is registered beside them holds for every writer; the names are this one's.
  const metadata = z.registry<Record<string, unknown>>();
  metadata.get = (schema) => ({ ...z.globalRegistry.get(schema), ...(names.has(schema) && { id: names.get(schema) }) });

  function addComponent(name: string, schema: JsonSchema): void {
    const existing = components.get(name);
    if (existing && JSON.stringify(existing) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas would both be called ${name}.`);
    }
    components.set(name, schema);
  }

  return {
    components,
    addComponent,

    /** `io`: a request's shape before its defaults are filled in, or a reply's. */
    write(schema: ZodSchema, io: 'input' | 'output'): JsonSchema {
      const written = z.toJSONSchema(z.object({ root: schema }), { metadata, io, unrepresentable: 'any' });
      for (const [name, component] of Object.entries(written.$defs ?? {})) addComponent(name, toWireSchema(component));
      return toWireSchema(written.properties?.['root']);
    },
  };
}

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

export const refTo = (name: string): JsonSchema => ({ $ref: refBase + name });
/** The name of the component that `schema` refers to. */
export const refName = (schema: unknown): string | undefined => {
  const ref = isRecord(schema) ? schema['$ref'] : undefined;
  return typeof ref === 'string' && ref.startsWith(refBase) ? ref.slice(refBase.length) : undefined;
};

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Keywords whose values are data, not schemas. */
const dataKeywords = new Set(['enum', 'const', 'default', 'examples']);

function toWireSchema(schema: unknown): JsonSchema {
  if (!isRecord(schema)) return {};
  const written: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!isNoise(keyword, value, schema)) written[keywordOf(keyword, value)] = wireValueOf(keyword, value);
  }
  return wholeAlternatives(written);
}

/**
 * Alternatives that only name the fields they need, each as the object with these
 * fields: of anything less a generator of clients makes no type.
 */
function wholeAlternatives(schema: JsonSchema): JsonSchema {
  const { properties, oneOf, type, ...rest } = schema;
  if (!isRecord(properties) || !Array.isArray(oneOf)) return schema;
  const whole = oneOf.map(({ required }: { required: string[] }) => ({
    type,
    properties: Object.fromEntries(required.map((name) => [name, properties[name]])),
    required,
  }));
  return { ...rest, oneOf: whole };
}

/** Keywords without meaning for a reader: bounds of JavaScript's integers, and that no other field is sent now. */
function isNoise(keyword: string, value: unknown, schema: JsonSchema): boolean {
  switch (keyword) {
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER;
    case 'additionalProperties':
      return value === false;
    case 'pattern':
      return schema['format'] === 'date-time' || schema['type'] === 'integer';
    default:
      return keyword === 'propertyNames' || keyword === 'id';
  }
}

/** Our alternatives exclude one another. */
function keywordOf(keyword: string, value: unknown): string {
  const areObjects = Array.isArray(value) && value.every((schema) => isRecord(schema) && ('$ref' in schema || schema['type'] === 'object'));
  return keyword === 'anyOf' && areObjects ? 'oneOf' : keyword;
}

function wireValueOf(keyword: string, value: unknown): unknown {
  if (dataKeywords.has(keyword)) return value;
  if (keyword === '$ref') return String(value).replace('#/$defs/', refBase);
  if (keyword === 'required' && Array.isArray(value)) return value.map((name) => wireName(String(name)));
  if (keyword === 'properties' && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [wireName(name), toWireSchema(schema)]));
  }
  if (Array.isArray(value)) return value.map((element) => (isRecord(element) ? toWireSchema(element) : element));
  return isRecord(value) ? toWireSchema(value) : value;
}
