import { S3Client } from '@aws-sdk/client-s3';
import { type ObjectStoreOptions, startObjectStore } from '../../../infra/local/object-store/object-store.ts';
import { guardWithKey } from '../../../infra/local/object-store/store-guard.ts';
import { newFolder } from '../new-folder.ts';

export const testBucket = 'files';
export const testCredentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'not-a-real-secret' };

export interface TestObjectStore {
  endpoint: string;
  directory: string;
  client: S3Client;
  /** Moves the store's clock, against which signatures expire. */
  pass(seconds: number): void;
  stop(): Promise<void>;
}

/** The strict object store on a port and in a directory of its own, with one versioned bucket. */
export async function startTestObjectStore(options: Partial<ObjectStoreOptions> = {}): Promise<TestObjectStore> {
  const directory = options.directory ?? newFolder();
  let ahead = 0;
  const engine = await startObjectStore({
    buckets: [{ name: testBucket, versioned: true }],
    guard: guardWithKey(testCredentials),
    now: () => new Date(Date.now() + ahead),
    onFailure: (error) => console.error('The object store failed:', error),
    ...options,
    directory,
  });
  const client = new S3Client({ endpoint: engine.endpoint, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
  return {
    endpoint: engine.endpoint,
    directory,
    client,
    pass(seconds) {
      ahead += seconds * 1000;
    },
    async stop() {
      client.destroy();
      await engine.stop();
    },
  };
}
