import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import type { ZodSchema } from './endpoint.ts';
import { codeName, fromWire, wireName } from './wire.ts';

/** @throws AppError invalid_request naming every field at fault, never its value. */
export function parseFields(schema: ZodSchema, wire: Record<string, unknown>): unknown {
  const result = z.safeParse(schema, fromWire(wire));
  if (result.success) return result.data;
  throw new AppError('invalid_request', faultsOf(result.error));
}

/** Query parameters; a value that is empty or repeated is refused. */
export function parseQuery(schema: ZodSchema, rawQuery: string): unknown {
  const wire: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    const known = name in shapeOf(schema);
    if (known && (value === '' || name in wire)) {
      throw new AppError('invalid_request', `${name}: given empty or more than once`);
    }
    wire[name] = value;
  }
  return parseFields(schema, wire);
}

function shapeOf(schema: ZodSchema): Record<string, true> {
  const shape = 'shape' in schema && schema.shape !== null && typeof schema.shape === 'object' ? schema.shape : {};
  return Object.fromEntries(Object.keys(shape).map((name) => [wireName(name), true]));
}

function faultsOf(error: z.core.$ZodError): string {
  const faults = error.issues.map((issue) => {
    const field = issue.path.map((part) => (typeof part === 'string' ? wireName(codeName(part)) : String(part))).join('.');
    return `${field || 'body'}: ${issue.message}`;
  });
  return [...new Set(faults)].slice(0, 20).join('; ');
}
