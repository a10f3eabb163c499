import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { chosenFiles, leftOutPatterns } from './test/nightly/choose-tests.ts';

// Workers, and the many programs that tests start, load what they have in common compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled');
// Much of what tests make is garbage at once; without a bound a worker would keep gigabytes of it.
process.env['NODE_OPTIONS'] ??= '--max-semi-space-size=32 --max-old-space-size=640';

export default {
  roots: ['<rootDir>/test'],
  testMatch: chosenFiles,
  testPathIgnorePatterns: leftOutPatterns,
  transform: {},
  testEnvironment: './test/support/runner/one-realm.ts',
  testRunner: './test/support/runner/native-modules.ts',
  testSequencer: './test/support/runner/longest-first.ts',
  reporters: ['default', './test/support/runner/report.ts'],
  globalSetup: './test/support/engines/start-engines.ts',
  globalTeardown: './test/support/engines/stop-engines.ts',
  // One process more than processors: many tests wait, for browsers, other programs, or on purpose.
  maxWorkers: availableParallelism() + 1,
  workerIdleMemoryLimit: '700MB',
  // Where a seed is not given, one is made and printed: `npm test -- --seed=…` draws the same again.
  showSeed: true,
  testTimeout: 30_000,
};
