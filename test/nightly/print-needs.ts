import { staleTests } from './fingerprints.ts';
import { nightlyTests } from './nightly-tests.ts';

// The Debian packages that the nightly tests need which the gate runs now.
console.log([...new Set(staleTests().flatMap((name) => nightlyTests[name]?.needs ?? []))].join(' '));
