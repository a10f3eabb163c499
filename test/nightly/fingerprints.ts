import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NightlyTest, nightlyTests } from './nightly-tests.ts';

/** The tests by path, each with the fingerprint of what it covered when it last passed. */
export type Fingerprints = Readonly<Record<string, string>>;

export const project = join(import.meta.dirname, '..', '..');
/** Committed, so that a change is judged against the last run that passed, wherever that was. */
const passedIn = (root: string) => join(root, 'test', 'nightly', 'passed.json');

/** The files that the test covers, its own among them. */
export function coveredBy(name: string, { covers }: NightlyTest, root = project): string[] {
  const found = globSync([`${name}.test.ts`, ...covers], { cwd: root, withFileTypes: true });
  return [...new Set(found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)))].sort();
}

/** Of every nightly test, what it covers now: names and bytes of the files. */
export function fingerprintsNow(root = project): Fingerprints {
  return Object.fromEntries(
    Object.entries(nightlyTests).map(([name, test]) => {
      const hash = createHash('sha256');
      for (const file of coveredBy(name, test, root))
        hash
          .update(`${file.slice(root.length)}\0`)
          .update(readFileSync(file))
          .update('\0');
      return [name, hash.digest('hex')];
    }),
  );
}

const readPassed = (root: string): Fingerprints => (existsSync(passedIn(root)) ? JSON.parse(readFileSync(passedIn(root), 'utf8')) : {});

/** The nightly tests that have not passed with the files as they are. */
export function staleTests(root = project): string[] {
  const passed = readPassed(root);
  return Object.entries(fingerprintsNow(root)).flatMap(([name, fingerprint]) => (passed[name] === fingerprint ? [] : [name]));
}

/** Writes down that these tests passed with what the fingerprints tell, and forgets tests that are none any more. */
export function notePassed(passed: Fingerprints, root = project): void {
  if (Object.keys(passed).length === 0) return;
  const known = { ...readPassed(root), ...passed };
  const kept = Object.keys(nightlyTests).flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]]));
  writeFileSync(passedIn(root), `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
}
