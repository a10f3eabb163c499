import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import TJS from 'typescript-json-schema';

/** A JSON schema, as far as it is looked into here. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema | Schema[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  const?: unknown;
}
export type Definitions = Record<string, Schema>;

const root = join(import.meta.dirname, '../../..');
const typesFile = join(import.meta.dirname, 'wire-types.ts');
const versionOf = (name: string): string => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

/** Objects that an answer holds whole where a request expands them; of any other there is the id alone. */
const expandable = ['charge', 'payment_intent'];

/**
 * The definitions that `wire-types.ts` leads to, each object closed, made from the SDK's own
 * types. It takes some seconds, so the result is kept for as long as SDK and types stay the same.
 */
export function generateSchemas(): Definitions {
  const source = readFileSync(typesFile, 'utf8') + readFileSync(import.meta.filename, 'utf8');
  const versions = ['stripe', 'typescript-json-schema'].map(versionOf).join();
  const digest = createHash('sha256').update(`${versions}\n${source}`).digest('hex').slice(0, 16);
  const folder = join(root, 'node_modules/.cache/provider-schemas');
  const file = join(folder, `${digest}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const definitions = reachable(generate());
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(definitions));
    renameSync(`${file}.${process.pid}`, file);
    return definitions;
  }
}

function generate(): Definitions {
  const options = { strict: true, skipLibCheck: true, module: 'nodenext', moduleResolution: 'nodenext', target: 'es2022', types: [] };
  const program = TJS.getProgramFromFiles([typesFile], options, root);
  const shape = { required: true, strictNullChecks: true, noExtraProps: true, ignoreErrors: true };
  const schema = TJS.buildGenerator(program, shape)?.getSchemaForSymbol('ProviderWire');
  if (!schema) throw new Error('The types of the SDK could not be read.');
  const { definitions = {}, properties = {} } = schema as { definitions?: Definitions; properties?: Record<string, Schema> };
  return { ...definitions, wire: { properties } };
}

export const refName = ({ $ref }: Schema) => ($ref === undefined ? undefined : decodeURIComponent($ref.replace('#/definitions/', '')));

/** What can be reached from the root, without what an id stands for in every answer. */
function reachable(all: Definitions): Definitions {
  const kept: Definitions = {};
  const waiting = ['wire'];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (kept[name] || !all[name]) continue;
    kept[name] = mapSchema(all[name] ?? {}, (schema) => {
      const slim = withoutObjects(withoutVoid(schema), all);
      const next = refName(slim);
      if (next !== undefined) waiting.push(next);
      return slim;
    });
  }
  return kept;
}

/** `deleted?: void`: what an object that was not deleted never has. */
function withoutVoid({ properties, ...rest }: Schema): Schema {
  if (!properties) return rest;
  return { ...rest, properties: Object.fromEntries(Object.entries(properties).filter(([, { anyOf }]) => anyOf?.length !== 0)) };
}

/** `string | Customer` → `string`; an open enum → the values that the SDK knows. */
function withoutObjects(schema: Schema, all: Definitions): Schema {
  const { description: _, ...rest } = schema as Schema & { description?: string };
  if (!rest.anyOf) return rest;
  const isId = rest.anyOf.some(({ type }) => [type].flat().includes('string'));
  const anyOf = rest.anyOf.filter((one) => {
    const name = refName(one) ?? '';
    if (name.endsWith('.OtherString')) return false;
    const object = all[name]?.properties?.['object']?.const;
    return !isId || typeof object !== 'string' || expandable.includes(object);
  });
  return { ...rest, anyOf };
}

/** Every schema within `schema`, from the outside in, replaced by what `change` makes of it. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const within = (one: Schema) => mapSchema(one, change);
  const { properties, items, additionalProperties, anyOf, ...rest } = change(schema);
  return {
    ...rest,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, within(one)])) }),
    ...(items && { items: Array.isArray(items) ? items.map(within) : within(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'boolean' ? additionalProperties : within(additionalProperties),
    }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
  };
}
