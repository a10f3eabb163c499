import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createDynamoClient, createTable } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { startApiGateway } from './api-gateway.ts';
import { holdDataDirectory } from './data-directory.ts';
import { freePort, isFree, StartError } from './engine.ts';
import { credentials, startFileStore, startMail, startPayment, startQueueEngine, startTableEngine } from './engines.ts';
import { startFunctions } from './function-host.ts';
import { createLocalPages } from './local-pages.ts';
import { readLocalSettings } from './local-settings.ts';
import { createQueues, createTables, localName, nameBuckets } from './provision.ts';
import { startQueuePoller } from './queue-poller.ts';
import { startScheduler } from './scheduler.ts';
import { synthesize } from './synthesis.ts';
import { readSynthesizedApp, type SynthesizedApp } from './template.ts';

export interface LocalStack {
  /** Where the API answers. */
  address: string;
  stop(): Promise<void>;
}

/** What the Lambda runtime itself would put into the environment. */
const runtime = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  TZ: 'UTC',
};

/** How long a part may take to stop before it is left to end with the process. */
const patienceMs = 3000;

interface StartOptions {
  env?: NodeJS.ProcessEnv;
  /** Hears what is being done while it is done. */
  say: (line: string) => void;
  /** Gives up the start. */
  signal?: AbortSignal;
}

/**
 * Runs the synthesized app on this machine: the same functions behind the same routes,
 * queues and table as are deployed. Source: decisions.md §14.
 *
 * @throws StartError in one line when it cannot: a port taken, an engine missing, a setting refused.
 */
export async function startLocalStack(options: StartOptions): Promise<LocalStack> {
  const parts: Part[] = [];
  const stop = async () => {
    for (const part of parts.splice(0).reverse()) {
      await Promise.race([part.stop(), sleep(patienceMs, undefined, { ref: false })]);
    }
  };
  const keep: Keep = (part) => {
    parts.push(part);
    options.signal?.throwIfAborted();
    return part;
  };

  try {
    return { address: await start(options, keep), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Part {
  stop(): Promise<void>;
}
/** Remembers a part, to be stopped with the stack. */
type Keep = <P extends Part>(part: P) => P;

async function start({ env = process.env, say, signal }: StartOptions, keep: Keep): Promise<string> {
  Object.assign(process.env, runtime);
  const port = await choosePort(env['PORT'] || undefined);
  const address = `http://127.0.0.1:${port}`;
  const directory = env['DATA_DIR'] === ':memory:' ? undefined : env['DATA_DIR'] || '.local';
  if (directory !== undefined) keep(await holdDataDirectory(directory));
  const app = readSynthesizedApp(await synthesize(say, signal));

  say('Starting the engines: table, queues, file store, mail, payment …');
  const options = { env, directory };
  const dynamodb = keep(await startTableEngine(options));
  await createTables(app, dynamodb.endpoint);
  const queueEngine = keep(await startQueueEngine(options));
  const sqs = new SQSClient({ endpoint: queueEngine.endpoint });
  const queues = await createQueues(app, sqs, queueEngine.endpoint);
  const store = keep(await startFileStore(options, nameBuckets(app)));
  const outbox = keep(await startMail(options));
  const localSettings = await readLocalSettings({ directory, publicBaseUrl: address, env });
  const payment = await startPayment(options, { address, settingOf: localSettings });
  if (payment) keep(payment);

  say('Starting the functions …');
  const functions = keep(
    await startFunctions(app, {
      settingOf: (name) => (name === 'PAYMENT_API_BASE' && payment ? payment.endpoint : localSettings(name)),
      // Set but empty: a service without a file store.
      overrides: env['BUCKET_NAME'] === '' ? { BUCKET_NAME: '' } : {},
      runtime: {
        ...runtime,
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
        AWS_ENDPOINT_URL_SQS: queueEngine.endpoint,
        AWS_ENDPOINT_URL_S3: store.endpoint,
        AWS_ENDPOINT_URL_SESV2: outbox.endpoint,
      },
    }),
  );
  const tableName = nameOfTable(app);
  if (directory !== undefined) await noteStack(directory, tableName, dynamodb.endpoint);
  for (const source of functions.eventSources()) {
    const queueUrl = queues.find(({ arn }) => arn === source.queueArn)?.url ?? '';
    keep(startQueuePoller(sqs, { ...source, queueUrl }));
  }
  keep(startScheduler(functions.schedules()));
  const table = createTable({ tableName, client: createDynamoClient({ endpoint: dynamodb.endpoint }) });
  const localPage = createLocalPages({ outbox, sqs, queues, jobs: createJobRepository({ table }) });
  return keep(await startApiGateway({ port, routes: functions.routes(), localPage })).endpoint;
}

function nameOfTable(app: SynthesizedApp): string {
  const [table] = app.ofType('AWS::DynamoDB::GlobalTable');
  if (!table) throw new Error('The app has no table.');
  return localName(table);
}

/** Leaves word in the data directory of where the table is, for the operator's commands. */
async function noteStack(directory: string, tableName: string, dynamodbEndpoint: string): Promise<void> {
  const note = { tableName, dynamodbEndpoint, region: runtime.AWS_REGION };
  await writeFile(join(directory, 'stack.json'), JSON.stringify(note), { mode: 0o600 });
}

/** @throws StartError before anything is started, when the port cannot be had. */
async function choosePort(text = '3000'): Promise<number> {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new StartError('PORT is malformed.');
  if (text === '0') return freePort();
  // A stack that was just killed may still be about to let go of it.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await isFree(Number(text))) return Number(text);
    await sleep(100);
  }
  throw new StartError(`Port ${text} is taken; choose another with PORT.`);
}
