import { staleTests } from './fingerprints.ts';
import { nightlyTests } from './nightly-tests.ts';

/** What `npm run check` leaves out besides: browsers, whole stacks, other programs, whole templates, and engines that are crowded, broken or waited for. */
const slow = [
  'test/e2e/',
  'test/local/',
  'test/integration/',
  'test/clients/browser-client',
  'test/infra/(commands|templates)',
  'test/endpoints/products/largest-edits',
];

const pathOf = (name: string) => `${name}.test.ts`;
const nightly = Object.keys(nightlyTests).map(pathOf);
const timed = Object.entries(nightlyTests).flatMap(([name, { isTimed }]) => (isTimed ? [pathOf(name)] : []));

/** The parts of paths that each kind of run leaves out, by what `TESTS` says; without it a run leaves out nothing. */
const leftOutBy: Readonly<Record<string, () => string[]>> = {
  usual: () => nightly,
  fast: () => [...nightly, ...slow],
  gate: () => [...notStale(), ...timed],
  together: () => timed,
};

function notStale(): string[] {
  const stale = staleTests().map(pathOf);
  return nightly.filter((path) => !stale.includes(path));
}

const leftOut = leftOutBy[process.env['TESTS'] ?? '']?.() ?? [];

/** As jest's `testMatch` has them: `timed` runs what the others leave to it, and nothing else. */
export const chosenFiles = process.env['TESTS'] === 'timed' ? timed.map((path) => `**/${path}`) : ['**/*.test.ts'];

/** As jest's `testPathIgnorePatterns` has them. */
export const leftOutPatterns = leftOut.map((path) => `/${path}`);

/** What this run leaves to the nightly one; the gate runs alone what it leaves out besides. */
export const leftToTheNight = process.env['TESTS'] === 'gate' ? notStale() : leftOut.filter((path) => nightly.includes(path));
