import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { covers, type LicenseClient, messages, type Status } from '../../infra/documents/clients/license-client.ts';
import { createDevice, licenseKey } from './device.ts';
import { runDriver } from './run-driver.ts';
import { day, json, keys, now, productId, startScriptedService } from './scripted-service.ts';

const service = await startScriptedService();
const device = createDevice(service);
const { activated, createClient, script, state } = device;
beforeEach(device.reset);
afterAll(() => service.stop());

describe('offline', () => {
  const at = async (client: LicenseClient, time: number): Promise<Status> => {
    device.clock = time;
    return client.checkOffline();
  };

  test('a lease without an end of updates covers every build while it holds', async () => {
    const client = await activated();
    const released = now + 36_500 * day;
    expect(covers(await at(client, now), released)).toBe(true);
    expect(covers(await at(client, now + 14 * day), released)).toBe(false);
  });

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
    device.clock = now + 60;
    script(service.valid('valid', { iat: now + 60 }));
    expect(await client.check()).toMatchObject({ allowed: true });
    expect(state()).toMatchObject({ latest_seen: now + 60 });
    expect(await client.checkOffline()).toMatchObject({ allowed: true, code: 'lease_valid' });
  });

  test('calls that fail extend nothing', async () => {
    const client = await activated();
    const { lease } = state();
    for (let passed = 1; passed < 14; passed += 1) {
      device.clock = now + passed * day;
      expect(await client.check()).toMatchObject({ allowed: true, until: now + 14 * day });
    }
    expect(state()).toMatchObject({ lease });
    device.clock = now + 14 * day;
    expect(await client.check()).toMatchObject({ allowed: false, code: 'lease_expired' });
  });

  test('a lease written into the state by hand is nothing unless it is signed for this device', async () => {
    const client = await activated();
    const { fingerprint } = state();
    const of = async (lease: string) => {
      writeFileSync(device.path, JSON.stringify({ fingerprint, lease }));
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
      code: 'licensed_until',
      until: now + 366 * day,
      askOnline: false,
    });
    expect(state()).toEqual({ fingerprint, lease, latest_seen: now });
    expect(await client.check()).toMatchObject({ allowed: true, code: 'licensed_until' });
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

  test('has a clock that once ran ahead healed by the lease that it asks for next, and by no older one', async () => {
    const client = createClient();
    await client.makeRequestCode();
    const { fingerprint, nonce } = state();
    const lease = await service.lease(fingerprint, { nonce });
    await client.importLease(lease);
    device.clock = now + 400 * day;
    await client.checkOffline();
    device.clock = now;
    expect(await client.importLease(lease)).toMatchObject({ allowed: false, code: 'lease_expired' });
    await client.makeRequestCode();
    const next = await service.lease(fingerprint, { nonce: state().nonce });
    expect(await client.importLease(next)).toMatchObject({ allowed: true, code: 'lease_valid' });
    expect(state()).toMatchObject({ latest_seen: now });
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
      writeFileSync(device.path, text);
      const client = createClient();
      expect(await client.check()).toMatchObject({ allowed: false, code: 'no_license' });
      script(service.valid());
      expect(await client.activate(licenseKey)).toMatchObject({ allowed: true });
      expect(state()).toMatchObject({ license_key: licenseKey });
    },
  );

  test('is whole or the old one when the app is killed before the new one is in its place', async () => {
    await activated();
    const before = readFileSync(device.path, 'utf8');
    const program = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      fs.promises.rename = () => process.kill(process.pid, 'SIGKILL');
      syncBuiltinESMExports();
      const { LicenseClient } = await import(${JSON.stringify(join(import.meta.dirname, '../../infra/documents/clients/license-client.ts'))});
      await new LicenseClient({ baseUrl: 'http://127.0.0.1:9', productId: 'p', keys: [], storage: ${JSON.stringify(device.path)}, clock: () => 3e9 }).checkOffline();`;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
    expect(signal).toBe('SIGKILL');
    const files = readdirSync(join(device.path, '..'));
    const [names, others] = [['license.json', 'license.json.fingerprint', 'license.json.lock'], /^license\.json\.[\w-]{22}$/];
    expect(files.filter((name) => !others.test(name))).toEqual(names);
    expect(files).toHaveLength(4);
    expect(readFileSync(device.path, 'utf8')).toBe(before);
    expect(await createClient().checkOffline()).toMatchObject({ allowed: true });
  });

  test('a disk that takes nothing more does not stop an app that is activated', async () => {
    await activated();
    const text = readFileSync(device.path, 'utf8');
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
    await Promise.all([client.importLease(lease), client.checkOffline(), client.makeRequestCode(), client.checkOffline()]);
    expect(state()).toMatchObject({ fingerprint, lease });
    let text: string | undefined;
    const load = () => new Promise<string | undefined>((resolve) => setImmediate(() => resolve(text)));
    const save = async (next: string) => {
      await new Promise(setImmediate);
      text = next;
    };
    const slow = createClient({ storage: { load, save } });
    expect(new Set(await Promise.all([1, 2, 3].map(() => slow.makeRequestCode()))).size).toBe(1);
  });

  test('two apps that write at once leave it whole', async () => {
    const { LICENSE_STATE, ...settings } = {
      LICENSE_BASE_URL: service.baseUrl,
      LICENSE_PRODUCT_ID: productId,
      LICENSE_KEYS: JSON.stringify(keys),
      LICENSE_STATE: device.path,
      LICENSE_ALLOW_TEST_KEYS: '1',
    };
    await createClient().makeRequestCode();
    const { fingerprint } = state();
    script(...Array.from({ length: 4 }, () => service.valid('activated', { iat: now, exp: now + day })));
    const runs = ['activate', 'activate', 'check-offline', 'activate'].map((command) =>
      runDriver(process.execPath, [command, licenseKey], { ...settings, LICENSE_STATE }),
    );
    await Promise.all(runs);
    expect(state()).toMatchObject({ fingerprint });
    expect(readdirSync(join(device.path, '..'))).toEqual(['license.json', 'license.json.fingerprint']);
  });

  test('leaves nothing beside a place that cannot be written', async () => {
    mkdirSync(device.path, { recursive: true });
    expect(await createClient().checkOffline()).toMatchObject({ allowed: false, code: 'no_license' });
    expect(readdirSync(join(device.path, '..'))).toEqual(['license.json']);
  });
});
