import { componentTexts } from './component-texts.ts';
import { deskFieldTexts } from './fields/desk-field-texts.ts';
import { type FieldTexts, fieldTexts } from './fields/field-texts.ts';
import { integrationFieldTexts } from './fields/integration-field-texts.ts';
import { orderFieldTexts } from './fields/order-field-texts.ts';
import { productFieldTexts } from './fields/product-field-texts.ts';
import { releaseFieldTexts } from './fields/release-field-texts.ts';
import { isRecord, type JsonSchema, refName } from './json-schema.ts';

export const allFieldTexts: FieldTexts = {
  ...fieldTexts,
  ...deskFieldTexts,
  ...integrationFieldTexts,
  ...orderFieldTexts,
  ...productFieldTexts,
  ...releaseFieldTexts,
};

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);
const rareFields = new Set(Object.entries(allFieldTexts).flatMap(([path, { isRare }]) => (isRare ? [lastOf(path)] : [])));

/** The schema with a description and an example at each of its fields. `owner` is a component's name, or empty. */
export function describeFields(schema: JsonSchema, owner: string): JsonSchema {
  const { properties, items, oneOf } = schema;
  return {
    ...schema,
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, describeField(name, field, owner)])),
    }),
    ...(isRecord(items) && { items: describeFields(items, owner) }),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.map((one) => (isRecord(one) ? describeFields(one, owner) : one)) }),
  };
}

export function describeComponent(name: string, schema: JsonSchema): JsonSchema {
  const known = componentTexts[name];
  if (!known) throw new Error(`The component ${name} has no text.`);
  return { title: known.title, description: known.text, ...describeFields(schema, name) };
}

function describeField(name: string, field: unknown, owner: string): JsonSchema {
  const path = owner === '' ? name : `${owner}.${name}`;
  const { text, example } = textOf(path);
  const schema = isRecord(field) ? field : {};
  const examples = example === undefined ? {} : { examples: [example] };
  return { ...describeFields(schema, path), description: text, ...examples, ...int64(name, schema) };
}

/** The text of a field, or of a parameter by its name alone. */
export function textOf(path: string) {
  const found = allFieldTexts[path] ?? allFieldTexts[lastOf(path)];
  if (!found) throw new Error(`The field ${path} has no text.`);
  return found;
}

/** Sizes of files may pass 32 bits. */
const int64 = (name: string, schema: JsonSchema) => (/size_bytes$/.test(name) && schema['type'] === 'integer' ? { format: 'int64' } : {});

/** A value that `schema` allows, made of the examples of its fields. */
export function exampleOf(schema: unknown, components: ReadonlyMap<string, JsonSchema>): unknown {
  if (!isRecord(schema)) return undefined;
  const { examples, properties, items, type, required } = schema;
  if (Array.isArray(examples)) return examples[0];
  const ref = refName(schema);
  if (ref !== undefined) return exampleOf(components.get(ref), components);
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (Array.isArray(schema['oneOf'])) return exampleOf(schema['oneOf'][0], components);
  if (type === 'array') return [exampleOf(items, components)];
  if (!isRecord(properties)) return {};
  const isShown = (name: string) => !rareFields.has(name) || (Array.isArray(required) && required.includes(name));
  const entries = Object.entries(properties).filter(([name, field]) => !isBinary(field) && isShown(name));
  return Object.fromEntries(entries.map(([name, field]) => [name, exampleOf(field, components)]));
}

const isBinary = (schema: unknown) => isRecord(schema) && schema['format'] === 'binary';
