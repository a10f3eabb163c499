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

const silent = { info: () => {}, warn: () => {}, error: () => {} };

describe('health', () => {
  let unreachable: Set<string>;
  let asked: unknown[];
  let call: ReturnType<typeof createCaller>;

  beforeEach(() => {
    unreachable = new Set();
    asked = [];
    call = createCaller(start(), routes);
  });

  function start(changes: { BUCKET_NAME?: string; ORIGIN_SECRET?: string; ORIGIN_REQUIRED?: string; SECRETS_TO_SET?: string } = {}) {
    const probe = (name: string) => (target: unknown) => async () => {
      asked.push(target);
      if (unreachable.has(name)) throw new Error('connect ECONNREFUSED 10.0.0.1');
    };
    return compose({
      settings: sampleSettings(settingNames, { RATE_LIMIT_HEALTH: '3', ...changes }),
      logger: silent,
      createTableProbe: probe('table'),
      createQueueProbe: probe('queues'),
      createBucketProbe: probe('bucket'),
      createSecretsProbe: probe('secrets'),
      now: () => new Date(0),
    });
  }

  test('healthz answers while the service runs, whatever its dependencies do', async () => {
    unreachable.add('table');
    expect(await call('GET', '/healthz')).toMatchObject({
      status: 200,
      json: { status: 'ok' },
      headers: { 'access-control-allow-origin': '*' },
    });
  });

  test('readyz answers when every dependency does', async () => {
    const ready = createCaller(start({ SECRETS_TO_SET: 'arn:one,arn:two' }), routes);
    expect(await ready('GET', '/readyz')).toMatchObject({ status: 200, json: { status: 'ok' } });
    const queues = ['webhooks', 'mail', 'hash', 'scan', 'import', 'event', 'delivery'].map((name) => expect.stringMatching(`/${name}$`));
    expect(await ready('HEAD', '/readyz')).toMatchObject({ status: 200, text: '' });
    expect(asked.splice(0, 4)).toEqual(asked);
    expect(asked).toEqual(['sample-table', ['arn:one', 'arn:two'], queues, 'sample-bucket']);
  });

  test('readyz checks no file store where none is configured', async () => {
    const withoutBucket = createCaller(start({ BUCKET_NAME: '' }), routes);
    expect((await withoutBucket('GET', '/readyz')).status).toBe(200);
    expect(asked).toEqual(['sample-table', [], expect.any(Array)]);
  });

  test.each(['table', 'queues', 'bucket', 'secrets'])('readyz is 503 without a detail when all is well but the %s', async (name) => {
    unreachable.add(name);
    const reply = await call('GET', '/readyz');
    expect(reply).toMatchObject({ status: 503, json: { code: 'dependency_unavailable' }, headers: { 'retry-after': '5' } });
    expect(reply.text).not.toContain('10.0.0.1');
    expect(reply.text).not.toContain(name);
  });

  test('both are limited together for each address', async () => {
    for (const path of ['/healthz', '/readyz', '/healthz']) expect((await call('GET', path)).status).toBe(200);
    expect(await call('GET', '/readyz')).toMatchObject({ status: 429, json: { code: 'rate_limited' }, headers: { 'retry-after': '20' } });
    expect((await call('GET', '/healthz', { sourceIp: '192.0.2.77' })).status).toBe(200);
  });
});

describe('probes', () => {
  test('the table is there, or it is not', async () => {
    const { tableName } = await createTestTable();
    await createTableProbe(tableName)();
    await expect(createTableProbe('no-such-table')()).rejects.toThrow();
  });

  test.each([
    ['queue', () => createQueueProbe(['http://127.0.0.1:9/000000000000/any'])],
    ['file store', () => createBucketProbe('any')],
  ])('a %s that cannot be reached is found out at once', async (_, createProbe) => {
    process.env['AWS_ENDPOINT_URL_SQS'] = 'http://127.0.0.1:9';
    process.env['AWS_ENDPOINT_URL_S3'] = 'http://127.0.0.1:9';
    const start = Date.now();
    await expect(createProbe()()).rejects.toThrow();
    expect(Date.now() - start).toBeLessThan(3000);
  });
});
