import { request as httpRequest } from 'node:http';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Engine, freePort, isOwnHost } from '../../infra/local/engines/engine.ts';
import { startSqs } from '../../infra/local/engines/queue-engine.ts';
import { startApiGateway } from '../../infra/local/gateway/api-gateway.ts';
import { jsonReply } from '../../infra/local/http-reply.ts';
import { startObjectStore } from '../../infra/local/object-store/object-store.ts';
import { guardWithKey } from '../../infra/local/object-store/store-guard.ts';
import { startPaymentProvider } from '../../infra/local/payment-provider/payment-provider.ts';
import { startMailOutbox } from '../../infra/local/services/mail-outbox.ts';
import { newFolder } from '../support/new-folder.ts';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request under a name of its own for this machine, as a page does whose site's name leads here. */
function send(url: string, host: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers: { ...headers, host } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end(body);
  });
}

test.each(['127.0.0.1', 'localhost', 'LocalHost', '[::1]', '127.0.0.1:3000', 'localhost:65535'])('%s is a name of this machine', (host) => {
  expect(isOwnHost(host)).toBe(true);
});

test.each([
  undefined,
  'evil.example',
  'evil.example:3000',
  '127.0.0.1.evil.example',
  'localhost.evil.example:3000',
  'evil.example#127.0.0.1',
  'user@127.0.0.1',
  '127x0x0x1',
  '192.0.2.1',
  '0.0.0.0',
  '[::2]',
  'localhost:',
])('%j is none', (host) => {
  expect(isOwnHost(host)).toBe(false);
});

describe('under the name of another site', () => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const asUser = { headers: { 'x-user-id': 'admin' } };
  const ofQueues = { 'x-amz-target': 'AmazonSQS.ListQueues', 'content-type': 'application/x-amz-json-1.0' };
  const listQueues = { method: 'POST', headers: ofQueues, body: '{}' };
  const folder = newFolder();
  let gateway: Engine;
  let provider: Engine;
  let queues: Engine;
  let outbox: Engine;
  let store: Engine;

  beforeAll(async () => {
    gateway = await startApiGateway({
      port: await freePort(),
      routes: new Map([['$default', async () => ({ statusCode: 200, body: '{}' })]]),
      publicHost: 'shop.example:8443',
      localPage: async ({ path }) => (path === '/__local/outbox' ? jsonReply({ items: [] }) : undefined),
    });
    const webhook = { url: `${gateway.endpoint}/webhook`, secret: 'whsec_local_x' };
    provider = await startPaymentProvider({ platformWebhook: webhook, connectWebhook: webhook });
    queues = await startSqs();
    outbox = await startMailOutbox({});
    const buckets = [{ name: 'files', versioned: true }];
    store = await startObjectStore({ directory: folder, buckets, guard: guardWithKey(credentials) });
  });
  afterAll(() => Promise.all([gateway, provider, queues, outbox, store].map((engine) => engine.stop())));

  test('nothing is shown, and no header believed', async () => {
    const host = 'evil.example';
    const providerPaths = ['/', '/c/pay/cs_test_1', '/onboarding/acctlink_1', '/v1/checkout/sessions', '/test/webhooks'];
    for (const [url, sent] of [
      [`${gateway.endpoint}/__local/outbox`],
      [`${gateway.endpoint}/__local/outbox?x=1`],
      [`${gateway.endpoint}/v1/admin/sellers`, asUser],
      ...providerPaths.flatMap((path) => ['GET', 'POST'].map((method): [string, Sent] => [provider.endpoint + path, { method }])),
      [queues.endpoint, listQueues],
      [`${store.endpoint}/bucket/key`],
    ] as [string, Sent?][]) {
      expect([url, await send(url, host, sent)]).toEqual([url, 403]);
    }
    expect(await send(`${outbox.endpoint}/v2/email/outbound-emails`, host, { method: 'POST', body: '{}' })).toBe(400);
  });

  test('a file is not given out, although the key of the store is known', async () => {
    const read = async (host: string) => {
      const client = new S3Client({ endpoint: `http://${host}`, region: 'us-east-1', credentials, forcePathStyle: true });
      const url = new URL(await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'a' })));
      return send(`${store.endpoint}${url.pathname}${url.search}`, host);
    };
    const { port } = new URL(store.endpoint);
    expect([await read(`127.0.0.1:${port}`), await read(`evil.example:${port}`)]).toEqual([404, 403]);
  });

  test('what one’s own names show is shown, to that of PUBLIC_BASE_URL too, and what needs no header under any', async () => {
    for (const [url, host, sent, status] of [
      [`${gateway.endpoint}/__local/outbox`, 'localhost:1', {}, 200],
      [`${gateway.endpoint}/v1/admin/sellers`, 'localhost:1', asUser, 200],
      [provider.endpoint, 'localhost:1', {}, 200],
      [queues.endpoint, 'localhost:1', listQueues, 200],
      [`${gateway.endpoint}/v1/admin/sellers`, 'shop.example:8443', asUser, 200],
      [`${gateway.endpoint}/v1/admin/sellers`, 'shop.example', asUser, 403],
      [`${gateway.endpoint}/healthz`, 'evil.example', {}, 200],
    ] as const) {
      expect([url, host, await send(url, host, sent)]).toEqual([url, host, status]);
    }
  });
});
