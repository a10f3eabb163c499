import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose } from '../../functions/health/compose.ts';
import { settingNames } from '../../functions/health/declaration.ts';
import { routes } from '../../functions/health/routes.ts';
import { createTableProbe } from '../../shared/db/table-probe.ts';
import { createBucketProbe } from '../../shared/product-files/bucket-probe.ts';
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

  test('behind the CDN its viewers are limited, each for itself', async () => {
    const behindCdn = createCaller(start({ ORIGIN_SECRET: 'shared-with-the-cdn' }), routes);
    const as = (viewer: string, secret = 'shared-with-the-cdn') =>
      behindCdn('GET', '/healthz', { headers: { 'X-Origin-Secret': secret, 'CloudFront-Viewer-Address': viewer } });
    for (const port of [1, 2, 3]) expect((await as(`198.51.100.7:${port}`)).status).toBe(200);
    expect((await as('198.51.100.7:4')).status).toBe(429);
    expect((await as('::ffff:c633:6407:5')).status).toBe(429);
    expect((await as('198.51.100.8:1')).status).toBe(200);
    for (const port of [1, 2, 3]) expect((await as(`198.51.100.9:${port}`, 'guess')).status).toBe(200);
    expect((await as('198.51.100.10:1', 'guess')).status).toBe(429);
  });

  test('behind the edge, which names its viewers in another header, each is limited for itself too', async () => {
    const behindEdge = createCaller(start({ ORIGIN_SECRET: 'shared-with-the-edge', ORIGIN_REQUIRED: 'true' }), routes);
    const as = async (viewer: string) =>
      (await behindEdge('GET', '/readyz', { headers: { 'X-Origin-Secret': 'shared-with-the-edge', 'True-Client-IP': viewer } })).status;
    for (const expected of [200, 200, 200, 429]) expect(await as('198.51.100.7')).toBe(expected);
    expect(await as('198.51.100.8')).toBe(200);
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
