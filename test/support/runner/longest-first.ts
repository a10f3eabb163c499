import { createRequire } from 'node:module';

/** The files that take longest, in that order: begun last, one of them would end alone. */
const longest = [
  'local/restore',
  'clients/sample-apps',
  'clients/rust',
  'e2e/stories',
  'e2e/pages',
  'local/life-cycle',
  'local/rotation',
  'infra/templates',
  'integration/operations/secrets',
  'model/payment-projection',
  'e2e/docs',
  'e2e/buyer-pages',
  'e2e/activation-page',
  'e2e/buyer-self-service',
  'integration/jobs/crash-recovery',
  'integration/product-files/file-memory',
  'integration/product-files/pictures',
  'integration/races/addresses',
  'e2e/kills',
  'e2e/alarms',
  'infra/rights/used-rights',
  'integration/operations/check',
];

/** Those that mostly wait come next, for in the check the compiler and its like use the processors meanwhile; then what is longest there. */
const waiting = [
  'integration/payments/payment-provider',
  'local/lambda-host',
  'integration/product-files/object-store',
  'local/queue-poller',
  'local/shutdown',
  'integration/product-files/clamd',
  'integration/payments/stripe-client',
  'contract/events',
  'local/demo',
  'infra/commands',
  'clients/java',
  'clients/python',
  'clients/go',
  'clients/typescript',
];
const first = [...longest, ...waiting];

const require = createRequire(import.meta.url);
const { default: TestSequencer } = require('@jest/test-sequencer');

type Test = { path: string };

export default class LongestFirst extends TestSequencer {
  /** Those, then the others as jest orders them: by what they took last time, or by size. */
  async sort(tests: Test[]): Promise<Test[]> {
    const rank = ({ path }: Test) => {
      const index = first.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
      return index < 0 ? first.length : index;
    };
    const sorted: Test[] = await super.sort(tests);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
