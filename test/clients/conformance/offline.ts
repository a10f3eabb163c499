import { describe, expect, test } from '@jest/globals';
import { messages } from '../../../infra/documents/clients/license-client.ts';
import { byLease, type ClientUnderTest, key, sentences, unreachable } from './client-under-test.ts';
import { day, granted, type LeaseTerms, leaseKeys, nowInSeconds, productId, signLease, valid } from './scripted-service.ts';

/** What a client keeps, and how it decides by that without the service. */
export function describeOffline({ newDevice, activatedDevice, waitingTest }: ClientUnderTest): void {
  describe('a lease', () => {
    waitingTest('lets the app run while the service is gone, until it ends', async () => {
      const device = await activatedDevice();
      await device.service.stop();
      const { latest_seen: iat = 0 } = await device.state();
      const status = { ...byLease, code: 'lease_valid', message: messages['lease_valid'], until: iat + 14 * day, ask_online: true };
      expect(await device.check()).toEqual(status);
      expect(await device.clockAhead(14 * day - 60).checkOffline()).toEqual(status);
      const expired = { ...status, allowed: false, code: 'lease_expired', message: messages['lease_expired'], features: [] };
      expect(await device.clockAhead(14 * day).checkOffline()).toEqual(expired);
    });

    test('lasts no longer when the clock is set back, and nobody is locked out', async () => {
      const device = await activatedDevice();
      expect(await device.clockAhead(-240).checkOffline()).toMatchObject({ ...byLease, code: 'lease_valid' });
      const back = { ...byLease, code: 'clock_set_back', message: messages['clock_set_back'], ask_online: true };
      expect(await device.clockAhead(-360).checkOffline()).toMatchObject(back);
      expect(await device.clockAhead(-400 * day).checkOffline()).toMatchObject(back);
      await device.clockAhead(13 * day).checkOffline();
      expect(await device.checkOffline()).toMatchObject(back);
      await device.clockAhead(15 * day).checkOffline();
      expect(await device.checkOffline()).toMatchObject({ allowed: false, code: 'lease_expired', ask_online: true });
    });

    test('says, as the service does, until when updates come, and so whether a build is covered', async () => {
      const end = nowInSeconds() + 30 * day;
      const said = { updates_until: end, covered: [true, false] };
      const device = await newDevice();
      const updates_until = new Date(end * 1000 + 999).toISOString();
      const accept = granted(device.service.address, 'valid', { updatesUntil: end });
      device.service.replyWith(async (request, count) => {
        const { body } = await accept(request, count);
        return { body: { ...Object(body), updates_until } };
      });
      expect(await device.activate(key)).toMatchObject({ allowed: true, source: 'service', ...said });
      expect(await device.checkOffline()).toMatchObject({ allowed: true, source: 'lease', ...said });
      // What does not run covers nothing.
      expect(await device.clockAhead(14 * day).checkOffline()).toMatchObject({ allowed: false, ...said, covered: [false, false] });
      device.service.replyWith({ body: { ...valid('valid'), updates_until: 'soon' } });
      for (const status of [await device.check(), await (await activatedDevice()).checkOffline()]) {
        expect(status.allowed).toBe(true);
        expect(status).not.toHaveProperty('updates_until');
      }
    });

    test('heals the time that a clock far ahead has left', async () => {
      const device = await activatedDevice();
      expect(await device.clockAhead(400 * day).checkOffline()).toMatchObject({ allowed: false, code: 'lease_expired' });
      expect(await device.check()).toMatchObject({ allowed: true, source: 'service' });
      expect(await device.checkOffline()).toMatchObject({ ...byLease, code: 'lease_valid' });
    });

    test('that ends later is kept', async () => {
      const device = await activatedDevice({ exp: nowInSeconds() + 60 * day });
      const before = await device.state();
      device.service.replyWith(granted(device.service.address, 'valid', { iat: nowInSeconds() + 100 }));
      expect(await device.check()).toMatchObject({ allowed: true, code: 'valid', until: (await device.checkOffline()).until });
      expect((await device.state()).lease).toBe(before.lease);
      expect((await device.state()).latest_seen).toBeGreaterThan(before.latest_seen ?? 0);
      device.service.replyWith(granted(device.service.address, 'valid', { exp: nowInSeconds() + 61 * day }));
      await device.check();
      expect((await device.state()).lease).not.toBe(before.lease);
    });

    test.each<[string, Partial<LeaseTerms>]>([
      ['for another device', { fingerprint: 'another' }],
      ['for another nonce', { nonce: 'another' }],
      ['without the nonce', { nonce: undefined }],
      ['for another product', { product: 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JZ' }],
      ['of another issuer', { issuer: 'https://licenses.example.com' }],
      ['signed with a key that is not pinned', { key: leaseKeys.foreign }],
      ['signed with another key than it names', { key: { ...leaseKeys.foreign, jwk: leaseKeys.signing.jwk } }],
    ])('%s is not kept', async (_, terms) => {
      const device = await activatedDevice(terms);
      const { license_key: kept, lease } = await device.state();
      expect({ kept, lease }).toEqual({ kept: key });
    });

    test('is not kept when the pinned key that it names is none, and the app runs on', async () => {
      const device = await newDevice();
      const app = device.with({ LICENSE_KEYS: JSON.stringify([{ ...leaseKeys.signing.jwk, x: 'AA' }]) });
      device.service.replyWith(granted(device.service.address, 'activated'));
      expect(await app.activate(key)).toMatchObject({ allowed: true, code: 'activated', source: 'service' });
      expect((await device.state()).lease).toBeUndefined();
    });

    test('signed with the next pinned key is kept', async () => {
      const device = await activatedDevice({ key: leaseKeys.next });
      expect(await device.checkOffline()).toMatchObject(byLease);
    });

    test('is required where the app says so', async () => {
      const device = await newDevice();
      const strict = device.with({ LICENSE_REQUIRE_LEASE: '1' });
      device.service.replyWith({ body: valid('activated') });
      expect(await strict.activate(key)).toEqual({ ...unreachable, ask_online: true });
      expect((await device.state()).license_key).toBeUndefined();
      device.service.replyWith(granted(device.service.address, 'activated'));
      expect(await strict.activate(key)).toMatchObject({ allowed: true, source: 'service' });
      device.service.replyWith({ body: valid('valid') });
      expect(await strict.check()).toMatchObject({ ...byLease, code: 'lease_valid' });
      expect(await device.check()).toMatchObject({ allowed: true, source: 'service', features: ['export', 'batch'] });
    });
  });

  describe('a device without network', () => {
    const decoded = (code: string) => JSON.parse(Buffer.from(code.slice('LAR1.'.length), 'base64url').toString('utf8'));
    /** A device that waits for a lease, and what a lease for it must name. */
    const waitingDevice = async () => {
      const device = await newDevice();
      const { d: fingerprint, n: nonce } = decoded(await device.requestCode());
      return { device, terms: { issuer: device.service.address, fingerprint, nonce, kind: 'offline' } };
    };

    test('shows one request code, though two processes make it at once', async () => {
      for (let round = 0; round < 3; round += 1) {
        const { inProcesses } = await newDevice();
        const [one, other] = await Promise.all([inProcesses.requestCode(), inProcesses.requestCode()]);
        expect(one).toBe(other);
      }
    });

    test('shows one request code until a lease is imported, then another', async () => {
      const device = await newDevice();
      const app = device.with({ LICENSE_DEVICE_LABEL: '測定器 1' });
      const code = await app.requestCode();
      const { fingerprint, nonce } = await device.state();
      expect(code).toMatch(/^LAR1\.[\w-]+$/);
      expect(decoded(code)).toEqual({ p: productId, d: fingerprint, l: '測定器 1', n: nonce });
      expect(nonce).toMatch(/^[\w-]{16,128}$/);
      expect(decoded(await device.requestCode())).toEqual({ p: productId, d: fingerprint, n: nonce });
      await device.importLease(await signLease({ issuer: device.service.address, fingerprint: fingerprint ?? '', nonce }));
      expect((await device.state()).nonce).toBeUndefined();
      expect(decoded(await device.requestCode()).n).not.toBe(nonce);
      expect(device.service.requests).toEqual([]);
    });

    test('runs by the lease that is imported, and cannot ask', async () => {
      const { device, terms } = await waitingDevice();
      const exp = nowInSeconds() + 300 * day;
      await device.writeState(JSON.stringify({ ...(await device.state()), refused: 'license_refunded' }));
      const status = await device.importLease(`\n  ${await signLease({ ...terms, exp })} \r\n`);
      const message = `This app is licensed until ${new Date(exp * 1000).toISOString().slice(0, 10)}.`;
      expect(status).toEqual({ ...byLease, code: 'licensed_until', message, until: exp, ask_online: false });
      expect(await device.state()).not.toHaveProperty('refused');
      expect(await device.check()).toEqual(status);
      expect(await device.clockAhead(301 * day).checkOffline()).toMatchObject({ allowed: false, code: 'lease_expired' });
    });

    test('takes a lease though its clock is behind, and says so', async () => {
      const { device, terms } = await waitingDevice();
      const iat = nowInSeconds();
      const status = await device.clockAhead(-3 * day).importLease(await signLease({ ...terms, iat }));
      expect(status).toMatchObject({ ...byLease, code: 'clock_set_back', ask_online: true });
      expect((await device.state()).latest_seen).toBe(iat);
    });

    test('has its time healed by the next lease that it asks for, and by none that it had before', async () => {
      const { device, terms } = await waitingDevice();
      const first = await signLease(terms);
      await device.importLease(first);
      expect(await device.clockAhead(400 * day).checkOffline()).toMatchObject({ allowed: false, code: 'lease_expired' });
      expect(await device.importLease(first)).toMatchObject({ allowed: false, code: 'lease_expired' });
      const { n: nonce } = decoded(await device.requestCode());
      expect(await device.importLease(await signLease({ ...terms, nonce }))).toMatchObject({ ...byLease, code: 'licensed_until' });
    });

    test.each<[string, string, Partial<LeaseTerms>]>([
      ['for another device', 'lease_refused', { fingerprint: 'another' }],
      ['for another request code', 'lease_refused', { nonce: 'another' }],
      ['for no request code', 'lease_refused', { nonce: undefined }],
      ['signed with a key that is not pinned', 'lease_refused', { key: leaseKeys.foreign }],
      ['of a test key', 'test_key_refused', { test: true }],
      ['that has ended', 'lease_expired', { iat: nowInSeconds() - 2 * day, exp: nowInSeconds() - day }],
    ])('refuses a lease %s: %s', async (_, code, changes) => {
      const { device, terms } = await waitingDevice();
      const app = device.with({ LICENSE_ALLOW_TEST_KEYS: '' });
      const status = await app.importLease(await signLease({ ...terms, ...changes }));
      expect(status).toMatchObject({ allowed: false, code, message: sentences[code] });
      const { lease, nonce } = await device.state();
      expect({ lease, nonce }).toEqual({ nonce: terms.nonce });
    });

    test('goes on by its lease when another file is refused', async () => {
      const { device, terms } = await waitingDevice();
      await device.importLease(await signLease(terms));
      const { lease } = await device.state();
      expect(await device.importLease('no lease')).toMatchObject({ ...byLease, code: 'lease_refused' });
      expect((await device.state()).lease).toBe(lease);
    });
  });

  describe('a state', () => {
    test.each(['', '{"fingerprint": "abc", "license_ke', '[]', 'null', '"text"', '\u0000\u0001'])('of %j counts as empty', async (text) => {
      const device = await newDevice();
      await device.writeState(text);
      device.service.replyWith(granted(device.service.address, 'activated'));
      expect(await device.activate(key)).toMatchObject({ allowed: true });
      expect(await device.state()).toMatchObject({ fingerprint: expect.any(String), license_key: key, lease: expect.any(String) });
    });

    test('whose lease was changed gives nothing', async () => {
      const device = await activatedDevice();
      const state = await device.state();
      await device.writeState(JSON.stringify({ ...state, fingerprint: 'of another device' }));
      expect(await device.checkOffline()).toEqual({ ...unreachable, ask_online: true });
      await device.writeState(JSON.stringify({ ...state, lease: `${state.lease}A` }));
      expect(await device.checkOffline()).toEqual({ ...unreachable, ask_online: true });
    });
  });
}
