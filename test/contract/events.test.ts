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

/** What each function answers to its sample on an empty table; workers have nothing to answer. */
const statuses: Record<string, number> = {
  additions: 400,
  admin: 404,
  'api-tokens': 200,
  'code-batches': 404,
  console: 200,
  discounts: 404,
  docs: 200,
  health: 200,
  licenses: 200,
  orders: 200,
  pages: 200,
  'payment-webhooks': 400,
  pictures: 404,
  'product-files': 404,
  products: 400,
  purchases: 202,
  releases: 404,
  sellers: 201,
  storefront: 404,
  'test-keys': 404,
  updates: 404,
  'webhook-endpoints': 200,
};

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
      expect(result.statusCode).toBe(statuses[name]);
      expect(result.headers['X-Request-Id']).toBe(event.requestContext.requestId);
    } else {
      // The events before it leave jobs, which are due a little later.
      expect(result).toEqual({ sent: expect.any(Number), failed: 0 });
    }
  });
});
