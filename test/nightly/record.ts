import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nightlyTests } from './nightly-tests.ts';
import { project, readProject } from './reach.ts';

/** Files of tests, each with the fingerprint of what it reached when it last passed. */
export type Fingerprints = Readonly<Record<string, string>>;

/** What passed on main: written by the nightly run, and by CI where it keeps its own (`TESTS_RECORD`). */
export const recordOfMain = (root = project): string => process.env['TESTS_RECORD'] ?? join(root, 'test', 'nightly', 'passed.json');
/** What passed in this folder, in whatever run. */
export const recordOfFolder = (root = project): string => join(root, 'node_modules', '.cache', 'passed-tests.json');

/** Of every file of tests, what it reaches now. A nightly one, which may reach all there is, names what it judges. */
export function fingerprintsNow(root = project): Fingerprints {
  const { tests, expand, reachOf, fingerprint } = readProject(root);
  return Object.fromEntries(
    tests.map((path) => {
      const judged = nightlyTests[path.replace(/\.test\.ts$/, '')]?.covers;
      return [path, fingerprint(judged ? [path, ...expand(judged)].sort() : reachOf(path))];
    }),
  );
}

const readRecord = (file: string): Fingerprints => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** The files of tests that have not passed with what they reach as it is. */
export function staleTests(now: Fingerprints, file: string): string[] {
  const passed = readRecord(file);
  return Object.keys(now).filter((path) => passed[path] !== now[path]);
}

/** Writes down that these files of tests passed with what the fingerprints tell, and forgets those that are none any more. */
export function notePassed(passed: Fingerprints, now: Fingerprints, file: string): void {
  const known = { ...readRecord(file), ...passed };
  const kept = Object.keys(now).flatMap((path) => (known[path] === undefined ? [] : [[path, known[path]]]));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
}
