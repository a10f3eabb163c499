import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { settingNames } from '../../../shared/config.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { newId } from '../../../shared/ids.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { type ServedFunction, secretValues, serveEveryFunction } from '../../support/http/every-function.ts';
import { createCaller, type RequestOptions } from '../../support/http/http-event.ts';
import { keyringOf } from '../../support/samples/licenses.ts';

const limits = settingNames.filter((name) => name.startsWith('RATE_LIMIT_')).map((name) => [name, '2']);
/** Only the CDN may call, which sends one of these. */
const [current, next] = ['the-present-secret-of-the-cdn', 'the-next-secret-of-the-cdn'];
const secrets = {
  token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2VjcmV0',
  licenseKey: 'LIC1-7K3QD-00000-00000-00000-00000',
  fingerprint: 'secret-device',
  email: 'someone@example.com',
  address: '198.51.100.7',
};
const stranger = { 'X-User-ID': 'stranger', 'X-User-Email': secrets.email };
const admin = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };

const environment = { ...process.env };
const lines: string[] = [];
let place: TestTable;
let functions: ServedFunction[];

beforeAll(async () => {
  place = await createTestTable();
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  const origin = { ORIGIN_REQUIRED: 'true', ORIGIN_SECRET: `${next},${current}` };
  functions = await serveEveryFunction(place.tableName, { ...Object.fromEntries(limits), RATE_LIMIT_SELLER: '0', ...origin });
});
afterAll(() => {
  jest.restoreAllMocks();
  process.env = environment;
});
beforeEach(() => {
  lines.length = 0;
});

const refusals = () => lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request_refused');
const served = (name: string) => functions.find((one) => one.name === name)!;
const endpoints = () => functions.flatMap((of) => of.endpoints.map((endpoint) => ({ of, endpoint })));

/** Through the CDN, unless the headers say otherwise. */
function send(of: ServedFunction, method: string, path: string, { headers, ...options }: RequestOptions = {}, described = true) {
  const sent = { sourceIp: secrets.address, ...options, headers: { 'X-Origin-Secret': current, ...headers } };
  return createCaller(of.handler, of.routes, { described })(method, path.replace(/\{\w+\+?\}/g, 'x'), sent);
}

describe('where only the CDN may call', () => {
  /** Every route, OPTIONS and HEAD on its path, and a path that no route takes. */
  const requests = () =>
    functions.flatMap((of) => [
      ...of.endpoints.flatMap(({ method, path }) => [method, 'OPTIONS', 'HEAD'].map((each) => ({ of, method: each, path }))),
      { of, method: 'GET', path: '/nothing' },
    ]);

  test.each(['', 'a-guessed-secret-of-the-cdn'])(
    'every endpoint refuses a request with the secret %j, and nothing is written',
    async (secret) => {
      expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['licenses', 'health', 'payment-webhooks', 'pictures']));
      for (const { of, method, path } of requests()) {
        lines.length = 0;
        const reply = await send(of, method, path, { headers: { ...admin, 'X-Origin-Secret': secret }, body: {} }, false);
        expect({ method, path, status: reply.status }).toEqual({ method, path, status: 403 });
        const requestId = reply.headers['x-request-id'];
        if (path.startsWith('/v1/') && method !== 'HEAD')
          expect(reply.json).toEqual({ code: 'forbidden', message: expect.any(String), request_id: requestId });
        expect(refusals()).toMatchObject([{ code: 'forbidden', requestId, caller: expect.stringMatching(/^[\w-]{22}$/) }]);
        for (const known of [...secretValues, current, next, 'guessed']) expect(lines.join()).not.toContain(known);
      }
      expect(await readContents(place)).toEqual([]);
    },
  );

  test.each([current, next])('every endpoint takes what comes with a secret of the CDN: %s', async (secret) => {
    for (const { of, method, path } of requests().filter((request) => request.method !== 'HEAD')) {
      const reply = await send(of, method, path, { headers: { 'X-Origin-Secret': secret, ...admin } }, false);
      expect({ method, path, code: reply.json?.code }).not.toEqual({ method, path, code: 'forbidden' });
    }
  });
});

