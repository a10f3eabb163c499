import * as z from 'zod/mini';
import { type Fault, fault, type PlainRule } from './faults/fault.ts';
import * as rules from './faults/rules.ts';

/** What a field was to be, in the words of JSON; nothing else is sent. */
const typeRules = new Map<string, PlainRule>([
  ['string', rules.notText],
  ['number', rules.notNumber],
  ['int', rules.notWhole],
  ['boolean', rules.notBoolean],
  ['array', rules.notList],
  ['object', rules.notObject],
  ['record', rules.notObject],
]);

/** The rule that a field breaks, by the code of zod's issue; checks of our own name theirs. */
function faultOf(issue: z.core.$ZodRawIssue): Fault {
  switch (issue.code) {
    case 'invalid_type':
      return fault(issue.input === undefined ? rules.missing : (typeRules.get(issue.expected) ?? rules.otherType));
    case 'invalid_value':
      if (issue.input === undefined) return fault(rules.missing);
      return issue.values.length > 1
        ? fault(rules.notOneOf, { values: issue.values.join(', ') })
        : fault(rules.otherValue, { value: String(issue.values[0]) });
    case 'invalid_format':
      return fault(issue.format === 'datetime' ? rules.notTime : rules.otherForm);
    case 'too_big':
      return issue.exact ? otherSize(issue.origin, issue.maximum) : tooBig(issue.origin, issue.maximum);
    case 'too_small':
      return issue.exact ? otherSize(issue.origin, issue.minimum) : tooSmall(issue.origin, issue.minimum);
    case 'not_multiple_of':
      return fault(rules.notMultiple, { step: issue.divisor });
    case 'unrecognized_keys':
      return fault(rules.otherMembers);
    default:
      return fault(rules.otherShape);
  }
}

const tooBig = (origin: string, max: number | bigint) =>
  fault(origin === 'string' ? rules.tooLong : origin === 'array' ? rules.tooMany : rules.tooLarge, { max });

const tooSmall = (origin: string, min: number | bigint) =>
  fault(origin === 'string' ? rules.tooShort : origin === 'array' ? rules.tooFew : rules.tooSmall, { min });

function otherSize(origin: string, size: number | bigint): Fault {
  if (origin === 'string') return fault(rules.otherLength, { length: size });
  return origin === 'array' ? fault(rules.otherCount, { count: size }) : fault(rules.otherNumber, { number: size });
}

z.config({ localeError: faultOf });
