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

const nightly = Object.keys(nightlyTests).map((name) => `${name}.test.ts`);

/** The parts of paths that each kind of run leaves out, by what `TESTS` says; without it a run leaves out nothing. */
const leftOutBy: Readonly<Record<string, () => string[]>> = {
  usual: () => nightly,
  fast: () => [...nightly, ...slow],
  gate: () => {
    const stale = staleTests().map((name) => `${name}.test.ts`);
    return nightly.filter((name) => !stale.includes(name));
  },
};

const leftOut = leftOutBy[process.env['TESTS'] ?? '']?.() ?? [];

/** As jest's `testPathIgnorePatterns` has them. */
export const leftOutPatterns = leftOut.map((path) => `/${path}`);

/** What this run leaves to the nightly one. */
export const leftToTheNight = leftOut.filter((path) => nightly.includes(path));
