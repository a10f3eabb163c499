import { type Expression, parseExpression } from './expression.ts';
import { compare } from './metric-filter.ts';

/** One value a period, the oldest first; undefined where nothing was measured. */
export type Series = readonly (number | undefined)[];

/** Computes an expression from the series that it names. @throws Error for a function that is not known here. */
export function createMath(text: string): (series: ReadonlyMap<string, Series>, length: number) => Series {
  const expression = parseExpression(text);
  return (series, length) => evaluate(expression, series, length);
}

function evaluate(expression: Expression, series: ReadonlyMap<string, Series>, length: number): Series {
  const of = (part: Expression) => evaluate(part, series, length);
  switch (expression.kind) {
    case 'number':
      return Array.from({ length }, () => expression.value);
    case 'name':
      return series.get(expression.name) ?? unknown(expression.name);
    case 'binary':
      return together(of(expression.left), of(expression.right), operators[expression.operator] ?? comparing(expression.operator));
    case 'call':
      return (functions[expression.name] ?? unknown(expression.name))(expression.args.map(of));
    default:
      return unknown(expression.value);
  }
}

function unknown(what: string): never {
  throw new Error(`These tests do not know ${what} in metric math.`);
}

const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '&&': (left, right) => Number(left !== 0 && right !== 0),
  '||': (left, right) => Number(left !== 0 || right !== 0),
};
const comparing = (operator: string) => (left: number, right: number) => Number(compare(operator, left, right));

const functions: Readonly<Record<string, (args: readonly Series[]) => Series>> = {
  FILL: ([values = [], fill = []]) => values.map((value, index) => value ?? fill[index]),
  DIFF: ([values = []]) => values.map((value, index) => (index === 0 ? undefined : difference(values[index - 1], value))),
  IF: ([condition = [], then = [], otherwise = []]) =>
    condition.map((value, index) => (value === undefined ? undefined : value === 0 ? otherwise[index] : then[index])),
};

const difference = (before: number | undefined, value: number | undefined) =>
  before === undefined || value === undefined ? undefined : value - before;

/** Where one of them has a gap, the result has one; what cannot be divided is one too. */
function together(left: Series, right: Series, operate: (left: number, right: number) => number): Series {
  return left.map((one, index) => {
    const other = right[index];
    const result = one === undefined || other === undefined ? undefined : operate(one, other);
    return Number.isFinite(result) ? result : undefined;
  });
}
