import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSqs } from '../../../infra/local/engines/queue-engine.ts';
import type { SettingName } from '../../../shared/config.ts';
import type { Table } from '../../../shared/db/table.ts';
import { AppError } from '../../../shared/errors.ts';
import { mail, sender, signedSender } from '../../../shared/function-parts.ts';
import { createMemoryRateLimit, type LimitName } from '../../../shared/http/rate-limit.ts';
import { limitWrites } from '../../../shared/http/seller-writes.ts';
import { newId } from '../../../shared/ids.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { queueOfJob, queueSettings } from '../../../shared/queue/messages.ts';
import { startIssuer } from '../../support/engines/token-issuer.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { httpFunctions } from '../../support/http/service.ts';
import { sampleTasks } from '../../support/samples/job-tasks.ts';
import { sign } from '../../support/samples/provider-events.ts';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { startRecorder } from '../../support/scenes/deployment.ts';
import {
  type Market,
  type Marketplace,
  openMarketplace,
  rateLimits,
  startMarket,
  webhookSecrets,
} from '../../support/scenes/marketplace.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';

let market: Market;
let scene: Marketplace;
const [platform, connect, next] = [webhookSecrets.platform, webhookSecrets.connect, 'whsec_next_platform'];
const issuer = await startIssuer();
beforeAll(async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1' });
  market = await startMarket();
  await issuer.addKey('key-1');
  scene = await openMarketplace(market, {
    PAYMENT_WEBHOOK_SECRET: `${next},${platform}`,
    PUBLIC_BASE_URL: 'https://own.example',
    CURRENCIES: 'USD,EUR',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'our-client',
    ORIGIN_SECRET: 'known',
    RATE_LIMIT_HEALTH: '1',
    RATE_LIMIT_QUOTE: '1',
  });
});
afterAll(() => Promise.all([market.stop(), issuer.stop()]));

const asOwner = { 'X-User-ID': 'alice' };

test.each([
  ['/v1/payment/webhook', [200, 200, 400]],
  ['/v1/payment/connect/webhook', [400, 400, 200]],
])('%s takes what is signed with its own secrets, each of them', async (path, statuses) => {
  const seen = [];
  for (const secret of [next, platform, connect]) {
    const body = JSON.stringify({ id: newId('audit'), type: 'something.else' });
    const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, secret, Date.parse(scene.at)) };
    seen.push((await scene.call('POST', path, { body, headers })).status);
  }
  expect(seen).toEqual(statuses);
});

test('users are whom the issuer names, to our audience', async () => {
  const statusOf = async (aud: string) => {
    const headers = { Authorization: `Bearer ${await issuer.sign('key-1', { sub: 'alice', aud })}` };
    return (await scene.call('GET', '/v1/orders', { headers })).status;
  };
  expect([await statusOf('our-client'), await statusOf('another-client')]).toEqual([200, 401]);
});

test('products are made and changed in the currencies that are sold', async () => {
  const { product } = scene.own;
  const statuses = async (currency: string) => {
    const body = { ...productRequest, price_amount: 4800, currency };
    const made = await scene.call('POST', '/v1/products', { headers: asOwner, body: { ...body, name: `In ${currency}` } });
    const options = { headers: asOwner, body: { ...body, name: product.name } };
    return [made.status, (await scene.call('PATCH', `/v1/products/${product.id}`, options)).status];
  };
  expect([await statuses('EUR'), await statuses('JPY')]).toEqual([
    [201, 200],
    [400, 400],
  ]);
});

test('no events are asked for at the service itself', async () => {
  const change = (url: string) =>
    scene.call('PATCH', `/v1/webhook-endpoints/${scene.own.endpoint.id}`, { headers: asOwner, body: { url } });
  expect((await change('https://own.example/hook')).status).toBe(400);
  expect((await change('https://other.example/hook')).status).toBe(200);
});

test.each([
  ['alice', undefined, ['/onboarding/return?link=used', '/onboarding/return']],
  ['bob', 'console', ['/console/seller', '/console/seller?returned']],
])('sellers come back from onboarding to the service: %s, with the console %s', async (userId, CONSOLE_CLIENT_ID, paths) => {
  const asked = await startRecorder(async () =>
    Response.json({ error: { type: 'invalid_request_error', message: 'No.' } }, { status: 400 }),
  );
  const sellers = httpFunctions.find(({ name }) => name === 'sellers')!;
  const provider = createStripeClient({ secretKey: 'sk_test_x', apiBase: asked.endpoint });
  const handler = scene.start(sellers, { provider, settings: { ...scene.settings, CONSOLE_CLIENT_ID } });
  await createCaller(handler, sellers.routes)('POST', '/v1/sellers/payment/account-link', { headers: { 'X-User-ID': userId } });
  const { refresh_url, return_url } = JSON.parse(asked.received[0]?.body ?? '{}').use_case.account_onboarding;
  expect([refresh_url, return_url]).toEqual(paths.map((path) => `https://own.example${path}`));
  await asked.stop();
});

