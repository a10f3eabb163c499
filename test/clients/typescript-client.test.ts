import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Code, messages, type Status } from '../../infra/documents/clients/license-client.ts';
import { languages } from '../../infra/documents/site/languages.ts';
import { runtimeCodes } from '../../shared/licenses/runtime-license.ts';
import { tries } from '../support/depth.ts';
import { createDevice, licenseKey } from './device.ts';
import { day, json, now, productId, type Reply, startScriptedService } from './scripted-service.ts';

const service = await startScriptedService();
const device = createDevice(service);
const { activated, createClient, script, state } = device;
beforeEach(device.reset);
afterAll(() => service.stop());

const no = (code: string) => json(200, { valid: false, code });
const hang: Reply = () => undefined;

describe('the request', () => {
  test('says what the service asks for, and the key as it was typed', async () => {
    script(service.valid());
    await createClient({ baseUrl: `${service.baseUrl}//`, deviceLabel: 'Studio', appVersion: '1.2' }).activate(' lic1 é-O ');
    const { nonce, device_fingerprint, ...rest } = service.requests[0]!;
    expect(rest).toEqual({
      path: 'POST /v1/licenses/activate',
      product_id: productId,
      license_key: ' lic1 é-O ',
      device_label: 'Studio',
      app_version: '1.2',
    });
    expect(nonce).toMatch(/^[\w-]{22}$/);
    expect(device_fingerprint).toMatch(/^[\w-]{22}$/);
  });

  test('has a nonce of its own each time, the same fingerprint for good, and no nonce to deactivate', async () => {
    const client = await activated();
    script(service.valid('valid'), service.valid('valid'), no('deactivated'));
    await client.check();
    await createClient().check();
    await client.deactivate();
    const [one, two, three] = service.requests;
    expect(one!['nonce']).not.toBe(two!['nonce']);
    expect(three).toEqual({
      path: 'POST /v1/licenses/deactivate',
      product_id: productId,
      license_key: licenseKey,
      device_fingerprint: one!['device_fingerprint'],
    });
    expect(two!['device_fingerprint']).toBe(one!['device_fingerprint']);
  });

  test('is first sent when the fingerprint is stored', async () => {
    let stored: unknown;
    script(async (request, response) => {
      stored = state().fingerprint === request['device_fingerprint'];
      await service.valid()(request, response);
    });
    await createClient().activate(licenseKey);
    expect(stored).toBe(true);
  });

  test('is not sent when the fingerprint cannot be stored', async () => {
    const storage = { load: async () => undefined, save: async () => Promise.reject(new Error('The disk is full.')) };
    expect(await createClient({ storage }).activate(licenseKey)).toMatchObject({ allowed: false, code: 'not_stored', source: 'none' });
    await expect(createClient({ storage }).makeRequestCode()).rejects.toThrow('cannot be stored');
    expect(service.requests).toEqual([]);
  });
});

