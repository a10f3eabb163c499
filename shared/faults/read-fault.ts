import { variable } from './fault.ts';
import * as rules from './rules.ts';

/** What matches a parameter, by its kind. */
const kinds: Readonly<Record<string, string>> = { number: '-?\\d+(?:\\.\\d+)?', word: '\\S+', text: '.+' };

const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What matches the words of a rule, with a group for each of its parameters. */
function patternOf(words: string): string {
  let pattern = '';
  let end = 0;
  for (const { 0: whole, 1: name, 2: kind = '', index } of words.matchAll(variable)) {
    pattern += escaped(words.slice(end, index)) + (name === undefined ? 's?' : `(?<${name}>${kinds[kind]})`);
    end = index + whole.length;
  }
  return pattern + escaped(words.slice(end));
}

/** The most telling first: what a rule says beside its parameters may be how another one begins. */
const patterns = Object.entries(rules)
  .map(([id, words]) => ({ id, told: words.replace(variable, '').length, pattern: patternOf(words) }))
  .sort((a, b) => b.told - a.told)
  .map(({ id, pattern }) => ({ id, whole: new RegExp(`^${pattern}$`, 'su'), afterField: new RegExp(`^(.+?) ${pattern}$`, 'su') }));

/** The rule that a fault is of, by its id, and the parameters; undefined for what the catalogue does not have. */
export function readFault(text: string): { id: string; params: Readonly<Record<string, string>> } | undefined {
  for (const { id, whole } of patterns) {
    const found = whole.exec(text);
    if (found) return { id, params: { ...found.groups } };
  }
  return undefined;
}

/** A fault of a message. */
export interface FieldFault {
  /** The name of the field, or the path of what is within it: `features.1`; empty when it is about no field. */
  field: string;
  /** What goes after that. */
  text: string;
}

/** The faults that the message of an `invalid_request` tells: `price_amount is missing; features.1 must …`. */
export const readMessage = (message: string): FieldFault[] =>
  message.split('; ').map((part) => {
    // A name within a field may be of several words, as somebody chose it.
    for (const { afterField } of patterns) {
      const field = afterField.exec(part)?.[1];
      if (field !== undefined) return { field, text: part.slice(field.length + 1) };
    }
    const [, field = '', text = part] = /^([a-z][\w.-]*) (.+)$/s.exec(part) ?? [];
    return { field, text };
  });
