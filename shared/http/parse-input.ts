import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { fromWire, wireName } from '../wire.ts';
import type { ZodSchema } from './endpoint.ts';

/** @throws AppError invalid_request naming every field at fault, never its value. */
export function parseFields(schema: ZodSchema, wire: unknown): unknown {
  return parsed(schema, wire, []);
}

/**
 * Parses query strings; parameters that the schema does not know are ignored.
 *
 * The parser throws AppError `invalid_request`, also for a parameter that is empty or repeated.
 */
export function createQueryParser(schema: ZodSchema): (rawQuery: string) => unknown {
  const known = namesOf(schema);
  return (rawQuery) => {
    const query = new URLSearchParams(rawQuery);
    const names = [...new Set(query.keys())].filter((name) => known.has(name));
    const isFit = (name: string) => query.getAll(name).length === 1 && query.get(name) !== '';
    const faults = names.filter((name) => !isFit(name)).map((name) => `${name}: given empty or more than once`);
    const wire = Object.fromEntries(names.filter(isFit).map((name) => [name, query.get(name)]));
    return parsed(schema, wire, faults);
  };
}

function parsed(schema: ZodSchema, wire: unknown, faults: readonly string[]): unknown {
  const result = z.safeParse(schema, fromWire(wire));
  if (result.success && faults.length === 0) return result.data;
  throw new AppError('invalid_request', [...faults, ...faultsOf(result.error)].join('; '));
}

/** The names on the wire of the fields that a schema knows. */
export function namesOf(schema: ZodSchema): Set<string> {
  const shape = 'shape' in schema && schema.shape !== null && typeof schema.shape === 'object' ? schema.shape : {};
  return new Set(Object.keys(shape).map(wireName));
}

/** A long list may be wrong in every element; these are enough to see how. */
const faultsShownOfField = 3;

function faultsOf(error: z.core.$ZodError | undefined): string[] {
  const byField = Map.groupBy(error?.issues ?? [], (issue) => String(issue.path[0]));
  return [...byField.values()].flatMap((issues) => [...new Set(issues.map(faultOf))].slice(0, faultsShownOfField));
}

function faultOf({ path, message }: z.core.$ZodIssue): string {
  const field = path.map((part) => (typeof part === 'string' ? wireName(part) : String(part))).join('.');
  return `${field || 'body'}: ${message}`;
}
