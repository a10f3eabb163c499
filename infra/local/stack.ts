import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { startApiGateway } from './api-gateway.ts';
import { holdDataDirectory } from './data-directory.ts';
import { startDynamoDb } from './dynamodb-engine.ts';
import { freePort, isFree, StartError } from './engine.ts';
import { startFunctions } from './function-host.ts';
import { createLocalPages } from './local-pages.ts';
import { readLocalSettings } from './local-settings.ts';
import { startMailOutbox } from './mail-outbox.ts';
import { createQueues, createTables, nameBuckets } from './provision.ts';
import { startSqs } from './queue-engine.ts';
import { startQueuePoller } from './queue-poller.ts';
import { startScheduler } from './scheduler.ts';
import { synthesize } from './synthesis.ts';
import { readSynthesizedApp } from './template.ts';

export interface LocalStack {
  /** Where the API answers. */
  address: string;
  stop(): Promise<void>;
}

/** Stands in for the credentials and the Region that Lambda would give; no engine looks at them. */
const runtime = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', TZ: 'UTC' };

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
  const port = await choosePort(env['PORT']);
  const directory = env['DATA_DIR'] === ':memory:' ? undefined : (env['DATA_DIR'] ?? '.local');
  if (directory !== undefined) keep(await holdDataDirectory(directory));
  const app = readSynthesizedApp(await synthesize(say, signal));

  say('Starting the engines: table, queues, mail …');
  const inDirectory = (name: string) => (directory === undefined ? undefined : join(directory, name));
  const dynamodb = env['DYNAMODB_ENDPOINT'] ?? keep(await startDynamoDb({ file: inDirectory('table.db') })).endpoint;
  const sqsEndpoint = env['SQS_ENDPOINT'] ?? keep(await startSqs()).endpoint;
  const outbox = keep(await startMailOutbox({ directory: inDirectory('outbox') }));
  const sqs = new SQSClient({ endpoint: sqsEndpoint });
  await createTables(app, dynamodb);
  const queues = await createQueues(app, sqs, sqsEndpoint);
  nameBuckets(app);
  const settingOf = await readLocalSettings({ directory, publicBaseUrl: `http://127.0.0.1:${port}`, env });

  say('Starting the functions …');
  const functions = keep(
    await startFunctions(app, {
      settingOf,
      overrides: { BUCKET_NAME: '' },
      runtime: {
        ...runtime,
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
        AWS_ENDPOINT_URL_SQS: sqsEndpoint,
        AWS_ENDPOINT_URL_SESV2: outbox.endpoint,
      },
    }),
  );
  for (const source of functions.eventSources()) {
    const queueUrl = queues.find(({ arn }) => arn === source.queueArn)?.url ?? '';
    keep(startQueuePoller(sqs, { ...source, queueUrl }));
  }
  keep(startScheduler(functions.schedules()));
  const localPage = createLocalPages({ outbox, sqs, queues });
  return keep(await startApiGateway({ port, routes: functions.routes(), localPage })).endpoint;
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
