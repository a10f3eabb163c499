import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { settingNames } from '../../../shared/config.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { newId } from '../../../shared/ids.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { type ServedFunction, secretValues, serveEveryFunction } from '../../support/http/every-function.ts';
import { createCaller, type RequestOptions, type TestReply } from '../../support/http/http-event.ts';
import { keyringOf } from '../../support/samples/licenses.ts';

const limits = settingNames.filter((name) => name.startsWith('RATE_LIMIT_')).map((name) => [name, '2']);
const document = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8'));
const secrets = {
  token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2VjcmV0',
  licenseKey: 'LIC1-7K3QD-00000-00000-00000-00000',
  fingerprint: 'secret-device',
  email: 'someone@example.com',
  address: '198.51.100.7',
};

describe('the security log', () => {
  const environment = { ...process.env };
  const lines: string[] = [];
  let functions: ServedFunction[];
  let refused: any[];

  beforeAll(async () => {
    const { tableName } = await createTestTable();
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(String(line));
      return true;
    });
    functions = await serveEveryFunction(tableName, Object.fromEntries(limits));
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

  async function send(of: ServedFunction, method: string, path: string, options: RequestOptions = {}): Promise<TestReply> {
    const target = path.replace(/\{\w+\+?\}/g, 'x');
    const reply = await createCaller(of.handler, of.routes)(method, target, { sourceIp: secrets.address, ...options });
    refused = refusals();
    return reply;
  }

  const endpoints = () => functions.flatMap((of) => of.endpoints.map((endpoint) => ({ of, endpoint })));
  const stranger = { 'X-User-ID': 'stranger', 'X-User-Email': secrets.email };
  const admin = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };

  test('has a line for every refused credential: of whom, at which operation, with the reply’s code and id', async () => {
    const guarded = endpoints().filter(({ endpoint }) => endpoint.audience !== 'anyone');
    expect(guarded.length).toBeGreaterThan(20);
    for (const { of, endpoint } of guarded) {
      for (const headers of endpoint.audience === 'admin' ? [{}, stranger] : [{}]) {
        lines.length = 0;
        const { json, status } = await send(of, endpoint.method, endpoint.path, { headers });
        expect([401, 403]).toContain(status);
        expect(refused).toEqual([
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
    const seller = { 'X-User-ID': 'seller', 'X-User-Email': secrets.email };
    const application = {
      display_name: 'Shop',
      contact_email: secrets.email,
      support_email: secrets.email,
      site_url: 'https://shop.example',
    };
    await send(served('sellers'), 'POST', '/v1/sellers', { headers: seller, body: application });
    const tokenOf = async (scope: string) =>
      (
        await send(served('api-tokens'), 'POST', '/v1/api-tokens', {
          headers: seller,
          body: { name: 'CI', scopes: [scope], expires_in_days: 1 },
        })
      ).json;
    const [reading, publishing] = [await tokenOf('releases:read'), await tokenOf('releases:publish')];
    for (const { of, endpoint } of endpoints().filter(({ endpoint }) => endpoint.audience === 'seller')) {
      lines.length = 0;
      const { id, token } = endpoint.tokenScope === 'releases:read' ? publishing : reading;
      const { status } = await send(of, endpoint.method, endpoint.path, { headers: { ...stranger, Authorization: `Bearer ${token}` } });
      expect([endpoint.operationId, status]).toEqual([endpoint.operationId, 403]);
      const told = { code: 'token_scope_insufficient', operation: endpoint.operationId, subject: `token:${id}` };
      expect(refused).toMatchObject([told]);
      expect(lines.join('')).not.toContain(token);
    }
  });

  test('has one for a missing and a wrong signature of a webhook', async () => {
    for (const { path } of served('payment-webhooks').routes) {
      const body = { id: 'evt_1', type: 'x' };
      const wrong = { 'Payment-Signature': `t=1,v1=${'0'.repeat(64)}` };
      for (const [headers, code] of [
        [{}, 'signature_missing'],
        [wrong, 'signature_invalid'],
      ] as const) {
        lines.length = 0;
        expect((await send(served('payment-webhooks'), 'POST', path, { headers, body })).status).toBe(400);
        expect(refused).toMatchObject([{ code, caller: expect.any(String) }]);
      }
    }
  });

  test('has one for a completion token that is not ours, and one that is too old', async () => {
    const tokenKeys = Keyring.parse(process.env['TOKEN_KEYS'] ?? '');
    const past = new Date('2026-01-01T00:00:00.000Z');
    const expired = { orderId: newId('order'), use: 'mail', expiresAt: past } as const;
    for (const [token, code] of [
      [await mintCompletionToken({ ...expired, expiresAt: new Date('2100-01-01') }, past, keyringOf('other')), 'completion_token_invalid'],
      [await mintCompletionToken(expired, past, tokenKeys), 'completion_token_expired'],
    ] as const) {
      lines.length = 0;
      const { status } = await send(served('purchases'), 'POST', '/v1/purchases/complete', { body: { token }, sourceIp: '198.51.100.8' });
      expect(status).toBe(403);
      expect(refused).toMatchObject([{ code, operation: 'completePurchase', caller: expect.any(String) }]);
      expect(lines.join('')).not.toContain(token.slice(0, 30));
    }
  });

  test('has one for every limit that is passed, where one caller has one name in all functions', async () => {
    const limited = endpoints().filter(({ endpoint }) => endpoint.rateLimit);
    expect(new Set(limited.map(({ of }) => of.name)).size).toBeGreaterThanOrEqual(4);
    const names = new Set<string>();
    for (const { of, endpoint } of limited) {
      const headers: Record<string, string> = endpoint.audience === 'anyone' ? {} : admin;
      for (let attempt = 0; attempt < 3; attempt += 1) await send(of, endpoint.method, endpoint.path, { headers });
      const line = refused.at(-1);
      expect([endpoint.operationId, line]).toEqual([
        endpoint.operationId,
        expect.objectContaining({ code: 'rate_limited', operation: endpoint.operationId, caller: expect.any(String) }),
      ]);
      names.add(line.caller);
    }
    const body = { product_id: 'prd_x', license_key: secrets.licenseKey, device_fingerprint: secrets.fingerprint };
    for (const { operationId, path } of served('licenses').endpoints.filter(({ method }) => method === 'POST')) {
      for (let attempt = 0; attempt < 3; attempt += 1) await send(served('licenses'), 'POST', path, { body });
      expect(refused.at(-1)).toMatchObject({ code: 'rate_limited', operation: operationId });
      names.add(refused.at(-1).caller);
    }
    const guarded = endpoints().find(({ endpoint }) => endpoint.audience === 'seller')!;
    await send(guarded.of, guarded.endpoint.method, guarded.endpoint.path);
    names.add(refused.at(-1).caller);
    expect(names.size).toBe(1);
    expect(lines.join('')).not.toMatch(/7K3QD|secret-device/);
  });

  test('names a subscriber, whichever of its addresses it uses, and no other so', async () => {
    const nameOf = async (sourceIp: string) => {
      lines.length = 0;
      await send(served('orders'), 'GET', '/v1/orders', { sourceIp });
      return refused[0].caller;
    };
    const own = await nameOf('2001:db8:1:2::1');
    expect(await nameOf('2001:db8:1:2:ffff::9')).toBe(own);
    expect(await nameOf('2001:db8:1:3::1')).not.toBe(own);
    expect(await nameOf('::ffff:192.0.2.1')).toBe(await nameOf('192.0.2.1'));
    expect(await nameOf('192.0.2.2')).not.toBe(await nameOf('192.0.2.1'));
  });

  test('has none for what is not found, malformed or answered', async () => {
    for (const [name, method, path, options] of [
      ['pages', 'GET', '/nowhere', {}],
      ['storefront', 'GET', '/v1/public/products/none', {}],
      ['orders', 'GET', '/v1/orders', { headers: stranger }],
      ['sellers', 'GET', '/v1/sellers/me', { headers: stranger }],
      ['products', 'POST', '/v1/products', { headers: stranger, body: '{' }],
      ['purchases', 'POST', '/v1/purchases/complete', { body: {}, sourceIp: '198.51.100.9' }],
      ['licenses', 'POST', '/v1/licenses/validate', { body: { product_id: 'prd_y', license_key: 'NONE' } }],
    ] as const) {
      const { status } = await send(served(name), method, path, options as RequestOptions);
      expect([path, refused, status < 500]).toEqual([path, [], true]);
    }
  });

  test('holds nothing secret', async () => {
    const headers = { Authorization: `Bearer ${secrets.token}`, ...stranger, 'Payment-Signature': 't=1,v1=secret-signature' };
    const body = {
      token: secrets.token,
      license_key: secrets.licenseKey,
      device_fingerprint: secrets.fingerprint,
      product_id: 'prd_z',
      buyer_email: secrets.email,
    };
    for (const { of, endpoint } of endpoints().filter(({ endpoint }) => document.paths[endpoint.path])) {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await createCaller(of.handler, of.routes, { described: false })(endpoint.method, endpoint.path.replace(/\{\w+\+?\}/g, 'x'), {
          headers: endpoint.audience === 'seller' ? { Authorization: headers.Authorization } : headers,
          body,
          sourceIp: secrets.address,
        });
      }
    }
    const text = lines.join('');
    expect(refusals().length).toBeGreaterThan(30);
    for (const secret of [...Object.values(secrets), ...secretValues, 'secret-signature']) expect(text).not.toContain(secret);
  });
});
