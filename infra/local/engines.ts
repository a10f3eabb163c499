import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDb } from './dynamodb-engine.ts';
import type { Engine } from './engine.ts';
import { startMailOutbox } from './mail-outbox.ts';
import { startObjectStore } from './object-store.ts';
import { startPaymentProvider } from './payment-provider/payment-provider.ts';
import { createBuckets, type LocalBucket } from './provision.ts';
import { startSqs } from './queue-engine.ts';

/** The credentials every function gets, and the object store checks signatures with. */
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export interface EngineOptions {
  /** Names engines that run already, so that none is started here. */
  env: NodeJS.ProcessEnv;
  /** Where they keep their data; undefined keeps nothing. */
  directory: string | undefined;
}

const elsewhere = (endpoint: string): Engine => ({ endpoint, stop: async () => undefined });

/** The table's engine. */
export async function startTableEngine({ env, directory }: EngineOptions): Promise<Engine> {
  const named = env['DYNAMODB_ENDPOINT'];
  return named ? elsewhere(named) : startDynamoDb(directory === undefined ? {} : { file: join(directory, 'table.db') });
}

/** The queues' engine. */
export async function startQueueEngine({ env }: EngineOptions): Promise<Engine> {
  const named = env['SQS_ENDPOINT'];
  return named ? elsewhere(named) : startSqs();
}

/** The file store with the app's buckets. */
export async function startFileStore({ env, directory }: EngineOptions, buckets: readonly LocalBucket[]): Promise<Engine> {
  const named = env['S3_ENDPOINT'];
  if (named) {
    await createBuckets(buckets, named);
    return elsewhere(named);
  }
  if (directory !== undefined) return startObjectStore({ directory: join(directory, 'objects'), buckets, credentials });
  const temporary = await mkdtemp(join(tmpdir(), 'license-service-objects-'));
  const store = await startObjectStore({ directory: temporary, buckets, credentials });
  return {
    endpoint: store.endpoint,
    async stop() {
      await store.stop();
      await rm(temporary, { recursive: true, force: true });
    },
  };
}

/** The outbox that takes the service's mail. */
export async function startMail({ directory }: EngineOptions) {
  return startMailOutbox({ directory: directory === undefined ? undefined : join(directory, 'outbox') });
}

/**
 * The payment provider's stand-in, with its webhooks pointed at `address`. Undefined
 * when the environment names another: PAYMENT_API_BASE, or the real one by a key of its own.
 */
export async function startPayment(
  { env, directory }: EngineOptions,
  { address, settingOf }: { address: string; settingOf: (name: string) => string },
): Promise<Engine | undefined> {
  if (env['PAYMENT_API_BASE'] || env['PAYMENT_SECRET_KEY']) return undefined;
  const webhook = (path: string, setting: string) => ({ url: `${address}${path}`, secret: settingOf(setting).split(',')[0]?.trim() ?? '' });
  return startPaymentProvider({
    ...(directory !== undefined && { stateFile: join(directory, 'payment-provider.db') }),
    platformWebhook: webhook('/v1/payment/webhook', 'PAYMENT_WEBHOOK_SECRET'),
    connectWebhook: webhook('/v1/payment/connect/webhook', 'PAYMENT_CONNECT_WEBHOOK_SECRET'),
  });
}
