/** What metric filters and metric math are written in: comparisons, sums and calls. */
export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string }
  | { kind: 'name'; name: string }
  | { kind: 'call'; name: string; args: readonly Expression[] }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression };

const token = /\s*(?:(\d+(?:\.\d+)?)|"((?:[^"\\]|\\.)*)"|(\$?[A-Za-z_.][\w.]*)|(&&|\|\||[<>!=]=|[-+*/<>=(),]))/y;

/** Operators that bind alike, those that bind least first. */
const precedence = [
  ['||', 'OR'],
  ['&&', 'AND'],
  ['=', '==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
];

/** @throws Error for what is not such an expression. */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text);
  let at = 0;

  function binary(level: number): Expression {
    const operators = precedence[level];
    if (!operators) return operand();
    let left = binary(level + 1);
    for (let next = tokens[at]; next?.kind === 'sign' && operators.includes(next.text); next = tokens[at]) {
      at += 1;
      left = { kind: 'binary', operator: next.text, left, right: binary(level + 1) };
    }
    return left;
  }

  function operand(): Expression {
    const next = tokens[at];
    at += 1;
    if (next?.kind === 'number') return { kind: 'number', value: Number(next.text) };
    if (next?.kind === 'text') return { kind: 'text', value: next.text };
    if (next?.kind === 'name') return isSign('(') ? { kind: 'call', name: next.text, args: listed() } : { kind: 'name', name: next.text };
    if (next?.text !== '(') throw new Error(`These tests cannot read the expression ${text}`);
    const inner = binary(0);
    demand(')');
    return inner;
  }

  function listed(): Expression[] {
    const args: Expression[] = [];
    do {
      at += 1;
      args.push(binary(0));
    } while (isSign(','));
    demand(')');
    return args;
  }

  const isSign = (sign: string) => tokens[at]?.kind === 'sign' && tokens[at]?.text === sign;
  function demand(sign: string): void {
    if (!isSign(sign)) throw new Error(`These tests miss ${sign} in the expression ${text}`);
    at += 1;
  }

  const whole = binary(0);
  if (at < tokens.length) throw new Error(`These tests cannot read the end of the expression ${text}`);
  return whole;
}

interface Token {
  kind: 'number' | 'text' | 'name' | 'sign';
  text: string;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  token.lastIndex = 0;
  while (token.lastIndex < trimmed.length) {
    const found = token.exec(trimmed);
    if (!found) throw new Error(`These tests cannot read the expression ${text}`);
    const [, number, quoted, name, sign] = found;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/\\(.)/g, '$1') });
    else if (name !== undefined) tokens.push({ kind: name === 'AND' || name === 'OR' ? 'sign' : 'name', text: name });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return tokens;
}
