import { operations } from 'console:operations';
import type { BodySchema } from '../api/body-check.ts';
import type { ArgsOf } from '../api/call.ts';
import type { CheckedId } from '../api/checked-operations.ts';
import { type Fault, faultsIn } from './faults.ts';
import type { Values } from './values.ts';

/** What the description of an operation has against a body that is to be sent to it, or against a part of one. See `faultsIn`. */
export const bodyFaults = (
  id: CheckedId,
  body: object,
  values?: Values,
  part = (schema: BodySchema): BodySchema | undefined => schema,
): Fault[] => faultsIn(part(bodySchema(id)) ?? {}, body, values);

/** Whether the description of an operation has nothing against a body. */
export const isBodyOf = <Id extends CheckedId>(id: Id, body: object): body is ArgsOf<Id>['body'] & object =>
  bodyFaults(id, body).length === 0;

const bodySchema = (id: CheckedId): BodySchema => operations[id]?.[2] ?? {};
