import { operations } from 'console:operations';
import { type Fault, faultsIn } from '../forms/faults.ts';
import type { Values } from '../forms/values.ts';
import type { OperationId } from './call.ts';

/** What the description of an operation has against a body that is to be sent to it. See `faultsIn`. */
export const bodyFaults = (id: OperationId, body: object, values?: Values): Fault[] => faultsIn(operations[id]?.[2] ?? {}, body, values);
