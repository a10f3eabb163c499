import type { BodySchema } from '../../functions/console/browser/api/body-check.ts';
import type { ZodSchema } from '../../shared/http/endpoint.ts';
import { createSchemaWriter, isRecord, type JsonSchema } from '../documents/openapi/json-schema.ts';

/** What a browser checks of a body; a pattern it leaves to the service, which says in words what it wants instead. */
const keywords = new Set<string>([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'default',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
] satisfies (keyof BodySchema)[]);

/** What the interface's description says of a request body, for a browser that asks before it sends. */
export const bodySchemaOf = (body: ZodSchema): BodySchema => checked(createSchemaWriter(new Map()).write(body, 'input'));

function checked(schema: JsonSchema): BodySchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => (keywords.has(keyword) ? [[keyword, withoutRest(keyword, value)]] : [])),
  );
}

function withoutRest(keyword: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (keyword !== 'properties') return checked(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, isRecord(member) ? checked(member) : {}]));
}
