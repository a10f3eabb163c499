import * as z from 'zod/mini';

/** What a policy is attached to: a role or user, a resource, or a role for those who may become it. */
export type PolicyKind = 'identity' | 'resource' | 'trust';

export type Decision = 'Allowed' | 'ImplicitlyDenied' | 'ExplicitlyDenied';

/** What one principal of the account, or a service of AWS, asks for. */
export interface AccessRequest {
  /** An ARN, or the name of a service: `sqs.amazonaws.com`. */
  principal: string;
  action: string;
  resource: string;
  /** The condition keys of the request. A key with several values has a list, which may be empty. */
  context: Readonly<Record<string, string | readonly string[]>>;
}

/** A document, read. */
export type Policy = readonly Statement[];

/** Not a policy, or one with an element, a principal or an operator that is not evaluated here; the message names it. */
export class PolicyError extends Error {}

interface Statement {
  effect: 'Allow' | 'Deny';
  covers(request: AccessRequest): boolean;
}

type Test = (value: string) => boolean;

const oneOrMore = (text: z.ZodMiniString) =>
  z.pipe(
    z.union([text, z.array(text).check(z.minLength(1))]),
    z.transform((given) => [given].flat()),
  );
const Action = oneOrMore(z.string().check(z.regex(/^(\*|[\w-]+:[\w*?]+)$/)));
const Resource = oneOrMore(z.string().check(z.regex(/^(\*|arn:([^:]*:){4}.+)$/)));
const Principal = z.union([z.literal('*'), z.strictObject({ AWS: z.literal('*') }), z.strictObject({ Service: oneOrMore(z.string()) })]);
const Condition = z._default(z.record(z.string(), z.record(z.string(), oneOrMore(z.string()))), {});
const common = { Sid: z.optional(z.string()), Effect: z.enum(['Allow', 'Deny']), Action, Condition };
const statementOf = {
  identity: z.strictObject({ ...common, Resource, Principal: z.optional(z.never()) }),
  resource: z.strictObject({ ...common, Resource, Principal }),
  trust: z.strictObject({ ...common, Resource: z.optional(z.never()), Principal }),
};

/** Where a policy cannot be read, and by the name of what is not known there. */
const faultIn = (issue: z.core.$ZodIssue): string =>
  `${issue.path.join('.')} ${issue.code === 'unrecognized_keys' ? `has ${issue.keys.join(', ')}` : issue.message}`;

/**
 * A policy that can be evaluated.
 *
 * @throws PolicyError
 */
export function readPolicy(document: unknown, kind: PolicyKind): Policy {
  const read = z.safeParse(z.strictObject({ Version: z.literal('2012-10-17'), Statement: z.array(statementOf[kind]) }), document);
  if (!read.success) throw new PolicyError(read.error.issues.map(faultIn).join('; '));
  return read.data.Statement.map(({ Effect, Action, Resource, Principal, Condition }) => {
    const isAction = anyOf(Action.map((pattern) => matcher(pattern, 'i')));
    const isResource = anyOf((Resource ?? ['*']).map(arnMatcher));
    const isPrincipal = principalMatcher(Principal);
    const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, wanted]) => conditionOn(key, operator, wanted)),
    );
    return {
      effect: Effect,
      covers: ({ principal, action, resource, context }) =>
        isAction(action) && isResource(resource) && isPrincipal(principal) && conditions.every((isMet) => isMet(context)),
    };
  });
}

/**
 * Decides as IAM does within one account: a denial goes before all else, and what neither the identity's policies
 * nor the resource's own allows is denied.
 */
export function evaluate(request: AccessRequest, ...policies: readonly Policy[]): Decision {
  const effects = new Set(policies.flatMap((policy) => policy.filter((each) => each.covers(request)).map(({ effect }) => effect)));
  if (effects.has('Deny')) return 'ExplicitlyDenied';
  return effects.has('Allow') ? 'Allowed' : 'ImplicitlyDenied';
}

/** Without a principal a policy is about whoever it is attached to. */
function principalMatcher(principal: z.output<typeof Principal> | undefined): Test {
  if (principal === undefined || principal === '*' || 'AWS' in principal) return () => true;
  return (name) => principal.Service.includes(name);
}

type Comparison = (wanted: string) => Test;

/** How a value of the request is compared with one of the policy's; `isNot` asks that it is like none of them. */
const operators: Readonly<Record<string, { compare: Comparison; isNot?: true }>> = {
  StringEquals: { compare: (wanted) => (value) => value === wanted },
  StringLike: { compare: (wanted) => matcher(wanted) },
  Bool: { compare: (wanted) => (value) => value === wanted.toLowerCase() },
  ArnEquals: { compare: (wanted) => arnMatcher(wanted) },
  ArnLike: { compare: (wanted) => arnMatcher(wanted) },
  ArnNotEquals: { compare: (wanted) => arnMatcher(wanted), isNot: true },
};

const operatorForm = /^(?:(ForAllValues|ForAnyValue):)?(\w+)$/;

/** Whether conditions with this operator are evaluated here. */
export const isOperator = (name: string): boolean => name === 'Null' || Object.hasOwn(operators, operatorForm.exec(name)?.[2] ?? '');

/** Whether a request meets one key under one operator. */
function conditionOn(key: string, operator: string, wanted: readonly string[]): (context: AccessRequest['context']) => boolean {
  if (operator === 'Null') return (context) => wanted.includes(String(valuesOf(context, key).length === 0));
  const [, set, name = ''] = operatorForm.exec(operator) ?? [];
  const known = operators[name];
  if (!known) throw new PolicyError(`There is no operator ${operator} here`);
  const isOne = anyOf(wanted.map(known.compare));
  const isFit: Test = known.isNot ? (value) => !isOne(value) : isOne;
  return (context) => {
    const values = valuesOf(context, key);
    if (set === 'ForAllValues') return values.every(isFit);
    if (set === 'ForAnyValue') return values.some(isFit);
    // A key that the request does not have is like nothing.
    return values.length === 0 ? known.isNot === true : values.every(isFit);
  };
}

/** Of a key, whose letter case does not count, that the request does not have: none. */
function valuesOf(context: AccessRequest['context'], key: string): readonly string[] {
  const [, value = []] = Object.entries(context).find(([name]) => name.toLowerCase() === key.toLowerCase()) ?? [];
  return [value].flat();
}

const anyOf =
  (tests: readonly Test[]): Test =>
  (value) =>
    tests.some((isLike) => isLike(value));

/** `*` stands for any text, `?` for any character. */
function matcher(pattern: string, flags = ''): Test {
  const expression = new RegExp(
    `^${pattern
      .replace(/[^\w*?]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    `s${flags}`,
  );
  return (text) => expression.test(text);
}

/** The parts of an ARN are compared each by itself, so that a wildcard does not reach over a colon before the last of them. */
function arnMatcher(pattern: string): Test {
  if (pattern === '*') return () => true;
  const parts = partsOf(pattern).map((part) => matcher(part));
  return (arn) => {
    const given = partsOf(arn);
    return given.length === parts.length && parts.every((isLike, index) => isLike(given[index] ?? ''));
  };
}

/** Six at most: the last may have colons of its own. */
const partsOf = (arn: string) => [...arn.split(':').slice(0, 5), ...(arn.split(':').length > 5 ? [arn.split(':').slice(5).join(':')] : [])];
