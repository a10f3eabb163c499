import { startObjectStore } from '../../../infra/local/object-store/object-store.ts';
import { guardWithKey } from '../../../infra/local/object-store/store-guard.ts';
import { testBucket, testCredentials } from './test-object-store.ts';

/** The object store as a process of its own, so that its memory can be measured. Argument: the directory. */
const [directory = ''] = process.argv.slice(2);
const { endpoint } = await startObjectStore({
  directory,
  buckets: [{ name: testBucket, versioned: true }],
  guard: guardWithKey(testCredentials),
});
process.stdout.write(`${endpoint}\n`);
// A test that fails may never stop it; left alone, it would keep the whole run from ending.
process.once('disconnect', () => process.exit());