describe('another attempt', () => {
  const lost: Reply = (_, response) => void response.destroy();
  const halfWay: Reply = (_, response) => {
    response.writeHead(200);
    response.write('{"valid":true,');
  };
  const ofLength = (length: number) => json(200, JSON.stringify({ valid: true, code: 'activated' }).padEnd(length, ' '));
  test.each<[string, Reply]>([
    ['a lost connection', lost],
    ['no reply in time', hang],
    ['a reply that stops half-way', halfWay],
    ['500', json(500, { code: 'internal_error' })],
    ['503', json(503, { valid: true, code: 'activated' })],
    ['429', json(429, { code: 'rate_limited' })],
    ['HTML with 200', json(200, '<html>Welcome to our hotel', { 'content-type': 'text/html' })],
    ['JSON without valid', json(200, { code: 'activated' })],
    ['a valid that is no boolean', json(200, { valid: 'true', code: 'activated' })],
    ['a code that is no text', json(200, { valid: true, code: 1 })],
    ['an array', json(200, [{ valid: true, code: 'activated' }])],
    ['a refusal without a code', json(400, {})],
    ['404', json(404, { valid: true, code: 'route_not_found' })],
    ['201', json(201, { valid: true, code: 'activated' })],
    ['1 MB', json(200, { valid: true, code: 'activated', more: 'x'.repeat(1_000_000) })],
    ['a byte more than 128 KiB', ofLength(131_073)],
  ])('follows %s, three in all', async (_, reply) => {
    script(reply, reply, reply, service.valid());
    const timeout = reply === hang || reply === halfWay ? 0.5 : 10;
    expect(await createClient({ timeout }).activate(licenseKey)).toMatchObject({ allowed: false, code: 'unreachable', source: 'none' });
    expect(service.requests).toHaveLength(3);
    expect(device.waits).toHaveLength(2);
    for (const [index, seconds] of device.waits.entries()) {
      expect(seconds).toBeGreaterThanOrEqual(0.5 * 2 ** index);
      expect(seconds).toBeLessThan(2 ** index);
    }
  });

  test('reads a reply of 128 KiB', async () => {
    script(ofLength(131_072));
    expect(await createClient().activate(licenseKey)).toMatchObject({ allowed: true });
  });

  test('gets the answer at last', async () => {
    script(json(500, {}), hang, service.valid());
    expect(await createClient({ timeout: 2 }).activate(licenseKey)).toMatchObject({ allowed: true, code: 'activated', source: 'service' });
  });

  test('waits as long as it is told, up to five seconds', async () => {
    script(json(429, '<html>', { 'retry-after': '5' }), json(503, {}, { 'retry-after': '0' }), service.valid());
    expect(await createClient().activate(licenseKey)).toMatchObject({ allowed: true });
    expect(device.waits).toEqual([5, 0]);
  });

  test('is not made when it is told to wait longer', async () => {
    script(json(429, {}, { 'retry-after': '6' }));
    expect(await createClient().activate(licenseKey)).toMatchObject({ code: 'unreachable' });
    expect([service.requests.length, device.waits]).toEqual([1, []]);
  });

  test.each([400, 403, 409])('is not made after a refusal with %i', async (status) => {
    script(json(status, { code: 'invalid_request' }));
    expect(await createClient().activate(licenseKey)).toMatchObject({
      allowed: false,
      code: 'request_refused',
      message: messages['request_refused'],
    });
    expect(service.requests).toHaveLength(1);
  });

  test('never goes where a redirect leads', async () => {
    let asked = 0;
    const elsewhere = createServer((_, response) => {
      asked += 1;
      response.end(JSON.stringify({ valid: true, code: 'activated' }));
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    for (const status of [301, 307, 308]) script(json(status, { valid: true, code: 'activated' }, { location }));
    expect(await createClient().activate(licenseKey)).toMatchObject({ allowed: false, code: 'unreachable' });
    expect(asked).toBe(0);
    await new Promise((resolve) => elsewhere.close(resolve));
  });
});

describe('activate', () => {
  test('keeps the key and the lease, for the user alone to read', async () => {
    script(service.valid('activated', { exp: now + day }));
    expect(await createClient().activate(licenseKey)).toEqual({
      allowed: true,
      code: 'activated',
      source: 'service',
      message: 'This device is now activated.',
      until: now + day,
      features: ['export'],
      askOnline: false,
    });
    expect(state()).toEqual({ fingerprint: expect.any(String), license_key: licenseKey, lease: expect.any(String), latest_seen: now });
    expect(statSync(device.path).mode & 0o777).toBe(0o600);
  });

  test('says which codes are unknown to it in words that it has', async () => {
    script(json(200, { valid: true, code: 'new_yes' }), no('new_no'), no('__proto__'));
    expect(await createClient().activate(licenseKey)).toMatchObject({ code: 'new_yes', message: messages['valid'] });
    expect(await createClient().activate(licenseKey)).toMatchObject({ code: 'new_no', message: messages['request_refused'] });
    expect(await createClient().activate(licenseKey)).toMatchObject({ code: '__proto__', message: messages['request_refused'] });
  });

  test('a no for the key that is kept drops its lease, and one for another key does not stop the license', async () => {
    const client = await activated();
    script(no('license_not_found'), no('license_revoked'));
    expect(await client.activate('other')).toMatchObject({ allowed: true, code: 'license_not_found', source: 'lease' });
    expect(await client.checkOffline()).toMatchObject({ allowed: true });
    expect(await client.activate(licenseKey)).toMatchObject({ allowed: false, code: 'license_revoked' });
    expect(await client.checkOffline()).toMatchObject({ allowed: false, code: 'license_revoked', source: 'none' });
    expect(state()).toMatchObject({ license_key: licenseKey });
  });

  test('says that every seat is taken, and keeps no key', async () => {
    script(json(409, { code: 'activation_limit_exceeded' }));
    expect(await createClient().activate(licenseKey)).toMatchObject({
      allowed: false,
      code: 'activation_limit_exceeded',
      source: 'service',
    });
    expect(state()).not.toHaveProperty('license_key');
  });

  test('goes on by the lease when the request is refused, or lost', async () => {
    const client = await activated();
    script(json(400, { code: 'invalid_request' }));
    expect(await client.activate(licenseKey)).toMatchObject({
      allowed: true,
      code: 'request_refused',
      source: 'lease',
      until: now + 14 * day,
    });
    expect(await client.activate(licenseKey)).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease', askOnline: true });
  });
});

describe('check', () => {
  test('asks nothing while there is no key', async () => {
    expect(await createClient().check()).toMatchObject({ allowed: false, code: 'no_license', source: 'none', askOnline: false });
    expect(service.requests).toEqual([]);
  });

  test('keeps the new lease', async () => {
    const client = await activated();
    script(service.valid('valid', { iat: now + day, exp: now + 15 * day }));
    expect(await client.check()).toMatchObject({ allowed: true, code: 'valid', source: 'service', until: now + 15 * day });
    expect(service.requests[0]).toMatchObject({ path: 'POST /v1/licenses/validate', license_key: licenseKey });
  });

  test('keeps the old lease when it ends later', async () => {
    const client = await activated({}, { kind: 'offline', exp: now + 366 * day });
    script(service.valid('valid', { exp: now + 14 * day }));
    expect(await client.check()).toMatchObject({ until: now + 366 * day });
    expect(await client.checkOffline()).toMatchObject({ until: now + 366 * day });
  });

  test('replaces a kept lease that does not verify, whatever end it claims', async () => {
    const client = await activated();
    writeFileSync(device.path, JSON.stringify({ ...state(), lease: await service.lease('another device', { exp: now + 999 * day }) }));
    script(service.valid('valid'));
    expect(await client.check()).toMatchObject({ until: now + 14 * day });
  });

  test('takes the seat again that was freed elsewhere', async () => {
    const client = await activated({ requireLease: true });
    script(json(200, { valid: true, code: 'valid', device_activated: false }), service.valid('activated'));
    expect(await client.check()).toMatchObject({ allowed: true, code: 'activated' });
    expect(service.requests.map((request) => request.path)).toEqual(['POST /v1/licenses/validate', 'POST /v1/licenses/activate']);
  });

  test('a no ends it, offline too, and keeps the key so that a later yes is heard', async () => {
    const client = await activated();
    script(no('license_disputed'));
    expect(await client.check()).toMatchObject({ allowed: false, code: 'license_disputed', source: 'service' });
    expect(await client.check()).toMatchObject({ allowed: false, code: 'license_disputed', source: 'none', askOnline: true });
    script(service.valid('valid'));
    expect(await client.check()).toMatchObject({ allowed: true, code: 'valid' });
  });

  test.each<[string, Reply]>([
    ['a refusal', json(403, { code: 'forbidden' })],
    ['a limit of rate', json(429, {}, { 'retry-after': '60' })],
  ])('goes on by the lease after %s, and ends with it', async (_, reply) => {
    const client = await activated();
    device.clock = now + 14 * day - 1;
    script(reply, reply);
    expect(await client.check()).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease', until: now + 14 * day });
    device.clock += 1;
    expect(await client.check()).toMatchObject({ allowed: false, code: 'lease_expired', until: now + 14 * day });
  });
});

describe('watch', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** A look at the clock, which has gone on by so many seconds. */
  async function watching() {
    let look: () => unknown = () => undefined;
    const begin = jest.spyOn(globalThis, 'setInterval').mockImplementation((callback) => {
      look = callback;
      return Object('timer');
    });
    const end = jest.spyOn(globalThis, 'clearInterval').mockImplementation(() => undefined);
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const shown: Status[] = [];
    const stop = (await activated()).watch((status) => shown.push(status));
    expect(begin).toHaveBeenCalledWith(expect.any(Function), 60_000);
    const wake = async (seconds: number) => {
      device.clock += seconds;
      await look();
      return shown.splice(0);
    };
    return { wake, stop, end };
  }

  test('checks once a day, when the device woke up, and each hour while there is no answer', async () => {
    const { wake } = await watching();
    for (let seconds = 60; seconds < day; seconds += 60) expect(await wake(60)).toEqual([]);
    script(service.valid('valid'), json(503, {}, { 'retry-after': '60' }), json(503, {}, { 'retry-after': '60' }), service.valid('valid'));
    expect(await wake(60)).toMatchObject([{ code: 'valid' }]);
    expect(await wake(299)).toEqual([]);
    expect(await wake(3_000)).toMatchObject([{ code: 'lease_valid' }]);
    for (let seconds = 60; seconds < 3_600; seconds += 60) expect(await wake(60)).toEqual([]);
    expect(await wake(60)).toMatchObject([{ code: 'lease_valid' }]);
    expect(await wake(-300)).toEqual([]);
    expect(await wake(-301)).toMatchObject([{ code: 'valid' }]);
  });

  test('says nothing any more once it was stopped', async () => {
    const { wake, stop, end } = await watching();
    script(service.valid('valid'));
    const late = wake(2 * day);
    stop();
    expect(await late).toEqual([]);
    expect(end).toHaveBeenCalledTimes(1);
  });
});

describe('a lease that came with an answer', () => {
  test.each<[string, () => Reply]>([
    ['signed by someone else', () => service.forged()],
    ['with another nonce', () => service.valid('valid', { nonce: 'replayed' })],
    ['without a nonce', () => service.valid('valid', { nonce: undefined })],
    ['of another issuer', () => service.valid('valid', { iss: `${service.baseUrl}/` })],
    ['of another product', () => service.valid('valid', { aud: 'prd_other' })],
    ['of another device', () => service.valid('valid', { dev: 'AAAA' })],
  ])('%s is not kept', async (_, reply) => {
    script(reply());
    const client = createClient();
    expect(await client.activate(licenseKey)).toMatchObject({ allowed: true, source: 'service', until: undefined });
    expect(state()).not.toHaveProperty('lease');
    expect(await client.checkOffline()).toMatchObject({ allowed: false, code: 'unreachable' });
  });

  test('is needed where the app says so: a yes alone is nothing then', async () => {
    const client = createClient({ requireLease: true });
    script(service.forged(), service.valid());
    expect(await client.activate(licenseKey)).toMatchObject({ allowed: false, code: 'unreachable', source: 'none' });
    expect(state()).not.toHaveProperty('license_key');
    expect(await client.activate(licenseKey)).toMatchObject({ allowed: true, source: 'service' });
    script(service.forged());
    expect(await client.check()).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease' });
  });

  test('is kept though the clock of the device is far off', async () => {
    device.clock = now + 1_000 * day;
    expect(await (await activated()).checkOffline()).toMatchObject({ code: 'lease_expired' });
    device.clock = now - 1_000 * day;
    expect(await (await activated()).checkOffline()).toMatchObject({ allowed: true, code: 'clock_set_back' });
  });
});

test('any reply at all is survived, and allows nothing without a true valid', async () => {
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({ valid: fc.jsonValue(), code: fc.jsonValue(), lease: fc.string() }).map((value) => JSON.stringify(value)),
  );
  const reply = fc.tuple(fc.constantFrom(200, 200, 204, 400, 403, 409, 418, 429, 500), body, fc.constantFrom('', '0', '-1', 'x', '1e1'));
  await fc.assert(
    fc.asyncProperty(reply, async ([status, text, retryAfter]) => {
      service.replies.length = 0;
      script(...[1, 2, 3].map(() => json(status, status === 204 ? '' : text, retryAfter ? { 'retry-after': retryAfter } : {})));
      const { allowed, message } = await createClient().activate(licenseKey);
      expect(message).not.toBe('');
      if (allowed) expect([status, JSON.parse(text)]).toMatchObject([200, { valid: true }]);
    }),
    { numRuns: tries(100) },
  );
});

