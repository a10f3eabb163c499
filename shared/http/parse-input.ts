import * as z from 'zod/mini';
import { faultOf } from '../faults/fault.ts';
import { invalidRequest } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import '../zod-faults.ts';
import { fromWire, wireName, wirePath } from '../wire.ts';
import type { ZodSchema } from './endpoint.ts';

/** What is wrong with a field, and its name or path before that. */
interface Fault {
  /** The name on the wire of the field itself, not of what is within it. */
  field: string;
  text: string;
}

/** @throws AppError invalid_request saying of every field at fault what is wrong, never its value. */
export function parseFields(schema: ZodSchema, wire: unknown): unknown {
  return parsed(schema, wire, []);
}

/**
 * Parses query strings; parameters that the schema does not know are ignored.
 *
 * The parser throws AppError `invalid_request`, also for a parameter that is empty or repeated.
 */
export function createQueryParser(schema: ZodSchema): (rawQuery: string) => unknown {
  const known = wireNamesOf(schema);
  return (rawQuery) => {
    const query = new URLSearchParams(rawQuery);
    const names = [...new Set(query.keys())].filter((name) => known.has(name));
    const isFit = (name: string) => query.getAll(name).length === 1 && query.get(name) !== '';
    const faults = names.filter((name) => !isFit(name)).map((field) => ({ field, text: faultOf(field, rules.emptyOrRepeated) }));
    const wire = Object.fromEntries(names.filter(isFit).map((name) => [name, query.get(name)]));
    return parsed(schema, wire, faults);
  };
}

/** The same for programs that cannot handle errors: invalid parameters are dropped, and names are not converted. */
export function createForeignQueryParser(schema: ZodSchema): (rawQuery: string) => unknown {
  const known = schemaNames(schema);
  return (rawQuery) => {
    const query = new URLSearchParams(rawQuery);
    const fit = known.filter((name) => query.getAll(name).length === 1 && query.get(name) !== '');
    const input = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, query.get(name)]));
    const faulty = z.safeParse(schema, input(fit)).error?.issues.map(({ path }) => path[0]) ?? [];
    return z.parse(schema, input(fit.filter((name) => !faulty.includes(name))));
  };
}

function parsed(schema: ZodSchema, wire: unknown, queryFaults: readonly Fault[]): unknown {
  const result = z.safeParse(schema, fromWire(wire));
  if (result.success && queryFaults.length === 0) return result.data;
  throw invalidRequest(describeFaults([...queryFaults, ...(result.error?.issues ?? []).map(toldFault)], [...wireNamesOf(schema)]));
}

/** One fault per field, in the order of the schema and the documentation. */
function describeFaults(faults: readonly Fault[], order: readonly string[]): string[] {
  const first = [...Map.groupBy(faults, ({ field }) => field).values()].flatMap(([fault]) => fault ?? []);
  const place = ({ field }: Fault) => order.indexOf(field);
  return first.sort((a, b) => place(a) - place(b)).map(({ text }) => text);
}

/** The names on the wire of the fields that a schema knows. */
export function wireNamesOf(schema: ZodSchema): Set<string> {
  return new Set(schemaNames(schema).map(wireName));
}

const schemaNames = (schema: ZodSchema): string[] =>
  Object.keys('shape' in schema && schema.shape !== null && typeof schema.shape === 'object' ? schema.shape : {});

function toldFault({ path, message }: z.core.$ZodIssue): Fault {
  return { field: wirePath(path.slice(0, 1)) || 'body', text: `${wirePath(path) || 'body'} ${message}` };
}
