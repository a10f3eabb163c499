import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose } from '../../functions/health/compose.ts';
import { settingNames } from '../../functions/health/declaration.ts';
import { routes } from '../../functions/health/routes.ts';
import { createTableProbe } from '../../shared/db/table-probe.ts';
import { createBucketProbe } from '../../shared/product-files/storage/bucket-probe.ts';
import { createQueueProbe } from '../../shared/queue/queue-probe.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { createCaller } from '../support/http/http-event.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';
import { silentLogger } from '../support/scenes/projection-harness.ts';

describe('health', () => {
  let unreachable: string;
  let asked: unknown[];
  beforeEach(() => {
    unreachable = '';
    asked = [];
  });

  function start(changes: { BUCKET_NAME?: string; SECRETS_TO_SET?: string } = {}) {
    const probe = (name: string) => (target: unknown) => async () => {
      asked.push(target);
      if (unreachable === name) throw new Error('connect ECONNREFUSED 10.0.0.1');
    };
    const handler = compose({
      settings: sampleSettings(settingNames, { RATE_LIMIT_HEALTH: '3', ...changes }),
      logger: silentLogger,
      createTableProbe: probe('table'),
      createQueueProbe: probe('queues'),
      createBucketProbe: probe('bucket'),
      createSecretsProbe: probe('secrets'),
      now: () => new Date(0),
    });
    return createCaller(handler, routes);
  }

  test('readyz answers when every dependency does', async () => {
    const ready = start({ SECRETS_TO_SET: 'arn:one,arn:two' });
    expect(await ready('GET', '/readyz')).toMatchObject({ status: 200, json: { status: 'ok' } });
    const queues = ['webhooks', 'mail', 'hash', 'scan', 'import', 'event', 'delivery'].map((name) => expect.stringMatching(`/${name}$`));
    expect(asked).toEqual(['sample-table', ['arn:one', 'arn:two'], queues, 'sample-bucket']);
  });

  test('readyz checks no file store where none is configured', async () => {
    expect((await start({ BUCKET_NAME: '' })('GET', '/readyz')).status).toBe(200);
    expect(asked).toEqual(['sample-table', [], expect.any(Array)]);
  });

  test.each(['table', 'queues', 'bucket', 'secrets'])(
    'readyz is 503 without a detail when all is well but the %s; healthz answers',
    async (name) => {
      unreachable = name;
      const call = start();
      const reply = await call('GET', '/readyz');
      expect(reply).toMatchObject({ status: 503, json: { code: 'dependency_unavailable' }, headers: { 'retry-after': '5' } });
      expect(reply.text).not.toMatch(new RegExp(`10\\.0\\.0\\.1|${name}`));
      expect(await call('GET', '/healthz')).toMatchObject({ status: 200, json: { status: 'ok' } });
    },
  );

  test('both are limited together for each address', async () => {
    const call = start();
    for (const path of ['/healthz', '/readyz', '/healthz']) expect((await call('GET', path)).status).toBe(200);
    expect(await call('GET', '/readyz')).toMatchObject({ status: 429, json: { code: 'rate_limited' }, headers: { 'retry-after': '20' } });
    expect((await call('GET', '/healthz', { sourceIp: '192.0.2.77' })).status).toBe(200);
  });
});

test('a table is there, or it is not, and a queue or store that cannot be reached is found out', async () => {
  const { tableName } = await createTestTable();
  await createTableProbe(tableName)();
  process.env['AWS_ENDPOINT_URL_SQS'] = 'http://127.0.0.1:9';
  process.env['AWS_ENDPOINT_URL_S3'] = 'http://127.0.0.1:9';
  for (const probe of [
    createTableProbe('no-such-table'),
    createQueueProbe(['http://127.0.0.1:9/000000000000/any']),
    createBucketProbe('any'),
  ])
    await expect(probe()).rejects.toThrow();
});