test('every code of the service has a sentence for the user', () => {
  const codes: readonly Code[] = [...runtimeCodes, 'activation_limit_exceeded', 'deactivation_not_allowed'];
  for (const code of codes) expect(messages[code]).toMatch(/^[A-Z].*\.$/);
});

test('what the guide shows is taken by a strict compiler, with its types', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strict-app-'));
  const documents = join(import.meta.dirname, '../../infra/documents');
  cpSync(join(documents, 'clients/license-client.ts'), join(folder, 'license-client.ts'));
  cpSync(join(documents, 'samples/receiver.ts'), join(folder, 'receiver.ts'));
  const { files } = languages.find(({ name }) => name === 'TypeScript')!;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'jwks.json'), '{"keys":[{"kid":"","x":"","y":""}]}');
  const codes = 'const status = await client.checkOffline();\nconst known: boolean = status.code';
  const imports = "import { LicenseClient } from './license-client.ts';\ndeclare const client: LicenseClient;\n";
  writeFileSync(join(folder, 'codes.ts'), `${imports}${codes} === 'no_license';\n`);
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  const compile = () => spawnSync('node_modules/.bin/tsc', ['-p', '.'], { cwd: folder, encoding: 'utf8' }).stdout;
  expect(compile()).toBe('');
  writeFileSync(join(folder, 'codes.ts'), `${imports}${codes} === 'no_licence';\n`);
  expect(compile()).toMatch(/^codes\.ts\(4,.*no overlap/);
  rmSync(folder, { recursive: true });
}, 60_000);
