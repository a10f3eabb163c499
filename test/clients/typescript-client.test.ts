import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LicenseClient, type LicenseClientOptions, messages, type Status } from '../../infra/documents/clients/license-client.ts';
import { runtimeCodes } from '../../shared/licenses/runtime-license.ts';
import { tries } from '../support/depth.ts';
import { denoPath, runDriver } from './run-driver.ts';
import { day, json, keys, now, productId, type Reply, startScriptedService } from './scripted-service.ts';

const key = 'LIC1-AAAAA-BBBBB';
let service: Awaited<ReturnType<typeof startScriptedService>>;
let path: string;
let clock: number;
let waits: number[];

beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.stop());
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'license-client-')), 'app', 'license.json');
  clock = now;
  waits = [];
  service.replies.length = 0;
  service.requests.length = 0;
});

function createClient(changes: Partial<LicenseClientOptions> = {}): LicenseClient {
  const wait = async (seconds: number) => void waits.push(seconds);
  return new LicenseClient({ baseUrl: service.baseUrl, productId, keys, storage: path, clock: () => clock, wait, ...changes });
}
const state = () => JSON.parse(readFileSync(path, 'utf8'));
const script = (...replies: Reply[]) => void service.replies.push(...replies);
const no = (code: string) => json(200, { valid: false, code });
const hang: Reply = () => undefined;
/** A client that was activated, with a lease for fourteen days. */
async function activated(changes: Partial<LicenseClientOptions> = {}, claims = {}): Promise<LicenseClient> {
  const client = createClient(changes);
  script(service.valid('activated', claims));
  expect(await client.activate(key)).toMatchObject({ allowed: true, code: 'activated' });
  service.requests.length = 0;
  return client;
}

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
      license_key: key,
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
    await createClient().activate(key);
    expect(stored).toBe(true);
  });

  test('is not sent when the fingerprint cannot be stored', async () => {
    const storage = { load: async () => undefined, save: async () => Promise.reject(new Error('The disk is full.')) };
    await expect(createClient({ storage }).activate(key)).rejects.toThrow('cannot be stored');
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
    ['a byte more than 64 KiB', ofLength(65_537)],
  ])('follows %s, three in all', async (_, reply) => {
    script(reply, reply, reply, service.valid());
    const timeout = reply === hang || reply === halfWay ? 0.5 : 10;
    expect(await createClient({ timeout }).activate(key)).toMatchObject({ allowed: false, code: 'unreachable', source: 'none' });
    expect(service.requests).toHaveLength(3);
    expect(waits).toHaveLength(2);
    for (const [index, seconds] of waits.entries()) {
      expect(seconds).toBeGreaterThanOrEqual(0.5 * 2 ** index);
      expect(seconds).toBeLessThan(2 ** index);
    }
  });

  test('reads a reply of 64 KiB', async () => {
    script(ofLength(65_536));
    expect(await createClient().activate(key)).toMatchObject({ allowed: true });
  });

  test('gets the answer at last', async () => {
    script(json(500, {}), hang, service.valid());
    expect(await createClient({ timeout: 2 }).activate(key)).toMatchObject({ allowed: true, code: 'activated', source: 'service' });
  });

  test('waits as long as it is told, up to five seconds', async () => {
    script(json(429, '<html>', { 'retry-after': '5' }), json(503, {}, { 'retry-after': '0' }), service.valid());
    expect(await createClient().activate(key)).toMatchObject({ allowed: true });
    expect(waits).toEqual([5, 0]);
  });

  test('is not made when it is told to wait longer', async () => {
    script(json(429, {}, { 'retry-after': '6' }));
    expect(await createClient().activate(key)).toMatchObject({ code: 'unreachable' });
    expect([service.requests.length, waits]).toEqual([1, []]);
  });

  test.each([400, 403, 409])('is not made after a refusal with %i', async (status) => {
    script(json(status, { code: 'invalid_request' }));
    expect(await createClient().activate(key)).toMatchObject({
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
    expect(await createClient().activate(key)).toMatchObject({ allowed: false, code: 'unreachable' });
    expect(asked).toBe(0);
    await new Promise((resolve) => elsewhere.close(resolve));
  });
});

