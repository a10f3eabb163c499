import type * as rules from './rules.ts';

export type RuleId = keyof typeof rules;
/** The words of a rule, with its parameters in braces. */
export type Rule = (typeof rules)[RuleId];

/** A rule without parameters. */
export type PlainRule = Exclude<Rule, `${string}{${string}`>;

type Param = string | number | bigint;
type ParamNames<Words> = Words extends `${string}{${infer Name}:${string}}${infer Rest}` ? Name | ParamNames<Rest> : never;
/** What a rule is given: nothing, or each of its parameters. */
export type Params<Words extends Rule> = [ParamNames<Words>] extends [never] ? [] : [Readonly<Record<ParamNames<Words>, Param>>];

/** Parameters and plurals in the words of a rule. */
export const variable = /\{(\w+):(\w+)\}|\(s\)/g;

declare const made: unique symbol;
/** What is said of a field that breaks a rule: text that goes after the field's name. It never holds what was sent. */
export type Fault = string & { readonly [made]: true };

/** The only maker of faults, so that whoever takes one takes words of the catalogue. */
export function fault<Words extends Rule>(rule: Words, ...given: Params<Words>): Fault;
export function fault(rule: string, given: Readonly<Record<string, Param>> = {}): string {
  let last: string;
  return rule.replace(variable, (_, name?: string) => {
    if (name === undefined) return last === '1' ? '' : 's';
    last = String(given[name]);
    return last;
  });
}

/** What a message says of one field: `price_amount is missing`. Of what is within one, `field` is the path: `features.1`. */
export const faultOf = <Words extends Rule>(field: string, rule: Words, ...given: Params<Words>): string =>
  `${field} ${fault(rule, ...given)}`;

/** Several of them as one message. */
export const messageOf = (faults: readonly string[]): string => faults.join('; ');
