import { createRequire } from 'node:module';

/** The files that take longest, in that order: begun last, one of them would end alone. */
const longest = [
  'e2e/pages',
  'e2e/purchase',
  'model/payment-projection',
  'local/life-cycle',
  'integration/jobs/crash-recovery',
  'integration/product-files/file-memory',
  'e2e/kills',
  'e2e/docs',
  'integration/product-files/file-crashes',
  'model/product-file',
  'contract/events',
  'local/demo',
  'integration/payments/payment-provider',
];

const require = createRequire(import.meta.url);
const { default: TestSequencer } = require('@jest/test-sequencer');

type Test = { path: string };

export default class LongestFirst extends TestSequencer {
  /** Those, then the others as jest orders them: by what they took last time, or by size. */
  async sort(tests: Test[]): Promise<Test[]> {
    const rank = ({ path }: Test) => {
      const index = longest.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
      return index < 0 ? longest.length : index;
    };
    const sorted: Test[] = await super.sort(tests);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
