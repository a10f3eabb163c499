import { nightlyTests } from './nightly-tests.ts';
import { fingerprintsNow, recordOfMain, staleTests } from './record.ts';

const now = fingerprintsNow();
const stale = staleTests(now, recordOfMain());
const nightlyOf = (path: string) => nightlyTests[path.replace(/\.test\.ts$/, '')];

/** What the gate asks before it runs the tests that have not passed with what they reach now. */
const answers: Readonly<Record<string, () => string>> = {
  // The Debian packages that the nightly ones among them need.
  needs: () => [...new Set(stale.flatMap((path) => nightlyOf(path)?.needs ?? []))].join(' '),
  // Those that run alone.
  timed: () => stale.filter((path) => nightlyOf(path)?.isTimed).join(' '),
  // How many of the others are left out.
  passed: () => String(Object.keys(now).filter((path) => !stale.includes(path) && !nightlyOf(path)).length),
};

console.log(answers[process.argv[2] ?? '']?.() ?? Object.keys(answers).join(' | '));