describe('a limit', () => {
  test.each(rateLimits.filter((name) => name !== 'RATE_LIMIT_SELLER'))('has its own setting: %s', async (setting) => {
    const name = setting
      .slice('RATE_LIMIT_'.length)
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/download$/, (word) => (setting.includes('UPDATE') ? `${word}s` : word));
    const others: Partial<Record<SettingName, number>> = Object.fromEntries(rateLimits.map((other) => [other, 1]));
    const limit = createMemoryRateLimit({ settings: { ...others, [setting]: 2 }, now: () => new Date(0) });
    const ask = () => limit(name as LimitName, '192.0.2.1');
    await ask();
    await ask();
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test.each([
    [60, 10, 50],
    [13, 3, 10],
    [1, 1, 1],
  ])('of %d writes gives everybody %d, and approved sellers %d more', async (RATE_LIMIT_SELLER, everybody, more) => {
    const limit = createMemoryRateLimit({ settings: { RATE_LIMIT_SELLER }, now: () => new Date(0) });
    const spend = async (name: LimitName, count: number) => {
      for (let spent = 0; spent < count; spent += 1) await limit(name, 'user alice');
      await expect(limit(name, 'user alice')).rejects.toMatchObject({ code: 'rate_limited' });
    };
    await spend('writes', everybody);
    await spend('approved-writes', more);
  });

  let callers = 0;
  const newCaller = () => {
    callers += 1;
    return `198.18.0.${callers}`;
  };
  test.each([
    ['GET', '/healthz'],
    ['POST', '/v1/public/products/nothing/quote'],
    ['GET', '/p/nothing?code=ANY'],
  ])('counts whom the CDN names, if it is known by its secret: %s %s', async (method, target) => {
    const [cdn, one, other] = [newCaller(), newCaller(), newCaller()];
    const passes = async (viewer: string, secret: string) => {
      const headers = { 'X-Origin-Secret': secret, 'CloudFront-Viewer-Address': `${viewer}:443` };
      const path = target.replace('/p/nothing', `/p/${scene.own.product.slug}`);
      return (await scene.call(method, path, { headers, sourceIp: cdn })).status !== 429;
    };
    expect([await passes(one, 'known'), await passes(other, 'known'), await passes(one, 'known')]).toEqual([true, true, false]);
    expect([await passes(newCaller(), 'guessed'), await passes(newCaller(), 'guessed')]).toEqual([true, false]);
  });
});

test('what a user writes counts together: whichever endpoint, method and token; what an admin writes does not', async () => {
  const limited = await openMarketplace(market, { RATE_LIMIT_SELLER: '12' });
  limited.setTime(3600_000);
  const { product, order } = limited.own;
  const made = await limited.call('POST', '/v1/api-tokens', {
    headers: asOwner,
    body: { name: 'CI', scopes: ['releases:write'], expires_in_days: 1 },
  });
  const byToken = { Authorization: `Bearer ${made.json.token}` };
  const writes = [
    ['POST', '/v1/orders/search', asOwner],
    ['PATCH', `/v1/products/${product.id}`, asOwner],
    ['POST', `/v1/products/${product.id}/preview`, asOwner],
    ['POST', `/v1/products/${product.id}/releases`, byToken],
    ['POST', `/v1/products/${product.id}/test-keys`, asOwner],
    ['POST', `/v1/products/${product.id}/discounts/nothing/end`, asOwner],
    ['POST', '/v1/webhook-endpoints', asOwner],
    ['POST', `/v1/products/${product.id}/files/nothing/parts`, byToken],
    ['POST', `/v1/products/${product.id}/code-batches`, asOwner],
    ['PATCH', '/v1/sellers/me', asOwner],
    ['POST', `/v1/orders/${order.id}/resend-link`, asOwner],
  ] as const;
  const isTaken = async (method: string, path: string, headers: Record<string, string>) => {
    const { status, headers: sent } = await limited.call(method, path, { headers, body: {} });
    return status === 429 ? sent['retry-after'] : true;
  };
  const [asAdmin, asOther, asNobody, asApplicant] = ['admin', 'bob', 'nobody', 'applicant'].map((id) => ({
    'X-User-ID': id,
    'X-User-Email': `${id}@example.com`,
  }));
  for (const [method, path, headers] of writes) expect([path, await isTaken(method, path, headers)]).toEqual([path, true]);
  // The twelfth was the last; each of ten more comes back in 6 s.
  for (const [method, path, headers] of writes) expect([path, await isTaken(method, path, headers)]).toEqual([path, '6']);
  expect(await isTaken('GET', '/v1/products', asOwner)).toBe(true);
  expect(await isTaken('POST', '/v1/orders/search', asOther!)).toBe(true);
  for (let written = 0; written < 13; written += 1) expect(await isTaken('POST', '/v1/admin/orders/search', asAdmin!)).toBe(true);
  const site = { support_email: 'help@example.com', site_url: 'https://example.com' };
  const application = { display_name: 'Harbour', contact_email: 'owner@example.com', ...site };
  expect((await limited.call('POST', '/v1/sellers', { headers: asApplicant!, body: application })).status).toBe(201);
  expect(await isTaken('POST', '/v1/products', asApplicant!)).toBe(true);
  const ofNobody = [];
  for (let written = 0; written < 3; written += 1) ofNobody.push(await isTaken('POST', '/v1/products', asNobody!));
  expect([ofNobody, await isTaken('POST', '/v1/products', asApplicant!)]).toEqual([[true, true, '30'], '30']);
});

test('a write costs one request to the table more, and three beyond what everybody has', async () => {
  const limited = await openMarketplace(market, { RATE_LIMIT_SELLER: '6' });
  limited.setTime(3600_000);
  const costs = [];
  for (let written = 0; written < 2; written += 1) {
    limited.takeRequestCounts();
    await limited.call('POST', '/v1/orders/search', { headers: asOwner, body: {} });
    costs.push(limited.takeRequestCounts());
  }
  expect(costs).toEqual([{ UpdateItem: 1 }, { GetItem: 2, UpdateItem: 1 }]);
});

test('a write that cannot be counted is refused as such, whoever makes it', async () => {
  const limitRate = async () => {
    throw new AppError('dependency_unavailable');
  };
  await expect(limitWrites({ table: {} as Table, limitRate }, 'alice')).rejects.toMatchObject({ code: 'dependency_unavailable' });
});

describe('what functions reach outside by', () => {
  test.each([
    ['sender', sender],
    ['signedSender', signedSender],
  ])('%s brings each kind of job to the queue of its setting', async (_, part) => {
    const engine = await startSqs();
    process.env['AWS_ENDPOINT_URL_SQS'] = engine.endpoint;
    const sqs = new SQSClient({ endpoint: engine.endpoint });
    const urls = queueSettings.map((name) => [name, `${engine.endpoint}/000000000000/${name}`] as const);
    for (const [QueueName] of urls) await sqs.send(new CreateQueueCommand({ QueueName }));
    const { sendJobOrFail } = part({ settings: Object.fromEntries(urls), logger: silentLogger }).sender;
    for (const task of sampleTasks) await sendJobOrFail(task);
    for (const [name, QueueUrl] of urls) {
      const expected = sampleTasks.map(({ kind }) => kind).filter((kind) => queueOfJob[kind] === name);
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      const kinds = Messages.map(({ Body = '' }) => JSON.parse(Body).jobId.split(':')[0]);
      expect(kinds.sort()).toEqual(expected.sort());
    }
    sqs.destroy();
    await engine.stop();
  });

  test('mails have the address and the configuration set that are set', async () => {
    const service = await startRecorder(async ({ method }) =>
      Response.json(method === 'GET' ? { SendQuota: { MaxSendRate: 500 } } : { MessageId: 'm' }),
    );
    process.env['AWS_ENDPOINT_URL_SESV2'] = service.endpoint;
    const { send } = mail({ settings: { MAIL_FROM: 'shop@example.org', MAIL_CONFIGURATION_SET: 'others' }, logger: silentLogger });
    await send({ to: 'a@example.com', reference: 'r', subject: 'S', text: 'T', html: '<p>T</p>', senderName: 'Shop' });
    const sent = JSON.parse(service.received.at(-1)?.body ?? '{}');
    expect(sent).toMatchObject({ FromEmailAddress: expect.stringContaining('<shop@example.org>'), ConfigurationSetName: 'others' });
    await service.stop();
  });
});
