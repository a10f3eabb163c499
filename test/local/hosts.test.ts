import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Engine, freePort } from '../../infra/local/engines/engine.ts';
import { startSqs } from '../../infra/local/engines/queue-engine.ts';
import { startApiGateway } from '../../infra/local/gateway/api-gateway.ts';
import { jsonReply } from '../../infra/local/http-reply.ts';
import { startObjectStore } from '../../infra/local/object-store/object-store.ts';
import { guardWithKey } from '../../infra/local/object-store/store-guard.ts';
import { startPaymentProvider } from '../../infra/local/payment-provider/payment-provider.ts';
import { startMailOutbox } from '../../infra/local/services/mail-outbox.ts';

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

const foreign = [
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
];
const ownNames = ['127.0.0.1', 'localhost', 'LocalHost', '[::1]'];

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

describe('under the name of another site', () => {
  let folder: string;
  let gateway: Engine;
  let provider: Engine;
  let queues: Engine;
  let outbox: Engine;
  let store: Engine;
  const engines = () => [gateway, provider, queues, outbox, store];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hosts-'));
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
    store = await startObjectStore({ directory: folder, buckets: [{ name: 'files', versioned: true }], guard: guardWithKey(credentials) });
  });
  afterAll(async () => {
    await Promise.all(engines().map((engine) => engine.stop()));
    await rm(folder, { recursive: true });
  });

  const asUser = { headers: { 'x-user-id': 'admin' } };
  const portOf = ({ endpoint }: Engine) => new URL(endpoint).port;

  test.each(foreign)('%j nothing is shown, and no header believed', async (host) => {
    expect(await send(`${gateway.endpoint}/__local/outbox`, host)).toBe(403);
    expect(await send(`${gateway.endpoint}/__local/outbox?x=1`, host)).toBe(403);
    expect(await send(`${gateway.endpoint}/v1/admin/sellers`, host, asUser)).toBe(403);
    for (const path of ['/', '/c/pay/cs_test_1', '/onboarding/acctlink_1', '/v1/checkout/sessions', '/test/webhooks']) {
      for (const method of ['GET', 'POST']) {
        expect([path, await send(provider.endpoint + path, host, { method })]).toEqual([path, 403]);
      }
    }
    const list = {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSQS.ListQueues', 'content-type': 'application/x-amz-json-1.0' },
      body: '{}',
    };
    expect(await send(queues.endpoint, host, list)).toBe(403);
    expect(await send(`${outbox.endpoint}/v2/email/outbound-emails`, host, { method: 'POST', body: '{}' })).toBe(400);
    expect(await send(`${store.endpoint}/bucket/key`, host)).toBe(403);
  });

  test('a file is not given out, although the key of the store is known', async () => {
    const read = async (host: string) => {
      const client = new S3Client({ endpoint: `http://${host}`, region: 'us-east-1', credentials, forcePathStyle: true });
      const url = new URL(await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'a' })));
      return send(`${store.endpoint}${url.pathname}${url.search}`, host);
    };
    expect(await read(`127.0.0.1:${portOf(store)}`)).toBe(404);
    expect(await read(`evil.example:${portOf(store)}`)).toBe(403);
  });

  test.each(ownNames)('as %s everything is', async (name) => {
    expect(await send(`${gateway.endpoint}/__local/outbox`, `${name}:${portOf(gateway)}`)).toBe(200);
    expect(await send(`${gateway.endpoint}/v1/admin/sellers`, `${name}:${portOf(gateway)}`, asUser)).toBe(200);
    expect(await send(provider.endpoint, `${name}:${portOf(provider)}`)).toBe(200);
    const list = {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSQS.ListQueues', 'content-type': 'application/x-amz-json-1.0' },
      body: '{}',
    };
    expect(await send(queues.endpoint, `${name}:${portOf(queues)}`, list)).toBe(200);
  });

  test('the name of PUBLIC_BASE_URL is one’s own, and what needs no header is answered under any', async () => {
    expect(await send(`${gateway.endpoint}/v1/admin/sellers`, 'shop.example:8443', asUser)).toBe(200);
    expect(await send(`${gateway.endpoint}/v1/admin/sellers`, 'shop.example', asUser)).toBe(403);
    expect(await send(`${gateway.endpoint}/healthz`, 'evil.example')).toBe(200);
  });
});
