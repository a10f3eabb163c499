import { AppError } from '../errors.ts';
import { faultOf, messageOf, type Params, type Rule } from './fault.ts';

/** The error that tells of fields at fault, in the order in which they are given. */
export const invalidRequest = (faults: readonly string[], options: { cause?: unknown } = {}): AppError =>
  new AppError('invalid_request', messageOf(faults), options);

/** The same of one field. */
export const invalidField = <Words extends Rule>(field: string, rule: Words, ...given: Params<Words>): AppError =>
  invalidRequest([faultOf(field, rule, ...given)]);
