import { staleTests } from './fingerprints.ts';
import { nightlyTests } from './nightly-tests.ts';

// The tests that the gate runs alone now.
console.log(
  staleTests()
    .filter((name) => nightlyTests[name]?.isTimed)
    .join(' '),
);
