import { changedFiles, nearestTests } from './nearest-tests.ts';
import { nightlyTests } from './nightly-tests.ts';
import { type Fingerprints, fingerprintsNow, recordOfFolder, recordOfMain, staleTests } from './record.ts';

/** What `npm run check` leaves out besides: browsers, whole stacks, other programs, whole templates, and engines that are crowded, broken or waited for. */
const slow = ['test/e2e/', 'test/local/', 'test/integration/', 'test/infra/', 'test/endpoints/products/largest-edits'];

const pathOf = (name: string) => `${name}.test.ts`;
const nightly = Object.keys(nightlyTests).map(pathOf);
const timed = Object.entries(nightlyTests).flatMap(([name, { isTimed }]) => (isTimed ? [pathOf(name)] : []));

/** The tests of the repository itself are always run. */
const isOfRepository = (path: string) => path.startsWith('test/architecture/');

interface Choice {
  /** Parts of the paths that the run leaves out, as regular expressions. */
  leftOut: readonly string[];
  /** Where the run writes down what passed, with what the files reach now. */
  record?: { file: string; now: Fingerprints };
}

/** By what `TESTS` says; without it a run leaves out nothing. */
const choices: Readonly<Record<string, () => Choice>> = {
  usual: () => ({ leftOut: nightly }),
  fast: () => nearChanges(sparing({ file: recordOfFolder(), now: fingerprintsNow() }, [...nightly, ...slow])),
  gate: () => sparing(ofMain(), timed),
  together: () => ({ leftOut: timed, record: ofMain() }),
  timed: () => ({ leftOut: [], record: ofMain() }),
};

/** Leaves out besides what passed with all that it reaches as it is, but the tests of the repository itself. */
function sparing(record: Required<Choice>['record'], leftOut: readonly string[]): Required<Choice> {
  const { file, now } = record;
  const stale = new Set(staleTests(now, file));
  const passed = Object.keys(now).filter((path) => !stale.has(path) && !isOfRepository(path));
  return { leftOut: [...leftOut, ...passed], record };
}

/** Main passed its gate: of what differs from it the nearest tests are a quick look, and the gate runs all that it reaches. */
function nearChanges({ leftOut, record }: Required<Choice>): Choice {
  const changed = changedFiles();
  if (!changed) return { leftOut, record };
  const isLeftOut = new RegExp(leftOut.join('|'));
  const candidates = Object.keys(record.now).filter((path) => !isOfRepository(path) && !isLeftOut.test(path));
  const near = new Set(nearestTests(candidates, changed));
  return { leftOut: [...leftOut, ...candidates.filter((path) => !near.has(path))], record };
}

/** What is committed tells of the nightly tests alone: in a clone without a record that CI keeps all others run. */
function ofMain(): Required<Choice>['record'] {
  const now = Object.entries(fingerprintsNow());
  const told = process.env['TESTS_RECORD'] ? now : now.filter(([path]) => nightly.includes(path));
  return { file: recordOfMain(), now: Object.fromEntries(told) };
}

const { leftOut, record }: Choice = choices[process.env['TESTS'] ?? '']?.() ?? { leftOut: [] };

export { record };

/** As jest's `testMatch` has them: `timed` runs what the others leave to it, and nothing else. */
export const chosenFiles = process.env['TESTS'] === 'timed' ? timed.map((path) => `**/${path}`) : ['**/*.test.ts'];

/** As jest's `testPathIgnorePatterns` has them. */
export const leftOutPatterns = leftOut.map((path) => `/${path}`);

/** What only other runs do: the nightly one, and the gate after the others. */
export const leftToTheNight = leftOut.filter((path) => nightly.includes(path));

/** How many others are spared, and why. */
export const sparedBecause =
  process.env['TESTS'] === 'fast'
    ? 'they passed here with all that they reach as it is, or are far from what differs from main'
    : 'they passed with all that they reach as it is';
export const spared = record === undefined ? 0 : leftOut.filter((path) => path in record.now && !nightly.includes(path)).length;
