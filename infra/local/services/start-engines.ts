import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessControl } from '../access/access-control.ts';
import { nameResources } from '../access/name-resources.ts';
import { startDynamoDb } from '../engines/dynamodb-engine.ts';
import { type Engine, freePort, StartError } from '../engines/engine.ts';
import { createBuckets, createQueues, createTables, type LocalBucket, nameBuckets } from '../engines/provision.ts';
import { createPollingClient, startSqs } from '../engines/queue-engine.ts';
import { createEventBus } from '../lambda/event-bus.ts';
import { credentialsSeed, openLocalSettings, type StackSetting, stackSetting } from '../local-settings.ts';
import { startObjectStore } from '../object-store/object-store.ts';
import { guardFunctions, type StoreGuard } from '../object-store/store-guard.ts';
import { startPaymentProvider } from '../payment-provider/payment-provider.ts';
import { region } from '../references.ts';
import type { Register } from '../shutdown.ts';
import type { SynthesizedApp } from '../template.ts';
import { engineCredentials, startQueueGuard, startTableGuard } from './engine-guards.ts';
import { startMailOutbox } from './mail-outbox.ts';
import { readMailSets } from './mail-sets.ts';
import { startSecretsStore } from './secrets-store.ts';

/** What the Lambda runtime itself would put into the environment, but for who the function is. */
export const runtime = { AWS_REGION: region, TZ: 'UTC' };

/** With what the stack itself and its operator come to the engines, past what stands before them. */
export const operatorCredentials = {
  AWS_ACCESS_KEY_ID: engineCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: engineCredentials.secretAccessKey,
};

export interface EngineOptions {
  /** Settings of this machine, and engines that run already, so that none is started here. */
  env: NodeJS.ProcessEnv;
  /** Where they keep their data; undefined keeps nothing. */
  directory: string | undefined;
  /** Where the API will answer. */
  address: string;
}

export type Engines = Awaited<ReturnType<typeof startEngines>>;

/**
 * Starts the engines that the app depends on, creates its tables, queues and buckets there, and sets before each
 * a guard that lets functions do what the policies of the templates allow them.
 */
export async function startEngines(app: SynthesizedApp, options: EngineOptions, register: Register) {
  const { env, directory, address } = options;
  const file = directory === undefined ? {} : { file: join(directory, 'table.db') };
  const dynamodb = register(await engineOf(env, 'DYNAMODB_ENDPOINT', () => startDynamoDb(file)));
  await withNamed(env, 'DYNAMODB_ENDPOINT', () => createTables(app, dynamodb.endpoint));
  const queueEngine = register(await engineOf(env, 'SQS_ENDPOINT', startSqs));
  const sqs = createPollingClient(queueEngine.endpoint);
  const queuePort = await freePort();
  const queues = await withNamed(env, 'SQS_ENDPOINT', () => createQueues(app, sqs, `http://127.0.0.1:${queuePort}`));
  const settings = openLocalSettings({ directory, publicBaseUrl: address, env });
  const settingOf = settings.valueOf;
  const buckets = nameBuckets(app, [new URL(settingOf('PUBLIC_BASE_URL')).origin, ...originsIn(settingOf('CONSOLE_ORIGINS'))]);
  const sender = settingOf('MAIL_FROM');
  nameResources(app, sender);
  const control = createAccessControl(app, {
    seed: settingOf(credentialsSeed),
    sender,
    recordDirectory: stackSetting(env, 'ACCESS_RECORD'),
  });
  const { guard } = control;

  const table = register(await startTableGuard(app, dynamodb.endpoint, guard));
  const queue = register(await startQueueGuard(queueEngine.endpoint, guard, queuePort));
  const secrets = register(await startSecretsStore(app, settings, guard));
  const store = register(await startFileStore(options, buckets, guardFunctions(control.access, control.identities)));
  const outbox = register(
    await startMailOutbox({
      directory: directory === undefined ? undefined : join(directory, 'outbox'),
      sets: readMailSets(app),
      publish: createEventBus(app, { sqs, queues, access: control.access }).put,
      guard,
      verified: app.ofType('AWS::SES::EmailIdentity').map((resource) => app.madeOf(resource).ref),
    }),
  );
  const payment = await startPayment(options, settingOf);
  if (payment) register(payment);

  return {
    control,
    dynamodbEndpoint: dynamodb.endpoint,
    sqsEndpoint: queueEngine.endpoint,
    bucketName: buckets[0]?.name,
    sqs,
    queues,
    outbox,
    /** Where the fake payment provider is, unless the environment names another. */
    paymentEndpoint: payment?.endpoint,
    /** The value of a setting that is empty in the template. */
    settingOf: (name: string) => (name === 'PAYMENT_API_BASE' && payment ? payment.endpoint : settingOf(name)),
    /** Where the SDK of a function finds the services. */
    endpoints: {
      AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
      AWS_ENDPOINT_URL_SQS: queue.endpoint,
      AWS_ENDPOINT_URL_S3: store.endpoint,
      AWS_ENDPOINT_URL_SESV2: outbox.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    },
  };
}

/** The functions refuse what is malformed. */
const originsIn = (list: string) => list.split(',').map((origin) => origin.trim());

const elsewhere = (endpoint: string): Engine => ({ endpoint, stop: async () => undefined });

/** @throws StartError when `work` fails on an engine that the setting names. */
async function withNamed<T>(env: NodeJS.ProcessEnv, setting: StackSetting, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw stackSetting(env, setting) && error instanceof Error ? new StartError(`${setting} cannot be used: ${error.message}`) : error;
  }
}

/** The engine that the setting names; without it, one that is started here. */
async function engineOf(env: NodeJS.ProcessEnv, setting: StackSetting, start: () => Promise<Engine>): Promise<Engine> {
  const named = stackSetting(env, setting);
  return named ? elsewhere(named) : start();
}

async function startFileStore({ env, directory }: EngineOptions, buckets: readonly LocalBucket[], guard: StoreGuard): Promise<Engine> {
  const named = stackSetting(env, 'S3_ENDPOINT');
  if (named) {
    await withNamed(env, 'S3_ENDPOINT', () => createBuckets(buckets, named));
    return elsewhere(named);
  }
  if (directory !== undefined) return startObjectStore({ directory: join(directory, 'objects'), buckets, guard });
  const temporary = await mkdtemp(join(tmpdir(), 'license-service-objects-'));
  const store = await startObjectStore({ directory: temporary, buckets, guard });
  return {
    endpoint: store.endpoint,
    async stop() {
      await store.stop();
      await rm(temporary, { recursive: true, force: true });
    },
  };
}

/**
 * The fake payment provider. Undefined when the environment names another:
 * PAYMENT_API_BASE, or the real one by a key of its own.
 */
async function startPayment({ env, directory, address }: EngineOptions, settingOf: (name: string) => string): Promise<Engine | undefined> {
  if (env['PAYMENT_API_BASE'] || env['PAYMENT_SECRET_KEY']) return undefined;
  // Changed there in the same moment in which a rotation of the secret puts another first.
  const webhook = (path: string, setting: string) => ({
    url: `${address}${path}`,
    get secret() {
      return settingOf(setting).split(',')[0]?.trim() ?? '';
    },
  });
  return startPaymentProvider({
    ...(directory !== undefined && { stateFile: join(directory, 'payment-provider.db') }),
    platformWebhook: webhook('/v1/payment/webhook', 'PAYMENT_WEBHOOK_SECRET'),
    connectWebhook: webhook('/v1/payment/connect/webhook', 'PAYMENT_CONNECT_WEBHOOK_SECRET'),
  });
}
