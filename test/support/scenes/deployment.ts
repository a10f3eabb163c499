import { createServer } from 'node:http';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { writeStart } from '../../../infra/bundles/write-start.ts';
import { serve } from '../../../infra/local/engines/engine.ts';
import { startSqs } from '../../../infra/local/engines/queue-engine.ts';
import { type SettingName, settingNames } from '../../../shared/config.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { queueSettings } from '../../../shared/queue/messages.ts';
import { testBucket, testCredentials } from '../engines/test-object-store.ts';
import { createCaller } from '../http/http-event.ts';
import { pagesFolder } from '../page-assets.ts';
import { keyringText } from '../samples/licenses.ts';
import { openMarketplace, startMarket, webhookSecrets } from './marketplace.ts';
import { toSqsEvent } from './projection-harness.ts';

const functions = join(import.meta.dirname, '..', '..', '..', 'functions');

export type Environment = Partial<Record<SettingName, string>>;

/** An HTTP server that remembers what it was sent, and answers as `answer` does. */
export async function startRecorder(
  answer: (request: { url: string; method: string; headers: Headers; body: string }) => Promise<Response>,
) {
  const received: { url: string; authorization: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { url = '', method = '' } = request;
    const body = await readText(request);
    const headers = new Headers(Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]));
    received.push({ url, authorization: headers.get('authorization') ?? '', body });
    const reply = await answer({ url, method, headers, body });
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(Buffer.from(await reply.arrayBuffer()));
  });
  return { ...(await serve(server)), received };
}

/**
 * Functions as they are deployed: each start's own module, loaded with an environment of just the
 * settings that its function names, over engines that hold a marketplace.
 */
export async function startDeployment() {
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
    AWS_REGION: 'us-east-1',
  });
  const keys = {
    LICENSE_PEPPERS: keyringText('p1'),
    ENCRYPTION_KEYS: keyringText('e1'),
    TOKEN_KEYS: keyringText('t1'),
    LEASE_KEYS: keyringText('l1'),
  };
  const [market, queueEngine] = await Promise.all([startMarket(), startSqs()]);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: queueEngine.endpoint,
    AWS_ENDPOINT_URL_S3: market.objectStore.endpoint,
    LAMBDA_TASK_ROOT: pagesFolder,
  });
  const sqs = new SQSClient({});
  const scene = await openMarketplace(market, keys);
  await sqs.send(new CreateQueueCommand({ QueueName: 'any' }));
  const anyQueue = `${queueEngine.endpoint}/000000000000/any`;
  let made = 0;

  const environment: Environment = {
    STAGE: 'local',
    AUTH_MODE: 'local',
    ADMIN_ALLOWLIST: 'admin@example.com',
    PUBLIC_BASE_URL: 'https://shop.example',
    PAYMENT_SECRET_KEY: 'sk_test_deployed',
    PAYMENT_API_BASE: market.provider.endpoint,
    PAYMENT_WEBHOOK_SECRET: webhookSecrets.platform,
    PAYMENT_CONNECT_WEBHOOK_SECRET: webhookSecrets.connect,
    CALLER_HASH_KEY: 'caller-hash-key-of-tests',
    MAIL_FROM: 'licenses@example.com',
    MAIL_CONFIGURATION_SET: 'mails',
    TABLE_NAME: scene.tableName,
    BUCKET_NAME: testBucket,
    ...Object.fromEntries(queueSettings.map((name) => [name, anyQueue])),
    ...keys,
  };

  /** Loads the handler of a function anew, in its environment with these changes. */
  async function deploy(name: string, changes: Environment = {}) {
    const { settingNames: names, parts = [] } = (await import(join(functions, name, 'declaration.ts'))) as {
      settingNames: readonly SettingName[];
      parts?: readonly string[];
    };
    for (const setting of settingNames) delete process.env[setting];
    const all: Environment = { ...environment, ...changes };
    Object.assign(
      process.env,
      Object.fromEntries(names.flatMap((setting) => (all[setting] === undefined ? [] : [[setting, all[setting]]]))),
    );
    made += 1;
    const { handler } = await import(`${writeStart(name, parts)}?start=${made}`);
    return handler as (event: unknown, context: unknown) => Promise<any>;
  }

  return {
    ...scene,
    /** Calls of a function as the gateway makes them. */
    async http(name: string, changes: Environment = {}) {
      const { routes } = (await import(join(functions, name, 'routes.ts'))) as { routes: readonly Endpoint<any>[] };
      return createCaller(await deploy(name, changes), routes);
    },

    /** Has a worker do one job. */
    async work(name: string, jobId: string, changes: Environment = {}) {
      return (await deploy(name, changes))(toSqsEvent([jobId]), {});
    },

    async stop() {
      sqs.destroy();
      await Promise.all([market.stop(), queueEngine.stop()]);
    },
  };
}
export type Deployment = Awaited<ReturnType<typeof startDeployment>>;
