import { fault } from '../../../../shared/faults/fault.ts';
import { type FieldFault, readMessage } from '../../../../shared/faults/read-fault.ts';
import * as rules from '../../../../shared/faults/rules.ts';
import { type BodySchema, bodySchemaFaults } from '../api/body-check.ts';
import { linesOf, type Values } from './values.ts';

/** What is wrong with a field. */
export interface Fault {
  /** By its name in the API; empty when it is about no field. */
  field: string;
  /** What of the field, when not all of it: the number of a line, from 1 on, or a name. */
  at?: string;
  /** What goes after the name, as the API says it. */
  text: string;
}

/**
 * What the API's own description of a body has against one that is to be sent, at most one fault a field. A text field
 * that holds nothing is told to be missing, whatever else the description says of it.
 */
export function faultsIn(schema: BodySchema, body: object, values: Values = {}): Fault[] {
  return onePerField(
    bodySchemaFaults(schema, body).map(({ path: [field, ...within], text }) => {
      const found = faultAt(String(field ?? ''), within.map(placeOf).join(' '), text);
      const value = values[found.field];
      return typeof value === 'string' && value.trim() === '' ? { field: found.field, text: fault(rules.missing) } : found;
    }),
  );
}

/** What the API says in the message of an `invalid_request`: `price_amount is missing; features.1 must …`. */
export const faultsInMessage = (message: string): Fault[] => onePerField(readMessage(message).map(writtenAt));

/** A fault whose place is written `features.1`. */
function writtenAt({ field: path, text }: FieldFault): Fault {
  const [field = '', ...within] = path.split('.');
  return faultAt(field, within.map((part) => placeOf(/^\d+$/.test(part) ? Number(part) : part)).join(' '), text);
}

const faultAt = (field: string, at: string, text: string): Fault => ({ field, text, ...(at && { at }) });

/** People count from one. */
const placeOf = (part: string | number) => String(typeof part === 'number' ? part + 1 : part);

/** The first fault of each field, and all that are about none. */
export function onePerField(faults: readonly Fault[]): Fault[] {
  return faults.filter(({ field }, place) => field === '' || faults.findIndex((fault) => fault.field === field) === place);
}

/** The fault with the number of the line in the text area, which counts blank ones too; those are not sent. */
export function atLineOf(text: string, fault: Fault): Fault {
  const index = Number(fault.at) - 1;
  const line = linesOf(text)[index];
  if (line === undefined) return fault;
  const numbers = text.split('\n').flatMap((one, at) => (one.trim() === '' ? [] : [at + 1]));
  return { ...fault, at: String(numbers[index] ?? fault.at) };
}
