import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Mutant } from './mutant.ts';

/** Every list of mutants, by its name. How one is written: test/mutation/README.md. */
export function readLists(): Record<string, readonly Mutant[]> {
  const files = globSync('test/mutation/mutants/*.txt').toSorted();
  return Object.fromEntries(files.map((file) => [basename(file, '.txt'), readMutants(readFileSync(file, 'utf8'))]));
}

/** @throws Error when a line is none of the notation */
export function readMutants(text: string): Mutant[] {
  return text
    .split(/^(?=## )/m)
    .filter((group) => group.startsWith('## '))
    .flatMap((group) => {
      const [heading = '', ...lines] = group.trimEnd().split('\n');
      const [place = '', tests] = heading.slice('## '.length).split(': ');
      const paths = tests?.split(' ').map(testPath) ?? [];
      return entriesOf(lines).map((entry) => ({ ...readEntry(entry), place, tests: paths }));
    });
}

/** A line that is not indented by a sign begins the next mutant. */
function entriesOf(lines: readonly string[]): string[][] {
  const entries: string[][] = [];
  for (const line of lines.filter((one) => one !== '')) {
    if (/^[-+?]( |$)/.test(line)) entries.at(-1)?.push(line);
    else entries.push([line]);
  }
  return entries;
}

function readEntry([fault = '', ...lines]: readonly string[]) {
  const said = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(2));
  const [code, mutant, survives] = [said('-').join('\n'), said('+').join('\n'), said('?').join(' ')];
  if (code === '') throw new Error(`No code is quoted for: ${fault}`);
  return { fault, code, mutant, ...(survives !== '' && { survives }) };
}

const testPath = (name: string) => (name.endsWith('/') ? `test/${name}` : `test/${name}.test.ts`);
