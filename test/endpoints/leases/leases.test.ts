import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { verifyLease } from '../../../infra/documents/clients/license-client.ts';
import { newId } from '../../../shared/ids.ts';
import { type LeaseScene, openLeaseScene } from '../../support/scenes/lease-scene.ts';

const daySeconds = 86_400;

describe('leases', () => {
  let scene: LeaseScene;
  let ask: LeaseScene['ask'];
  beforeEach(async () => {
    scene = await openLeaseScene();
    ({ ask } = scene);
  });

  /** The claims, after an independent library has verified what part an app has to. */
  async function verified(lease: string, audience: string) {
    const { json: keys } = await scene.call('GET', '/.well-known/jwks.json');
    const { payload } = await jwtVerify(lease, createLocalJWKSet(keys), {
      algorithms: ['ES256'],
      typ: 'license-lease+jwt',
      issuer: scene.issuer,
      audience,
      currentDate: scene.now(),
    });
    return payload;
  }

  test('say what was sold, to whom it was sold and for how long, and nothing else', async () => {
    const { license, on } = await scene.buy({ activationLimit: 7 });
    const { json } = await ask('activate', { ...on('desk'), device_label: "Yuki's desk", nonce: 'a-Nonce_1' });
    const iat = Math.floor(scene.now().getTime() / 1000);
    expect(await verified(json.lease, license.productId)).toEqual({
      iss: scene.issuer,
      aud: license.productId,
      sub: license.id,
      dev: createHash('sha256').update(license.id).update(Buffer.of(0)).update('desk').digest('base64url'),
      iat,
      exp: iat + 14 * daySeconds,
      features: ['pro'],
      activation_limit: 7,
      kind: 'online',
      jti: expect.any(String),
      nonce: 'a-Nonce_1',
    });
    expect(json.lease.split('.')).toHaveLength(3);
    expect(Buffer.from(json.lease.split('.')[0], 'base64url').toString()).toBe(
      JSON.stringify({ alg: 'ES256', typ: 'license-lease+jwt', kid: scene.keyId }),
    );
  });

  test('have no nonce where the request had none, and each its own id', async () => {
    const { on } = await scene.buy();
    const leases = [];
    for (const verb of ['activate', 'activate', 'validate'] as const) leases.push(decodeJwt((await ask(verb, on('desk'))).json.lease));
    for (const lease of leases) expect(lease).not.toHaveProperty('nonce');
    expect(new Set(leases.map(({ jti }) => jti)).size).toBe(3);
  });

  test('name the device by the fingerprint to the letter', async () => {
    const { license, on } = await scene.buy({ activationLimit: 5 });
    for (const fingerprint of [' desk ', 'Ｄｅｓｋ', 'デスク🖥', 'x'.repeat(512)]) {
      const { dev } = decodeJwt((await ask('activate', on(fingerprint))).json.lease);
      expect(dev).toBe(createHash('sha256').update(`${license.id}\0${fingerprint}`).digest('base64url'));
    }
  });

  test('come with validate and activate, while the device has its seat, and never with deactivate', async () => {
    const { request, on } = await scene.buy({ activationLimit: 1 });
    expect((await ask('validate', request)).json).not.toHaveProperty('lease');
    expect((await ask('validate', on('desk'))).json).not.toHaveProperty('lease');
    expect((await ask('activate', on('desk'))).json.lease).toBeDefined();
    expect((await ask('activate', on('desk'))).json).toMatchObject({ code: 'already_activated', lease: expect.any(String) });
    expect((await ask('validate', on('desk'))).json).toMatchObject({ code: 'valid', lease: expect.any(String) });
    expect((await ask('validate', on('laptop'))).json).not.toHaveProperty('lease');
    expect((await ask('activate', on('laptop'))).json).not.toHaveProperty('lease');
    expect((await ask('deactivate', on('desk'))).json).not.toHaveProperty('lease');
    expect((await ask('validate', on('desk'))).json).not.toHaveProperty('lease');
  });

  test('are taken by the client with all the features that a product may have', async () => {
    const features = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x1f300 + index).repeat(64));
    const { license, on } = await scene.buy({ features });
    const { json, text } = await ask('activate', on('desk'));
    const { keys } = (await scene.call('GET', '/.well-known/jwks.json')).json;
    const expected = { keys, issuer: scene.issuer, productId: license.productId, fingerprint: 'desk' };
    expect(await verifyLease(json.lease, expected)).toMatchObject({ verdict: 'valid', claims: { features } });
    // Clients read no more of a reply.
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
  });

  test.each([
    ['revoked', { revokedAt: '2026-01-31T10:00:00.000Z' }],
    ['refunded', { paymentHold: 'refunded' }],
    ['disputed', { paymentHold: 'disputed' }],
    ['suspended', { suspendedAt: '2026-01-31T10:00:00.000Z' }],
    ['expired', { expiresAt: '2026-01-31T10:00:00.000Z' }],
  ] as const)('are not given for a license that is %s, also to a device that has a seat', async (status, facts) => {
    const { license, on } = await scene.buy();
    await ask('activate', on('desk'));
    await scene.change(license, facts);
    for (const verb of ['validate', 'activate'] as const) {
      const { json } = await ask(verb, on('desk'));
      expect(json).toMatchObject({ valid: false, code: `license_${status}`, device_activated: true });
      expect(json).not.toHaveProperty('lease');
    }
  });

  test('last as many days as was sold, and no longer than the license', async () => {
    const iat = Math.floor(scene.now().getTime() / 1000);
    for (const [facts, seconds] of [
      [{ offlineDays: 1 }, daySeconds],
      [{ offlineDays: 90 }, 90 * daySeconds],
      [{ offlineDays: 90, expiresAt: '2026-02-03T00:00:00.500Z' }, 2 * daySeconds],
      [{ offlineDays: 1, expiresAt: '2027-01-01T00:00:00.000Z' }, daySeconds],
    ] as const) {
      const { on } = await scene.buy(facts);
      expect(decodeJwt((await ask('activate', on('desk'))).json.lease).exp).toBe(iat + seconds);
    }
    const { on } = await scene.buy({ offlineDays: 0, offlineFileDays: 366 });
    for (const verb of ['activate', 'validate'] as const) {
      const { json } = await ask(verb, on('desk'));
      expect(json).toMatchObject({ valid: true, device_activated: true });
      expect(json).not.toHaveProperty('lease');
    }
  });

  test('of a license that was stored before there were leases last 14 days', async () => {
    const { license, on } = await scene.buy();
    await scene.forget(license, 'offlineDays', 'offlineFileDays');
    const { exp = 0, iat = 0 } = decodeJwt((await ask('activate', on('desk'))).json.lease);
    expect(exp - iat).toBe(14 * daySeconds);
    expect((await scene.activateOffline(license.productId, on('x').license_key, 'air-gapped')).json.code).toBe('offline_not_offered');
  });

  test.each(['', 'a'.repeat(129), 'with space', 'ümlaut', 'a\n', 'a=', 'a.b', 'a+b', 'a\u0000', 7, null, ['a'], {}])(
    'a nonce of another form, %j, is refused and nothing is written',
    async (nonce) => {
      const { license, on } = await scene.buy();
      for (const verb of ['validate', 'activate', 'deactivate'] as const) {
        const { status, json } = await ask(verb, { ...on('desk'), nonce });
        expect({ status, code: json.code }).toEqual({ status: 400, code: 'invalid_request' });
        if (nonce !== 'a\u0000') expect(json.message).toContain('nonce');
      }
      expect(await scene.seatsOf(license)).toBe(0);
    },
  );

  test.each(['a', 'A-z_9', '_'.repeat(128)])('a nonce %s comes back', async (nonce) => {
    const { on } = await scene.buy();
    expect(decodeJwt((await ask('activate', { ...on('desk'), nonce })).json.lease)['nonce']).toBe(nonce);
    expect(decodeJwt((await ask('validate', { ...on('desk'), nonce })).json.lease)['nonce']).toBe(nonce);
  });

  test('an unknown key gets none', async () => {
    const { json } = await ask('validate', { product_id: newId('product'), license_key: 'NONE', device_fingerprint: 'desk', nonce: 'n' });
    expect(json).toEqual({ valid: false, code: 'license_not_found', checked_at: expect.any(String) });
  });

  describe('the public keys', () => {
    test('are published in the order of the setting, named by their thumbprints, without private parts', async () => {
      const { call } = await openLeaseScene({ keys: ['l2', 'l1', 'l3'] });
      const { status, headers, json } = await call('GET', '/.well-known/jwks.json', { headers: { origin: 'https://anywhere.example' } });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        etag: expect.stringMatching(/^"[\w-]+"$/),
      });
      expect(json.keys).toHaveLength(3);
      for (const key of json.keys) {
        expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
        expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', kid: await calculateJwkThumbprint(key) });
      }
      const [first] = json.keys;
      const { on, ask: askThere } = await openLeaseScene({ keys: ['l2', 'l1', 'l3'] }).then(async (other) => ({
        ...other,
        ...(await other.buy()),
      }));
      expect(decodeProtectedHeader((await askThere('activate', on('desk'))).json.lease).kid).toBe(first.kid);
    });

    test('change their tag with the keys, and are not sent again to who has them', async () => {
      const tags = [];
      for (const keys of [['l1'], ['l1', 'l2'], ['l2', 'l1']]) {
        const { call } = await openLeaseScene({ keys });
        const etag = (await call('GET', '/.well-known/jwks.json')).headers['etag'] ?? '';
        expect(await call('GET', '/.well-known/jwks.json', { headers: { 'if-none-match': etag } })).toMatchObject({
          status: 304,
          text: '',
        });
        tags.push(etag);
      }
      expect(new Set(tags).size).toBe(3);
    });
  });
});
