import { createRequire } from 'node:module';

/** The files that take longest, in that order: begun last, one of them would end alone. Those of the night come before. */
const first = [
  'endpoints/http/worst-texts',
  'local/restore',
  'clients/sample-apps',
  'clients/rust',
  'local/rotation',
  'e2e/kills',
  'integration/product-files/file-memory',
  'e2e/reference',
  'e2e/stories',
  'integration/operations/planted-faults',
  'e2e/pages',
  'e2e/docs',
  'infra/templates',
  'integration/operations/secrets',
  'e2e/buyer-pages',
  'e2e/buyer-self-service',
  'e2e/activation-page',
  'integration/product-files/pictures',
  'model/entitlements',
  'integration/dynamo-clients',
  'endpoints/wiring/http-settings',
  'endpoints/authorization/answers',
  'local/demo',
  'integration/races/addresses',
  'integration/jobs/crash-recovery',
  'integration/payments/provider-conformance',
  'integration/payments/payment-provider',
];

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
