import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { messages } from '../../../infra/documents/clients/license-client.ts';
import { run } from '../languages/language.ts';
import { byLease, type ClientUnderTest, key, sentences, unreachable } from './client-under-test.ts';
import { day, denied, expiresAt, gone, granted, productId, refused, valid } from './scripted-service.ts';

/** What a client makes of the answers and refusals of the service. */
export function describeActivation({ newDevice, activatedDevice, waitingTest }: ClientUnderTest): void {
  describe('activate', () => {
    test('stores fingerprint and key before it asks, sends the key as typed, and keeps key and lease for this user alone', async () => {
      const device = await newDevice();
      const stored: unknown[] = [];
      const accept = granted(device.service.address, 'activated');
      device.service.replyWith(async (request, count) => {
        stored.push(await device.state());
        return accept(request, count);
      });
      const typed = '  lic1–3ahrz 6dmv2\u00a0"9GQY5"  ';
      const status = await device.with({ LICENSE_DEVICE_LABEL: 'Büro-Mac' }).activate(typed);
      const [request] = device.service.requests;
      const { fingerprint, lease, latest_seen: latestSeen = 0 } = await device.state();
      const until = latestSeen + 14 * day;
      expect(status).toEqual({
        allowed: true,
        code: 'activated',
        source: 'service',
        message: messages['activated'],
        until,
        features: ['export', 'batch'],
        seats: 1,
        limit: 3,
        expires_at: expiresAt,
        ask_online: false,
      });
      expect(stored).toEqual([{ fingerprint, pending_key: typed }]);
      expect(request).toMatchObject({ path: '/v1/licenses/activate' });
      expect(request?.body).toEqual({
        product_id: productId,
        license_key: typed,
        device_fingerprint: fingerprint,
        nonce: expect.stringMatching(/^[\w-]{16,128}$/),
        device_label: 'Büro-Mac',
      });
      expect(await device.state()).toEqual({
        fingerprint,
        license_key: typed,
        lease: expect.any(String),
        latest_seen: expect.any(Number),
      });
      expect(lease?.split('.')).toHaveLength(3);
      expect((await stat(device.statePath)).mode & 0o777).toBe(0o600);
      expect(await readdir(join(device.statePath, '..'))).toEqual(['license.json', 'license.json.fingerprint']);
      expect((await stat(device.fingerprintPath)).mode & 0o777).toBe(0o600);
    });

    test('is by the same device each time, with a nonce never used before', async () => {
      const device = await activatedDevice();
      await device.activate(key);
      await device.check();
      const { fingerprint } = await device.state();
      const bodies = device.service.requests.map(({ body }) => body);
      expect(bodies.map((body) => body['device_fingerprint'])).toEqual([fingerprint, fingerprint, fingerprint]);
      expect(new Set(bodies.map(({ nonce }) => nonce)).size).toBe(3);
      expect(fingerprint).not.toBe((await (await activatedDevice()).state()).fingerprint);
    });

    test('by two processes at once on an empty home is by one device', async () => {
      for (let round = 0; round < 3; round += 1) {
        const { service, inProcesses, state } = await newDevice();
        const accept = granted(service.address, 'activated');
        const fingerprints = () => new Set(service.requests.map(({ body }) => body['device_fingerprint']));
        service.replyWith((request, count) =>
          fingerprints().size === 1 ? accept(request, count) : refused(409, 'activation_limit_exceeded'),
        );
        const statuses = await Promise.all([inProcesses.activate(key), inProcesses.activate(key)]);
        expect(statuses.map(({ code }) => code)).toEqual(['activated', 'activated']);
        expect([...fingerprints()]).toEqual([(await state()).fingerprint]);
      }
    });

    test('is by the device that another process makes while it looks for one', async () => {
      const device = await newDevice();
      await device.writeState('');
      await run('mkfifo', [device.fingerprintPath]);
      device.service.replyWith(granted(device.service.address, 'activated'));
      const activated = device.activate(key);
      // It opens once the client reads, which finds nothing in it, and the whole file later.
      const pipe = await open(device.fingerprintPath, 'w');
      await writeFile(`${device.fingerprintPath}.made`, 'of the other');
      await rename(`${device.fingerprintPath}.made`, device.fingerprintPath);
      await pipe.close();
      expect(await activated).toMatchObject({ allowed: true, code: 'activated' });
      expect(device.service.requests.map(({ body }) => body['device_fingerprint'])).toEqual(['of the other']);
      expect(await readFile(device.fingerprintPath, 'utf8')).toBe('of the other');
    });

    test('is by the device that an older client, or one that lost its state, has made', async () => {
      const device = await newDevice();
      await device.writeState(JSON.stringify({ fingerprint: 'an older one' }));
      device.service.replyWith(granted(device.service.address, 'activated'));
      await device.activate(key);
      await rm(device.statePath);
      await device.activate(key);
      expect(device.service.requests.map(({ body }) => body['device_fingerprint'])).toEqual(['an older one', 'an older one']);
    });

    test.each(['', '\0\0\0'])('is by a new device where the file of the fingerprint was not written out: %j', async (text) => {
      const device = await newDevice();
      await device.writeState('');
      await writeFile(device.fingerprintPath, text);
      device.service.replyWith(granted(device.service.address, 'activated'));
      await device.activate(key);
      expect((await device.state()).fingerprint).toMatch(/^[\w-]{22}$/);
      expect(await readFile(device.fingerprintPath, 'utf8')).toBe((await device.state()).fingerprint);
    });

    waitingTest('waits no longer than a second for an app that was killed', async () => {
      const device = await newDevice();
      await device.writeState('');
      await writeFile(`${device.statePath}.lock`, '');
      device.service.replyWith(granted(device.service.address, 'activated'));
      expect(await device.activate(key)).toMatchObject({ allowed: true });
      expect(await readdir(join(device.statePath, '..'))).toEqual(['license.json', 'license.json.fingerprint']);
    });

    const notStored = { allowed: false, code: 'not_stored', source: 'none', message: messages.not_stored, features: [], ask_online: false };
    test('says so where nothing can be stored, and sends nothing', async () => {
      const device = await newDevice();
      device.service.replyWith(granted(device.service.address, 'activated'));
      await writeFile(join(device.folder, 'file'), '');
      const app = device.with({ LICENSE_STATE: join(device.folder, 'file', 'license.json') });
      expect(await app.activate(key)).toEqual(notStored);
      expect(await app.check()).toMatchObject({ allowed: false, code: 'no_license' });
      // A fingerprint alone is no use.
      await mkdir(device.statePath, { recursive: true });
      expect(await device.activate(key)).toEqual(notStored);
      expect(await readFile(device.fingerprintPath, 'utf8')).not.toBe('');
      // What can be read, and not be replaced: no file is made in such a folder.
      for (const kept of [{ license_key: key }, { fingerprint: 'kept', pending_key: key }]) {
        const path = join(device.folder, 'kept.json');
        await writeFile(path, JSON.stringify(kept));
        const file = await open(path);
        const unchangeable = device.with({ LICENSE_STATE: `/proc/${process.pid}/fd/${file.fd}` });
        expect(await unchangeable.check()).toMatchObject({ allowed: false, code: 'not_stored', message: messages.not_stored });
        await file.close();
      }
      expect(device.service.requests).toEqual([]);
    });

    test('frees the seat that it cannot store', async () => {
      const device = await newDevice();
      const accept = granted(device.service.address, 'activated');
      device.service.replyWith(async (request, count) => {
        await rm(device.statePath, { recursive: true });
        await mkdir(device.statePath);
        return accept(request, count);
      });
      expect(await device.activate(key)).toEqual(notStored);
      expect(device.service.requests.map(({ path, body }) => [path, body['license_key']])).toEqual([
        ['/v1/licenses/activate', key],
        ['/v1/licenses/deactivate', key],
      ]);
    });

    test.each(['license_not_found', 'license_revoked', 'a_code_of_tomorrow'])(
      'says %s, and neither stops nor forgets the license that is there',
      async (code) => {
        const device = await activatedDevice();
        const before = await device.state();
        device.service.replyWith(denied(code));
        const status = await device.activate('LIC1-OTHER');
        const message = sentences[code] ?? messages.request_refused;
        const until = (before.latest_seen ?? 0) + 14 * day;
        expect(status).toEqual({ ...byLease, code, message, until, ask_online: true });
        expect(await device.state()).toMatchObject({ license_key: key, lease: before.lease });
        expect(device.service.requests).toHaveLength(2);
      },
    );

    test('of a wrong key asks for the license that is there, where that has no lease', async () => {
      const device = await activatedDevice({ fingerprint: 'another' });
      const wrongKey = denied('license_not_found');
      device.service.replyWith(({ body }) => (body['license_key'] === key ? { body: valid('valid') } : wrongKey));
      const message = messages.license_not_found;
      expect(await device.activate('LIC1-OTHER')).toMatchObject({ allowed: true, code: 'license_not_found', source: 'service', message });
      device.service.replyWith(wrongKey);
      expect(await device.activate('LIC1-OTHER')).toMatchObject({ allowed: false, code: 'license_not_found', source: 'service', message });
    });

    test('of a wrong key on a device without license says so', async () => {
      const device = await newDevice();
      device.service.replyWith(denied('license_not_found'));
      const status = { allowed: false, code: 'license_not_found', source: 'service', message: messages.license_not_found };
      expect(await device.activate(key)).toEqual({ ...status, features: [], ask_online: false });
    });

    test('of the stored key that may not be used ends its lease', async () => {
      const device = await activatedDevice();
      device.service.replyWith(denied('license_refunded'));
      expect(await device.activate(key)).toMatchObject({ allowed: false, code: 'license_refunded' });
      expect(await device.checkOffline()).toMatchObject({ allowed: false, code: 'license_refunded', source: 'none', ask_online: true });
      device.service.replyWith(gone);
      expect(await device.activate('LIC1-OTHER')).toMatchObject({ allowed: false, code: 'unreachable', source: 'none' });
    });

    test('of another license forgets the lease of the first, which would end later', async () => {
      for (const withLease of [false, true]) {
        const device = await activatedDevice();
        const { latest_seen: now = 0 } = await device.state();
        device.service.replyWith(async (request, count) => {
          const terms = { license: 'lic_other', exp: now + day };
          const { body = {} } = await granted(device.service.address, 'activated', terms)(request, count);
          return { body: { ...Object(body), license_id: 'lic_other', ...(!withLease && { lease: undefined }) } };
        });
        expect(await device.activate('LIC1-OTHER')).toMatchObject({ allowed: true, code: 'activated' });
        const { until } = await device.checkOffline();
        expect(until).toBe(withLease ? now + day : undefined);
      }
    });

    test('of a license without seats left says so, and keeps what is there', async () => {
      const device = await newDevice();
      device.service.replyWith(refused(409, 'activation_limit_exceeded'));
      const status = {
        allowed: false,
        code: 'activation_limit_exceeded',
        source: 'service',
        message: `All seats of this license are taken. Release a device that you no longer use at ${device.service.address}/manage.`,
      };
      expect(await device.activate(key)).toMatchObject(status);
      expect((await device.state()).license_key).toBeUndefined();
      expect(device.service.requests).toHaveLength(1);
      const activated = await activatedDevice();
      activated.service.replyWith(refused(409, 'activation_limit_exceeded'));
      expect(await activated.activate('LIC1-OTHER')).toMatchObject({ ...byLease, code: 'activation_limit_exceeded' });
    });

    test('that is refused goes by the lease that is kept', async () => {
      const device = await newDevice();
      device.service.replyWith(refused(400, 'invalid_request'));
      const refusal = { code: 'request_refused', message: messages['request_refused'] };
      expect(await device.activate(key)).toMatchObject({ ...refusal, allowed: false });
      expect(device.service.requests).toHaveLength(1);
      const activated = await activatedDevice();
      activated.service.replyWith(refused(403, 'forbidden'));
      expect(await activated.activate(key)).toMatchObject({ ...refusal, allowed: true, source: 'lease' });
    });
  });

  describe('a test key', () => {
    test('is refused without a seat, and its lease too, unless the app is built to take it', async () => {
      const builder = await newDevice();
      const device = { ...builder, ...builder.with({ LICENSE_ALLOW_TEST_KEYS: '' }) };
      const accept = granted(device.service.address, 'activated', { test: true });
      let isSeated = false;
      device.service.replyWith(async (request, count) => {
        const call = request.path.split('/').pop();
        if (call !== 'validate') isSeated = call === 'activate';
        const { body } = await accept(request, count);
        return { body: { ...Object(body), test: true, device_activated: isSeated } };
      });
      const refusal = { allowed: false, code: 'test_key_refused', message: messages.test_key_refused, features: [] };
      expect(await device.activate(key)).toMatchObject({ ...refusal, source: 'service' });
      expect(device.service.requests.map(({ path }) => path)).toEqual(['/v1/licenses/validate']);
      const { license_key: kept, pending_key: pending } = await device.state();
      expect({ kept, pending }).toEqual({});
      expect(await builder.activate(key)).toMatchObject({ allowed: true, code: 'activated', until: expect.any(Number) });
      expect(await builder.checkOffline()).toMatchObject(byLease);
      expect(await device.checkOffline()).toMatchObject({ ...refusal, source: 'lease' });
      expect(isSeated).toBe(true);
      expect(await device.activate(key)).toMatchObject({ ...refusal, source: 'service' });
      expect(isSeated).toBe(false);
      expect(await builder.check()).toMatchObject({ allowed: true, code: 'activated' });
      expect(await device.check()).toMatchObject({ ...refusal, source: 'service' });
      expect(isSeated).toBe(false);
      expect((await device.state()).lease).toBeUndefined();
      expect(await device.checkOffline()).toMatchObject({ ...refusal, source: 'none' });
    });

    test('is looked for before a key takes a seat, in an app that takes none', async () => {
      const device = await newDevice();
      const app = device.with({ LICENSE_ALLOW_TEST_KEYS: '' });
      device.service.replyWith(denied('license_not_found'));
      expect(await app.activate(key)).toMatchObject({ allowed: false, code: 'license_not_found' });
      device.service.replyWith(refused(400, 'invalid_request'));
      expect(await app.activate(key)).toMatchObject({ allowed: false, code: 'request_refused' });
      device.service.replyWith(granted(device.service.address, 'activated'));
      expect(await app.activate(key)).toMatchObject({ allowed: true, code: 'activated' });
      const calls = device.service.requests.map(({ path }) => path.split('/').pop());
      expect(calls).toEqual(['validate', 'validate', 'validate', 'activate']);
    });
  });

  describe('a key typed during an outage', () => {
    test('is kept, and tried again by each check until the service has heard it', async () => {
      const device = await newDevice();
      device.service.replyWith(gone);
      expect(await device.activate(key)).toEqual({ ...unreachable, ask_online: true });
      expect(await device.check()).toEqual({ ...unreachable, ask_online: true });
      expect(await device.state()).toMatchObject({ pending_key: key });
      device.service.replyWith(granted(device.service.address, 'activated'));
      expect(await device.check()).toMatchObject({ allowed: true, code: 'activated' });
      expect(await device.state()).not.toHaveProperty('pending_key');
      expect(await device.state()).toMatchObject({ license_key: key });
    });

    test('that is wrong is forgotten, and stops no license that is there', async () => {
      const device = await activatedDevice();
      device.service.replyWith(gone);
      expect(await device.activate('LIC1-OTHER')).toMatchObject({ ...byLease, code: 'lease_valid' });
      device.service.replyWith(denied('license_not_found'));
      expect(await device.check()).toMatchObject({ ...byLease, code: 'license_not_found' });
      device.service.replyWith({ body: valid('valid') });
      expect(await device.check()).toMatchObject({ allowed: true, code: 'valid', source: 'service' });
      const keys = device.service.requests.map(({ body }) => body['license_key']);
      expect(keys).toEqual([key, 'LIC1-OTHER', 'LIC1-OTHER', key]);
    });

    test('is forgotten by deactivate', async () => {
      const device = await newDevice();
      device.service.replyWith(gone);
      await device.activate(key);
      expect(await device.deactivate()).toMatchObject({ allowed: false, code: 'no_license' });
      expect(await device.checkOffline()).toMatchObject({ allowed: false, code: 'no_license' });
    });
  });

  describe('check', () => {
    test('asks nothing without a key', async () => {
      const device = await newDevice();
      expect(await device.check()).toEqual({
        allowed: false,
        code: 'no_license',
        source: 'none',
        message: messages['no_license'],
        features: [],
        ask_online: false,
      });
      expect(device.service.requests).toEqual([]);
    });

    test('of a revoked license ends the lease, and asks on with the same key', async () => {
      const device = await activatedDevice();
      device.service.replyWith(denied('license_revoked'));
      expect(await device.check()).toMatchObject({ allowed: false, code: 'license_revoked', source: 'service' });
      const message = messages.license_revoked;
      const refusal = { allowed: false, code: 'license_revoked', source: 'none', message, features: [], ask_online: true };
      expect(await device.checkOffline()).toEqual(refusal);
      device.service.replyWith(gone);
      expect(await device.check()).toEqual(refusal);
      device.service.replyWith(granted(device.service.address, 'valid'));
      expect(await device.check()).toMatchObject({ allowed: true, code: 'valid', source: 'service' });
      const paths = device.service.requests.map(({ path }) => path.split('/').pop());
      expect(paths).toEqual(['activate', 'validate', 'validate', 'validate']);
      expect(await device.state()).not.toHaveProperty('refused');
    });

    test.each(['0', '1'])('takes a seat again for a device that has none (lease required: %s)', async (required) => {
      const device = await activatedDevice();
      const accept = granted(device.service.address, 'activated');
      const withoutSeat = { body: { ...valid('valid'), device_activated: false } };
      device.service.replyWith((request, count) => (request.path.endsWith('/validate') ? withoutSeat : accept(request, count)));
      const status = await device.with({ LICENSE_REQUIRE_LEASE: required }).check();
      expect(status).toMatchObject({ allowed: true, code: 'activated', source: 'service' });
      expect(device.service.requests.map(({ body }) => body['license_key'])).toEqual([key, key, key]);
    });

    test('that is refused goes by the lease', async () => {
      const device = await activatedDevice();
      device.service.replyWith(refused(400, 'invalid_request'));
      expect(await device.check()).toMatchObject({ ...byLease, code: 'lease_valid', ask_online: true });
      expect(device.service.requests).toHaveLength(2);
    });
  });

  test('watch checks whenever the clock has jumped, until it is stopped', async () => {
    const device = await activatedDevice();
    device.service.replyWith(granted(device.service.address, 'valid'));
    const status = { allowed: true, code: 'valid', source: 'service', ask_online: false };
    expect(await device.with({ LICENSE_CLOCK_STEP: '301' }).watch()).toMatchObject([status, status]);
    const paths = device.service.requests.map(({ path }) => path.split('/').pop());
    expect(paths.slice(0, 3)).toEqual(['activate', 'validate', 'validate']);
  });

  describe('deactivate', () => {
    test('forgets key and lease, and keeps the fingerprint', async () => {
      const device = await activatedDevice();
      const before = await device.state();
      const { fingerprint } = before;
      await device.writeState(JSON.stringify({ ...before, refused: 'license_suspended' }));
      device.service.replyWith({ body: { ...valid('deactivated'), device_activated: false } });
      expect(await device.deactivate()).toMatchObject({ allowed: false, code: 'deactivated', source: 'service', ask_online: false });
      const [, request] = device.service.requests;
      expect(request).toMatchObject({ path: '/v1/licenses/deactivate' });
      expect(request?.body).toEqual({ product_id: productId, license_key: key, device_fingerprint: fingerprint });
      expect(await device.state()).toEqual({ fingerprint, latest_seen: expect.any(Number) });
      expect(await device.deactivate()).toMatchObject({ allowed: false, code: 'no_license' });
      expect(await device.checkOffline()).toMatchObject({ allowed: false, code: 'no_license' });
    });

    test('that the terms do not allow keeps everything', async () => {
      const device = await activatedDevice();
      const before = await device.state();
      device.service.replyWith(refused(400, 'deactivation_not_allowed'));
      const message = messages['deactivation_not_allowed'];
      expect(await device.deactivate()).toMatchObject({ ...byLease, code: 'deactivation_not_allowed', message });
      expect(await device.state()).toMatchObject({ license_key: key, lease: before.lease });
    });

    waitingTest('without a reply keeps everything', async () => {
      const device = await activatedDevice();
      const before = await device.state();
      await device.service.stop();
      expect(await device.deactivate()).toMatchObject({ ...byLease, code: 'unreachable', message: messages['unreachable'] });
      expect(await device.state()).toMatchObject({ license_key: key, lease: before.lease });
    });
  });
}
