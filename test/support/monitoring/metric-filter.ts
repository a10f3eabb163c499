import * as z from 'zod/mini';
import { type Expression, parseExpression } from './expression.ts';

export interface MetricFilter {
  /** The log whose entries it reads. */
  log: string;
  pattern: string;
  namespace: string;
  metricName: string;
  /** A number, or the field of an entry that holds one. */
  value: string;
}

/** What a filter makes of an entry: the number that counts, or undefined when it lets the entry pass by. */
export type ReadEntry = (entry: Readonly<Record<string, unknown>>) => number | undefined;

/** @throws Error for a pattern that is no comparison of JSON fields. */
export function createEntryReader({ pattern, value }: Pick<MetricFilter, 'pattern' | 'value'>): ReadEntry {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(pattern)?.[1];
  if (inner === undefined) throw new Error(`These tests do not know the filter pattern ${pattern}`);
  const expression = parseExpression(inner);
  return (entry) => (matches(expression, entry) ? numberOf(value, entry) : undefined);
}

/** A line of a log as JSON, or undefined when it is none. */
export function entryOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed = z.safeParse(z.record(z.string(), z.unknown()), JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

type Entry = Readonly<Record<string, unknown>>;

function matches(expression: Expression, entry: Entry): boolean {
  if (expression.kind !== 'binary') throw new Error('A filter compares fields, and nothing else.');
  const { operator, left, right } = expression;
  if (operator === '&&') return matches(left, entry) && matches(right, entry);
  if (operator === '||') return matches(left, entry) || matches(right, entry);
  if (left.kind !== 'name') throw new Error('A filter compares a field with a value.');
  const field = fieldOf(left.name, entry);
  if (right.kind === 'number') return typeof field === 'number' && compare(operator, field, right.value);
  if (right.kind !== 'text') throw new Error('A filter compares a field with a value.');
  return field !== undefined && isLike(String(field), right.value) === (operator === '=');
}

function numberOf(value: string, entry: Entry): number | undefined {
  const found = value.startsWith('$') ? fieldOf(value, entry) : Number(value);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

const fieldOf = (selector: string, entry: Entry): unknown => entry[selector.replace(/^\$\./, '')];

/** A star stands for any text. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

/** @throws Error for an operator that compares no numbers. */
export function compare(operator: string, left: number, right: number): boolean {
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      throw new Error(`These tests do not know the comparison ${operator}.`);
  }
}
