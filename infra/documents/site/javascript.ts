import { stripTypeScriptTypes } from 'node:module';

/** A module of TypeScript without its types, as browsers and Node run it. Everything else stays as it was written. */
export function toJavaScript(source: string): string {
  const stripped = quietly(() => stripTypeScriptTypes(source));
  // Node puts blanks in the place of types, so that every character stays where it was.
  const withoutTypes = stripped.replaceAll(/ +/g, (blanks, at: number) => {
    const before = source.slice(at, at + blanks.length);
    const [indent = '', space = ''] = [/^ */.exec(before)?.[0], / *$/.exec(before)?.[0]];
    return before.trim() === '' || stripped.charAt(at - 1) === '\n' ? indent : indent || space;
  });
  const lines = withoutTypes.replaceAll(/ +$/gm, '').replaceAll(/\n{3,}/g, '\n\n');
  // What explained a type has nothing left to explain.
  return `${lines.replaceAll(/^\/\*\* .*\*\/\n\n/gm, '').trimEnd()}\n`;
}

/** Node calls the function experimental at each start; the Node that is pinned here has it. */
function quietly<Result>(run: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
