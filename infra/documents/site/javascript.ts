import { stripTypeScriptTypes } from 'node:module';

/** A module of TypeScript without its types, as browsers and Node run it. Everything else stays as it was written. */
export function toJavaScript(source: string): string {
  // Node puts blanks in the place of types, so that every character stays where it was.
  const stripped = stripTypeScriptTypes(source);
  const withoutTypes = stripped.replace(/ +/g, (blanks, at: number) => {
    const before = source.slice(at, at + blanks.length);
    if (before.trim() === '') return blanks;
    const indent = /^ */.exec(before)?.[0] ?? '';
    return stripped.charAt(at - 1) === '\n' ? indent : indent || (/ *$/.exec(before)?.[0] ?? '');
  });
  const lines = withoutTypes.replaceAll(/ +$/gm, '').replaceAll(/\n{3,}/g, '\n\n');
  // What explained a type has nothing left to explain.
  return `${lines.replaceAll(/^\/\*\* .*\*\/\n\n/gm, '').trimEnd()}\n`;
}