describe('activate', () => {
  test('keeps the key and the lease, for the user alone to read', async () => {
    script(service.valid('activated', { exp: now + day }));
    expect(await createClient().activate(key)).toEqual({
      allowed: true,
      code: 'activated',
      source: 'service',
      message: 'This device is now activated.',
      until: now + day,
      features: ['export'],
      askOnline: false,
    });
    expect(state()).toEqual({ fingerprint: expect.any(String), license_key: key, lease: expect.any(String), latest_seen: now });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('says which codes are unknown to it in words that it has', async () => {
    script(json(200, { valid: true, code: 'new_yes' }), no('new_no'), no('__proto__'));
    expect(await createClient().activate(key)).toMatchObject({ code: 'new_yes', message: messages['valid'] });
    expect(await createClient().activate(key)).toMatchObject({ code: 'new_no', message: messages['request_refused'] });
    expect(await createClient().activate(key)).toMatchObject({ code: '__proto__', message: messages['request_refused'] });
  });

  test('a no for the key that is kept drops its lease, and one for another key does not', async () => {
    const client = await activated();
    script(no('license_not_found'), no('license_revoked'));
    expect(await client.activate('other')).toMatchObject({ allowed: false, code: 'license_not_found', source: 'service', features: [] });
    expect(await client.checkOffline()).toMatchObject({ allowed: true });
    expect(await client.activate(key)).toMatchObject({ allowed: false, code: 'license_revoked' });
    expect(await client.checkOffline()).toMatchObject({ allowed: false, code: 'unreachable' });
    expect(state()).toMatchObject({ license_key: key });
  });

  test('says that every seat is taken, and keeps no key', async () => {
    script(json(409, { code: 'activation_limit_exceeded' }));
    expect(await createClient().activate(key)).toMatchObject({ allowed: false, code: 'activation_limit_exceeded', source: 'service' });
    expect(state()).not.toHaveProperty('license_key');
  });

  test('goes on by the lease when the request is refused, or lost', async () => {
    const client = await activated();
    script(json(400, { code: 'invalid_request' }));
    expect(await client.activate(key)).toMatchObject({ allowed: true, code: 'request_refused', source: 'lease', until: now + 14 * day });
    expect(await client.activate(key)).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease', askOnline: true });
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
    expect(service.requests[0]).toMatchObject({ path: 'POST /v1/licenses/validate', license_key: key });
  });

  test('keeps the old lease when it ends later', async () => {
    const client = await activated({}, { kind: 'offline', exp: now + 366 * day });
    script(service.valid('valid', { exp: now + 14 * day }));
    expect(await client.check()).toMatchObject({ until: now + 366 * day });
    expect(await client.checkOffline()).toMatchObject({ until: now + 366 * day });
  });

  test('replaces a kept lease that does not verify, whatever end it claims', async () => {
    const client = await activated();
    writeFileSync(path, JSON.stringify({ ...state(), lease: await service.lease('another device', { exp: now + 999 * day }) }));
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
    expect(await client.check()).toMatchObject({ allowed: false, code: 'unreachable', source: 'none', askOnline: true });
    script(service.valid('valid'));
    expect(await client.check()).toMatchObject({ allowed: true, code: 'valid' });
  });

  test.each<[string, Reply]>([
    ['a refusal', json(403, { code: 'forbidden' })],
    ['a limit of rate', json(429, {}, { 'retry-after': '60' })],
  ])('goes on by the lease after %s, and ends with it', async (_, reply) => {
    const client = await activated();
    clock = now + 14 * day - 1;
    script(reply, reply);
    expect(await client.check()).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease', until: now + 14 * day });
    clock += 1;
    expect(await client.check()).toMatchObject({ allowed: false, code: 'lease_expired', until: now + 14 * day });
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
    expect(await client.activate(key)).toMatchObject({ allowed: true, source: 'service', until: undefined });
    expect(state()).not.toHaveProperty('lease');
    expect(await client.checkOffline()).toMatchObject({ allowed: false, code: 'unreachable' });
  });

  test('is needed where the app says so: a yes alone is nothing then', async () => {
    const client = createClient({ requireLease: true });
    script(service.forged(), service.valid());
    expect(await client.activate(key)).toMatchObject({ allowed: false, code: 'unreachable', source: 'none' });
    expect(state()).not.toHaveProperty('license_key');
    expect(await client.activate(key)).toMatchObject({ allowed: true, source: 'service' });
    script(service.forged());
    expect(await client.check()).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease' });
  });

  test('is kept though the clock of the device is far off', async () => {
    clock = now + 1_000 * day;
    expect(await (await activated()).checkOffline()).toMatchObject({ code: 'lease_expired' });
    clock = now - 1_000 * day;
    expect(await (await activated()).checkOffline()).toMatchObject({ allowed: true, code: 'clock_set_back' });
  });
});

describe('offline', () => {
  const at = async (client: LicenseClient, time: number): Promise<Status> => {
    clock = time;
    return client.checkOffline();
  };

  test('the lease holds until the second of its end', async () => {
    const client = await activated();
    expect(await at(client, now + 14 * day - 1)).toEqual({
      allowed: true,
      code: 'lease_valid',
      source: 'lease',
      message: messages['lease_valid'],
      until: now + 14 * day,
      features: ['export'],
      askOnline: true,
    });
    expect(await at(client, now + 14 * day)).toMatchObject({
      allowed: false,
      code: 'lease_expired',
      source: 'lease',
      features: [],
      askOnline: true,
    });
    expect(service.requests).toEqual([]);
  });

  test('a clock set back by more than 300 seconds asks online, and locks nobody out', async () => {
    const client = await activated();
    expect(await at(client, now - 300)).toMatchObject({ allowed: true, code: 'lease_valid' });
    expect(await at(client, now - 301)).toMatchObject({ allowed: true, code: 'clock_set_back', source: 'lease', askOnline: true });
  });

  test('a clock set back does not bring an ended lease back', async () => {
    const client = await activated();
    await at(client, now + 20 * day);
    expect(await at(client, now + 1)).toMatchObject({ allowed: false, code: 'lease_expired' });
    expect(state()).toMatchObject({ latest_seen: now + 20 * day });
  });

  test('the signed time heals a clock that once ran ahead', async () => {
    const client = await activated();
    await at(client, now + 999 * day);
    clock = now + 60;
    script(service.valid('valid', { iat: now + 60 }));
    expect(await client.check()).toMatchObject({ allowed: true });
    expect(state()).toMatchObject({ latest_seen: now + 60 });
    expect(await client.checkOffline()).toMatchObject({ allowed: true, code: 'lease_valid' });
  });

  test('calls that fail extend nothing', async () => {
    const client = await activated();
    const { lease } = state();
    for (let passed = 1; passed < 14; passed += 1) {
      clock = now + passed * day;
      expect(await client.check()).toMatchObject({ allowed: true, until: now + 14 * day });
    }
    expect(state()).toMatchObject({ lease });
    clock = now + 14 * day;
    expect(await client.check()).toMatchObject({ allowed: false, code: 'lease_expired' });
  });

  test('a lease written into the state by hand is nothing unless it is signed for this device', async () => {
    const client = await activated();
    const { fingerprint } = state();
    const of = async (lease: string) => {
      writeFileSync(path, JSON.stringify({ fingerprint, lease }));
      return client.checkOffline();
    };
    expect(await of(await service.lease(fingerprint))).toMatchObject({ allowed: true, askOnline: false });
    expect(await of(await service.lease('another'))).toMatchObject({ allowed: false, code: 'no_license' });
    expect(await of(await service.lease(fingerprint, { aud: 'prd_other' }))).toMatchObject({ allowed: false, code: 'no_license' });
    expect(await of('x')).toMatchObject({ allowed: false, code: 'no_license' });
  });
});

describe('deactivate', () => {
  test('forgets key and lease, and keeps the fingerprint', async () => {
    const client = await activated();
    const { fingerprint } = state();
    script(json(200, { valid: true, code: 'deactivated' }));
    expect(await client.deactivate()).toMatchObject({
      allowed: false,
      code: 'deactivated',
      source: 'service',
      message: messages['deactivated'],
    });
    expect(state()).toEqual({ fingerprint, latest_seen: now });
    expect(await client.deactivate()).toMatchObject({ allowed: false, code: 'no_license' });
    expect(service.requests).toHaveLength(1);
  });

  test('keeps everything when it is refused, or nobody answers', async () => {
    const client = await activated();
    const before = state();
    script(json(400, { code: 'deactivation_not_allowed' }));
    expect(await client.deactivate()).toMatchObject({
      allowed: true,
      code: 'deactivation_not_allowed',
      source: 'lease',
      message: messages['deactivation_not_allowed'],
    });
    expect(await client.deactivate()).toMatchObject({ allowed: true, code: 'unreachable', source: 'lease' });
    expect(state()).toEqual(before);
  });
});

describe('a device without network', () => {
  const contentsOf = (code: string) => JSON.parse(Buffer.from(code.replace(/^LAR1\./, ''), 'base64url').toString());

  test('shows a request code, the same until its lease came', async () => {
    const client = createClient({ deviceLabel: 'Läb 1' });
    const code = await client.makeRequestCode();
    expect(code).toMatch(/^LAR1\.[\w-]+$/);
    const { fingerprint, nonce } = state();
    expect(contentsOf(code)).toEqual({ p: productId, d: fingerprint, l: 'Läb 1', n: nonce });
    expect(await createClient({ deviceLabel: 'Läb 1' }).makeRequestCode()).toBe(code);
    await client.importLease(await service.lease(fingerprint, { nonce }));
    expect(contentsOf(await client.makeRequestCode()).n).not.toBe(nonce);
    expect(contentsOf(await createClient().makeRequestCode())).not.toHaveProperty('l');
  });

  test('runs by the lease it is given, with white space around it, and asks for no network', async () => {
    const client = createClient();
    await client.makeRequestCode();
    const { fingerprint, nonce } = state();
    const lease = await service.lease(fingerprint, { nonce, exp: now + 366 * day, kind: 'offline' });
    expect(await client.importLease(`\r\n ${lease}\n`)).toMatchObject({
      allowed: true,
      code: 'lease_valid',
      until: now + 366 * day,
      askOnline: false,
    });
    expect(state()).toEqual({ fingerprint, lease, latest_seen: now });
    expect(await client.check()).toMatchObject({ allowed: true, code: 'lease_valid' });
    expect(service.requests).toEqual([]);
  });

  test('refuses a lease that answers another request, is for another device, or has ended, and keeps what it has', async () => {
    const client = createClient();
    await client.makeRequestCode();
    const before = state();
    const { fingerprint, nonce } = before;
    for (const lease of [
      '',
      'x',
      await service.lease(fingerprint, { nonce: 'old' }),
      await service.lease('other', { nonce }),
      await service.lease(fingerprint),
    ]) {
      expect(await client.importLease(lease)).toMatchObject({ allowed: false, code: 'lease_refused', message: messages['lease_refused'] });
    }
    expect(await client.importLease(await service.lease(fingerprint, { nonce, exp: now }))).toMatchObject({
      allowed: false,
      code: 'lease_expired',
    });
    expect(state()).toEqual({ ...before, latest_seen: now });
  });

  test('takes a lease that was signed ahead of its clock: it cannot ask whose is wrong', async () => {
    const client = createClient();
    await client.makeRequestCode();
    const { fingerprint, nonce } = state();
    const lease = await service.lease(fingerprint, { nonce, iat: now + 400 * day, exp: now + 500 * day });
    expect(await client.importLease(lease)).toMatchObject({ allowed: true, code: 'clock_set_back', askOnline: true });
    expect(state()).toMatchObject({ latest_seen: now + 400 * day });
  });

  test('does not lose a good lease to a bad file', async () => {
    const client = await activated();
    expect(await client.importLease('x')).toMatchObject({ allowed: true, code: 'lease_refused', source: 'lease' });
    expect(await client.checkOffline()).toMatchObject({ allowed: true, code: 'lease_valid' });
  });

  test('takes a lease without a request code of its own when it is for this device', async () => {
    const client = await activated();
    const lease = await service.lease(state().fingerprint, { nonce: 'of the page', exp: now + 30 * day });
    expect(await client.importLease(lease)).toMatchObject({ allowed: true, until: now + 30 * day, askOnline: true });
  });
});

describe('the state', () => {
  test.each(['', '{', 'null', '[]', '1', '{"fingerprint":1,"license_key":[],"lease":{},"nonce":2,"latest_seen":"x"}', '\0\0\0\0'])(
    '%j counts as none',
    async (text) => {
      await activated();
      writeFileSync(path, text);
      const client = createClient();
      expect(await client.check()).toMatchObject({ allowed: false, code: 'no_license' });
      script(service.valid());
      expect(await client.activate(key)).toMatchObject({ allowed: true });
      expect(state()).toMatchObject({ license_key: key });
    },
  );

  test('is whole or the old one when the app is killed before the new one is in its place', async () => {
    await activated();
    const before = readFileSync(path, 'utf8');
    const program = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      fs.promises.rename = () => process.kill(process.pid, 'SIGKILL');
      syncBuiltinESMExports();
      const { LicenseClient } = await import(${JSON.stringify(join(import.meta.dirname, '../../infra/documents/clients/license-client.ts'))});
      await new LicenseClient({ baseUrl: 'http://127.0.0.1:9', productId: 'p', keys: [], storage: ${JSON.stringify(path)}, clock: () => 3e9 }).checkOffline();`;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
    expect(signal).toBe('SIGKILL');
    expect(readdirSync(join(path, '..'))).toHaveLength(2);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(await createClient().checkOffline()).toMatchObject({ allowed: true });
  });

  test('a disk that takes nothing more does not stop an app that is activated', async () => {
    await activated();
    const text = readFileSync(path, 'utf8');
    const client = createClient({ storage: { load: async () => text, save: async () => Promise.reject(new Error('The disk is full.')) } });
    expect(await client.checkOffline()).toMatchObject({ allowed: true });
    script(service.valid('valid'));
    expect(await client.check()).toMatchObject({ allowed: true, code: 'valid' });
  });

  test('calls of one client do not undo each other', async () => {
    const client = createClient();
    await client.makeRequestCode();
    const { fingerprint, nonce } = state();
    const lease = await service.lease(fingerprint, { nonce });
    const calls = [client.importLease(lease), client.checkOffline(), client.makeRequestCode(), client.checkOffline()];
    await Promise.all(calls);
    expect(state()).toMatchObject({ fingerprint, lease });
  });

  test('two apps that write at once leave it whole', async () => {
    const { LICENSE_STATE, ...settings } = {
      LICENSE_BASE_URL: service.baseUrl,
      LICENSE_PRODUCT_ID: productId,
      LICENSE_KEYS: JSON.stringify(keys),
      LICENSE_STATE: path,
    };
    await createClient().makeRequestCode();
    const { fingerprint } = state();
    script(...Array.from({ length: 4 }, () => service.valid('activated', { iat: now, exp: now + day })));
    const runs = ['activate', 'activate', 'check-offline', 'activate'].map((command) =>
      runDriver(process.execPath, [command, key], { ...settings, LICENSE_STATE }),
    );
    await Promise.all(runs);
    expect(state()).toMatchObject({ fingerprint });
    expect(readdirSync(join(path, '..'))).toEqual(['license.json']);
  });

  test('leaves nothing beside a place that cannot be written', async () => {
    mkdirSync(path, { recursive: true });
    expect(await createClient().checkOffline()).toMatchObject({ allowed: false, code: 'no_license' });
    expect(readdirSync(join(path, '..'))).toEqual(['license.json']);
  });
});

describe.each([
  ['Node', process.execPath],
  ['Deno', denoPath],
])('a whole life under %s', (_, runtime) => {
  (runtime ? test : test.skip)('activates, checks, runs offline, and deactivates', async () => {
    const settings = {
      LICENSE_BASE_URL: service.baseUrl,
      LICENSE_PRODUCT_ID: productId,
      LICENSE_KEYS: JSON.stringify(keys),
      LICENSE_STATE: path,
      LICENSE_CLOCK_OFFSET: String(now + 60 - Math.floor(Date.now() / 1000)),
      LICENSE_DEVICE_LABEL: 'Studio',
    };
    const run = (...args: string[]) => runDriver(runtime, args, settings);
    script(service.valid('activated'), service.valid('valid'), json(200, { valid: true, code: 'deactivated' }));
    expect(await run('activate', key)).toMatchObject({ allowed: true, code: 'activated', source: 'service', ask_online: false });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await run('check')).toMatchObject({ allowed: true, code: 'valid', until: now + 14 * day, features: ['export'] });
    expect(await run('check-offline')).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease', ask_online: true });
    expect(await run('deactivate')).toMatchObject({ allowed: false, code: 'deactivated' });
    const { request_code } = (await run('request-code')) as { request_code: string };
    const { n: nonce, d: fingerprint } = JSON.parse(Buffer.from(request_code.slice(5), 'base64url').toString());
    const file = join(path, '..', 'license.lease');
    writeFileSync(file, `${await service.lease(fingerprint, { nonce })}\n`);
    expect(await run('import-lease', file)).toMatchObject({ allowed: true, code: 'lease_valid', ask_online: false });
    expect(await run('messages')).toEqual(messages);
  });

  (runtime ? test : test.skip)('keeps its state in the user’s folder, made with the first write', async () => {
    const XDG_STATE_HOME = join(path, '..', 'state');
    await runDriver(runtime, ['request-code'], { XDG_STATE_HOME, LICENSE_BASE_URL: service.baseUrl, LICENSE_PRODUCT_ID: productId });
    const [folder, file] = [join(XDG_STATE_HOME, productId), join(XDG_STATE_HOME, productId, 'license.json')];
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ fingerprint: expect.any(String), nonce: expect.any(String) });
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
      const { allowed, message } = await createClient().activate(key);
      expect(message).not.toBe('');
      if (allowed) expect([status, JSON.parse(text)]).toMatchObject([200, { valid: true }]);
    }),
    { numRuns: tries(100) },
  );
});

test('every code of the service has a sentence for the user', () => {
  for (const code of [...runtimeCodes, 'activation_limit_exceeded', 'deactivation_not_allowed'])
    expect(messages[code]).toMatch(/^[A-Z].*\.$/);
});
