import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDynamoClient, createSdkDynamo } from '../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable, type Table } from '../../shared/db/table.ts';
import { checkLocalSettings } from './check-settings.ts';
import { lockDataDirectory } from './data-directory.ts';
import { freePort, isFree, StartError } from './engines/engine.ts';
import { createExamples } from './examples/examples.ts';
import { startApiGateway } from './gateway/api-gateway.ts';
import { createIdentityProvider } from './identity/identity-provider.ts';
import { createPeople } from './identity/people.ts';
import { createFunctions, eventSourcesOf, routesTo, schedulesOf } from './lambda/function-host.ts';
import { startQueuePoller } from './lambda/queue-poller.ts';
import { startScheduler } from './lambda/scheduler.ts';
import { startTableStream } from './lambda/table-stream.ts';
import { createLocalPages } from './local-pages.ts';
import { dataDirectoryOf, hasIdentityProvider, publicBaseUrlOf, stackSetting } from './local-settings.ts';
import { type Engines, operatorCredentials, runtime, startEngines } from './services/start-engines.ts';
import { createShutdown, type Register } from './shutdown.ts';
import { writeStackFile } from './stack-file.ts';
import { synthesize } from './synthesis.ts';
import { localName, readSynthesizedApp, type SynthesizedApp } from './template.ts';

export interface LocalStack {
  /** Where the API answers. */
  address: string;
  stop(): Promise<void>;
}

interface StartOptions {
  env?: NodeJS.ProcessEnv;
  /** The folder of a synthesized app to run; by default that of this project, synthesized when it has changed. */
  app?: string;
  /** Called with the name of each step as it begins. */
  log: (line: string) => void;
  /** Aborts the start. */
  signal?: AbortSignal;
}

/**
 * Runs the synthesized app on this machine: the same functions behind the same routes,
 * queues and table as are deployed. See "What it does not show" in limits.md.
 *
 * @throws StartError in one line when it cannot: a port taken, an engine missing, a setting refused.
 */
export async function startLocalStack(options: StartOptions): Promise<LocalStack> {
  const { register, stop } = createShutdown(options.signal);
  try {
    return { address: await start(options, register), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start({ env = process.env, app: folder, log: say, signal }: StartOptions, register: Register): Promise<string> {
  // The clients of this process go to the engines themselves.
  Object.assign(process.env, runtime, operatorCredentials);
  checkLocalSettings(env);
  const tokenSeconds = Number(stackSetting(env, 'LOCAL_TOKEN_SECONDS'));
  const port = await choosePort(stackSetting(env, 'PORT'));
  const directory = dataDirectoryOf(env);
  if (directory !== undefined) register(await lockDataDirectory(directory));
  const app = readSynthesizedApp(folder ?? (await synthesize(say, signal)));

  say('Starting the engines: table, queues, file store, mail, payment …');
  const engines = await startEngines(app, { env, directory, address: `http://127.0.0.1:${port}` }, register);
  const tableName = nameOfTable(app);
  if (directory !== undefined)
    await writeStackFile(directory, {
      tableName,
      dynamodbEndpoint: engines.dynamodbEndpoint,
      sqsEndpoint: engines.sqsEndpoint,
      secretsEndpoint: engines.endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER,
      s3Endpoint: engines.endpoints.AWS_ENDPOINT_URL_S3,
      bucketName: engines.bucketName,
      region: runtime.AWS_REGION,
      address: `http://127.0.0.1:${port}`,
      paymentApiBase: engines.paymentEndpoint,
    });

  const functions = register(
    createFunctions(app, {
      settingOf: engines.settingOf,
      // Set but empty: a service without a file store.
      overrides: env['BUCKET_NAME'] === '' ? { BUCKET_NAME: '' } : {},
      runtime: { ...runtime, ...engines.endpoints },
      control: engines.control,
    }),
  );
  const table = createTable({ tableName, dynamo: createSdkDynamo(createDynamoClient({ endpoint: engines.dynamodbEndpoint })) });
  for (const source of eventSourcesOf(functions)) {
    const queue = engines.queues.find(({ arn }) => arn === source.arn);
    register(
      queue ? startQueuePoller(engines.sqs, { ...source, queueArn: source.arn, queueUrl: queue.url }) : startTableStream(table, source),
    );
  }
  register(startScheduler(schedulesOf(functions)));
  const routes = routesTo(functions);
  const address = `http://127.0.0.1:${port}`;
  const identity = hasIdentityProvider(engines.settingOf)
    ? makeIdentity(engines, table, { address, directory, tokenSeconds, hasConsole: routes.has('ANY /console') })
    : undefined;
  const gateway = await startApiGateway({
    port,
    routes,
    publicHost: URL.parse(engines.settingOf('PUBLIC_BASE_URL'))?.host ?? '',
    // They show tokens to whoever comes: what is no local stage has none of them.
    localPage: engines.settingOf('STAGE') === 'local' ? createLocalPages({ ...engines, table, identity }) : undefined,
    isExpiredCredential: identity?.provider.isOver,
  });
  return register(gateway).endpoint;
}

/** The identity provider of this machine, and what there is only where it is. */
function makeIdentity(
  { settingOf, paymentEndpoint }: Engines,
  table: Table,
  {
    address,
    directory,
    tokenSeconds,
    hasConsole,
  }: { address: string; directory: string | undefined; tokenSeconds: number; hasConsole: boolean },
) {
  const publicBaseUrl = publicBaseUrlOf(settingOf);
  const people = createPeople({ table, allowlist: settingOf('ADMIN_ALLOWLIST') });
  const [admin] = people.admins;
  return {
    provider: createIdentityProvider({
      ...{ publicBaseUrl, clientId: settingOf('CONSOLE_CLIENT_ID'), tokenSeconds, people },
      file: directory === undefined ? undefined : join(directory, 'identity.json'),
    }),
    examples: createExamples({ address, admin: admin?.person, paymentEndpoint }),
    console: hasConsole ? { address: `${publicBaseUrl}/console`, admin: admin?.hint } : undefined,
  };
}

function nameOfTable(app: SynthesizedApp): string {
  const [table] = app.ofType('AWS::DynamoDB::GlobalTable');
  if (!table) throw new Error('The app has no table.');
  return localName(table);
}

/** @throws StartError before anything is started, when the port cannot be had. */
async function choosePort(text: string): Promise<number> {
  if (text === '0') return freePort();
  // A stack that was just killed may not have released the port yet.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await isFree(Number(text))) return Number(text);
    await sleep(100);
  }
  throw new StartError(`Port ${text} is taken; choose another with PORT.`);
}
