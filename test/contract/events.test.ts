import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startFile } from '../../infra/bundles/bundle-functions.ts';
import type { Engine } from '../../infra/local/engines/engine.ts';
import { startSqs } from '../../infra/local/engines/queue-engine.ts';
import { createLambda, type LambdaFunction } from '../../infra/local/lambda/lambda-host.ts';
import { openLocalSettings } from '../../infra/local/local-settings.ts';
import { type BundledFunction, bundledFunctions } from '../support/bundles.ts';
import { createTestTable } from '../support/engines/test-table.ts';

const folder = join(import.meta.dirname, '..', '..', 'events');
const samples = readdirSync(folder).map((file) => ({
  name: file.replace(/\.json$/, ''),
  event: JSON.parse(readFileSync(join(folder, file), 'utf8')),
}));

const functionNames = readdirSync(join(folder, '..', 'functions')).filter((name) => !name.endsWith('.md'));

/** Of the functions with endpoints, those that find on an empty table what their sample asks for, or make it. */
const granting = ['api-tokens', 'console', 'docs', 'health', 'licenses', 'orders', 'pages', 'purchases', 'sellers', 'webhook-endpoints'];

jest.setTimeout(120_000);

test('there is a sample event of each function, and no other', () => {
  expect(samples.map(({ name }) => name).sort()).toEqual(functionNames.sort());
});

describe('the deployed bundle of each function handles its sample event', () => {
  let functions: BundledFunction[];
  let engine: Engine;
  let environmentOf: (names: readonly string[]) => Record<string, string>;
  let running: LambdaFunction | undefined;

  beforeAll(async () => {
    functions = await bundledFunctions();
    engine = await startSqs();
    const { tableName } = await createTestTable();
    const sqs = new SQSClient({ endpoint: engine.endpoint });
    await sqs.send(new CreateQueueCommand({ QueueName: 'any' }));
    const settingOf = openLocalSettings({ directory: undefined, publicBaseUrl: 'http://127.0.0.1:3000', env: {} }).valueOf;
    const made = (name: string) => {
      if (name === 'MAIL_CONFIGURATION_SET') return 'any';
      return name === 'TABLE_NAME' ? tableName : name.endsWith('_QUEUE_URL') ? `${engine.endpoint}/000000000000/any` : settingOf(name);
    };
    environmentOf = (names) => ({
      ...Object.fromEntries(names.map((name) => [name, made(name)])),
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
      AWS_ENDPOINT_URL_SQS: engine.endpoint,
    });
  });
  afterAll(async () => {
    await running?.stop();
    await engine.stop();
  });

  test.each(samples)('$name', async ({ name, event }) => {
    const { definition, bundle } = functions.find((found) => found.definition.name === name)!;
    running = createLambda({
      name,
      file: join(bundle.folder, startFile),
      handler: 'handler',
      environment: environmentOf(definition.settingNames),
      timeoutSeconds: 20,
      memoryMb: 512,
    });
    const result = (await running.invoke(event)) as any;
    await running.stop();
    if ('Records' in event) {
      expect(result).toEqual({ batchItemFailures: [] });
    } else if ('routeKey' in event) {
      const { http, routeKey } = event.requestContext;
      expect([event.routeKey, routeKey]).toEqual([routeKey, expect.stringMatching(/^ANY /)]);
      expect(definition.routes.map(({ method, path }) => `${method} ${path}`)).toContain(routeKey.replace('ANY', http.method));
      expect([name, Math.floor(result.statusCode / 100)]).toEqual([name, granting.includes(name) ? 2 : 4]);
      expect(result.headers['X-Request-Id']).toBe(event.requestContext.requestId);
    } else {
      // The events before it leave jobs, which are due a little later.
      expect(result).toEqual({ sent: expect.any(Number), failed: 0 });
    }
  });
});
