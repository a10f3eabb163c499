import { nightlyTests } from './nightly-tests.ts';
import { fingerprintsNow, recordOfMain, staleTests } from './record.ts';

const now = fingerprintsNow();
const stale = staleTests(now, recordOfMain());
const nightlyOf = (path: string) => nightlyTests[path.replace(/\.test\.ts$/, '')];

// What the gate asks of the tests that have not passed with what they reach now, a line each: which Debian packages the
// nightly ones need, which run alone, and how many of the others are left out.
console.log([...new Set(stale.flatMap((path) => nightlyOf(path)?.needs ?? []))].join(' '));
console.log(stale.filter((path) => nightlyOf(path)?.isTimed).join(' '));
console.log(Object.keys(now).filter((path) => !stale.includes(path) && !nightlyOf(path)).length);