describe('the security log', () => {
  test('has a line for every refused credential: of whom, at which operation, with the reply’s code and id', async () => {
    const guarded = endpoints().filter(({ endpoint }) => endpoint.audience !== 'anyone');
    expect(guarded.length).toBeGreaterThan(20);
    for (const { of, endpoint } of guarded) {
      for (const headers of endpoint.audience === 'admin' ? [{}, stranger] : [{}]) {
        lines.length = 0;
        const { json, status } = await send(of, endpoint.method, endpoint.path, { headers });
        expect([401, 403]).toContain(status);
        expect(refusals()).toEqual([
          {
            at: expect.any(String),
            level: 'warn',
            message: 'request_refused',
            function: of.name,
            code: json.code,
            requestId: json.request_id,
            operation: endpoint.operationId,
            caller: expect.stringMatching(/^[\w-]{22}$/),
            ...('X-User-ID' in headers && { subject: 'stranger' }),
          },
        ]);
      }
    }
  });

  test('has a line for every token that does not open what it asks for', async () => {
    const headers = { ...stranger, 'X-User-ID': 'seller' };
    const addresses = { contact_email: secrets.email, support_email: secrets.email, site_url: 'https://shop.example' };
    await send(served('sellers'), 'POST', '/v1/sellers', { headers, body: { display_name: 'Shop', ...addresses } });
    const tokenOf = async (scope: string) => {
      const body = { name: 'CI', scopes: [scope], expires_in_days: 1 };
      return (await send(served('api-tokens'), 'POST', '/v1/api-tokens', { headers, body })).json;
    };
    const [reading, publishing] = [await tokenOf('releases:read'), await tokenOf('releases:publish')];
    for (const { of, endpoint } of endpoints().filter(({ endpoint }) => endpoint.audience === 'seller')) {
      lines.length = 0;
      const { id, token } = endpoint.tokenScopes?.includes('releases:read') ? publishing : reading;
      const { status } = await send(of, endpoint.method, endpoint.path, { headers: { ...stranger, Authorization: `Bearer ${token}` } });
      expect([endpoint.operationId, status]).toEqual([endpoint.operationId, 403]);
      expect(refusals()).toMatchObject([{ code: 'token_scope_insufficient', operation: endpoint.operationId, subject: `token:${id}` }]);
      expect(lines.join('')).not.toContain(token);
    }
  });

  test('has one for a missing and a wrong signature of a webhook, a completion token that is not ours, and one that is too old', async () => {
    const [past, future] = [new Date('2026-01-01T00:00:00.000Z'), new Date('2100-01-01')];
    const mint = (expiresAt: Date, keys: Keyring) => mintCompletionToken({ orderId: newId('order'), use: 'mail', expiresAt }, past, keys);
    const complete = (token: string) => ['purchases', '/v1/purchases/complete', { body: { token } }] as const;
    const wrong = { 'Payment-Signature': `t=1,v1=${'0'.repeat(64)}` };
    const attempts = [
      ...served('payment-webhooks').routes.flatMap(({ path }) => [
        [400, 'signature_missing', 'payment-webhooks', path, { body: {} }] as const,
        [400, 'signature_invalid', 'payment-webhooks', path, { body: {}, headers: wrong }] as const,
      ]),
      [403, 'completion_token_invalid', ...complete(await mint(future, keyringOf('other')))] as const,
      [403, 'completion_token_expired', ...complete(await mint(past, Keyring.parse(process.env['TOKEN_KEYS'] ?? '')))] as const,
    ];
    for (const [status, code, name, path, options] of attempts) {
      lines.length = 0;
      expect(await send(served(name), 'POST', path, { ...options, sourceIp: '198.51.100.8' })).toMatchObject({ status, json: { code } });
      expect(refusals()).toMatchObject([{ code, operation: expect.any(String), caller: expect.any(String) }]);
      expect(lines.join('')).not.toMatch(/eyJ[\w-]+\.|v1=/);
    }
  });

  test('has one for every limit that is passed, where one caller has one name in all functions', async () => {
    const limited = endpoints().filter(({ endpoint }) => endpoint.rateLimit);
    expect(new Set(limited.map(({ of }) => of.name)).size).toBeGreaterThanOrEqual(4);
    const names = new Set<string>();
    const expectLimit = async (
      of: ServedFunction,
      { method, path, operationId }: ServedFunction['endpoints'][number],
      options: RequestOptions,
    ) => {
      for (let attempt = 0; attempt < 3; attempt += 1) await send(of, method, path, options);
      expect(refusals().at(-1)).toMatchObject({ code: 'rate_limited', operation: operationId, caller: expect.any(String) });
      names.add(refusals().at(-1).caller);
    };
    for (const { of, endpoint } of limited) await expectLimit(of, endpoint, { headers: endpoint.audience === 'anyone' ? {} : admin });
    const body = { product_id: 'prd_x', license_key: secrets.licenseKey, device_fingerprint: secrets.fingerprint };
    for (const endpoint of served('licenses').endpoints.filter(({ method }) => method === 'POST')) {
      await expectLimit(served('licenses'), endpoint, { body });
    }
    const guarded = endpoints().find(({ endpoint }) => endpoint.audience === 'seller')!;
    await send(guarded.of, guarded.endpoint.method, guarded.endpoint.path);
    names.add(refusals().at(-1).caller);
    expect(names.size).toBe(1);
    expect(lines.join('')).not.toMatch(/7K3QD|secret-device/);
  });

  test('has none for what is not found, malformed or answered', async () => {
    for (const [name, method, path, options] of [
      ['pages', 'GET', '/nowhere', {}],
      ['storefront', 'GET', '/v1/public/products/none', {}],
      ['orders', 'GET', '/v1/orders', { headers: stranger }],
      ['sellers', 'GET', '/v1/sellers/me', { headers: stranger }],
      ['products', 'POST', '/v1/products', { headers: stranger, body: '{' }],
      ['purchases', 'POST', '/v1/purchases/complete', { body: {} }],
      ['licenses', 'POST', '/v1/licenses/validate', { body: { product_id: 'prd_y', license_key: 'NONE' } }],
    ] as const) {
      const { status } = await send(served(name), method, path, { ...options, sourceIp: '198.51.100.10' });
      expect([path, refusals(), status < 500]).toEqual([path, [], true]);
    }
  });

  test('holds nothing secret', async () => {
    const bearer = { Authorization: `Bearer ${secrets.token}` };
    const others = { ...bearer, ...stranger, 'Payment-Signature': 't=1,v1=secret-signature' };
    const device = { license_key: secrets.licenseKey, device_fingerprint: secrets.fingerprint, product_id: 'prd_z' };
    const body = { token: secrets.token, buyer_email: secrets.email, ...device };
    for (const { of, endpoint } of endpoints()) {
      const headers = endpoint.audience === 'seller' ? bearer : others;
      for (let attempt = 0; attempt < 3; attempt += 1) await send(of, endpoint.method, endpoint.path, { headers, body }, false);
    }
    const text = lines.join('');
    expect(refusals().length).toBeGreaterThan(30);
    for (const secret of [...Object.values(secrets), ...secretValues, current, 'secret-signature']) expect(text).not.toContain(secret);
  });
});
