import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { verifyLease } from '../../infra/documents/clients/license-client.ts';
import type { License } from '../../shared/licenses/license.ts';
import { requestCodeOf } from '../support/samples/leases.ts';
import { type LeaseScene, openLeaseScene } from '../support/scenes/lease-scene.ts';

const daySeconds = 86_400;

let scene: LeaseScene;
let ask: LeaseScene['ask'];
beforeAll(async () => {
  scene = await openLeaseScene();
  ({ ask } = scene);
});

describe('leases', () => {
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
  const leaseOf = async (verb: 'activate' | 'validate', body: object) => decodeJwt((await ask(verb, body)).json.lease);

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
    const header = JSON.stringify({ alg: 'ES256', typ: 'license-lease+jwt', kid: scene.keyId });
    expect(Buffer.from(json.lease.split('.')[0], 'base64url').toString()).toBe(header);
  });

  test('have each its own id, and the nonce of the request if that had one of the right form', async () => {
    const { license, on } = await scene.buy();
    for (const nonce of ['', 'a'.repeat(129), 'with space', 'ümlaut', 'a\n', 'a=', 'a.b', 'a+b', 7, null, ['a']]) {
      for (const verb of ['validate', 'activate', 'deactivate'] as const) {
        const { status, json } = await ask(verb, { ...on('desk'), nonce });
        expect([nonce, status, json.code]).toEqual([nonce, 400, 'invalid_request']);
        expect(json.message).toContain('nonce');
      }
    }
    expect(await scene.seatsOf(license)).toBe(0);
    const leases = [];
    for (const nonce of [undefined, 'a', 'A-z_9', '_'.repeat(128)]) {
      for (const verb of ['activate', 'validate'] as const) {
        const lease = await leaseOf(verb, { ...on('desk'), nonce });
        expect(lease['nonce']).toBe(nonce);
        leases.push(lease);
      }
    }
    expect(new Set(leases.map(({ jti }) => jti)).size).toBe(8);
  });

  test('name the device by the fingerprint to the letter', async () => {
    const { license, on } = await scene.buy({ activationLimit: 5 });
    for (const fingerprint of [' desk ', 'Ｄｅｓｋ', 'デスク🖥', 'x'.repeat(512)]) {
      const { dev } = await leaseOf('activate', on(fingerprint));
      expect(dev).toBe(createHash('sha256').update(`${license.id}\0${fingerprint}`).digest('base64url'));
    }
  });

  test('come with validate and activate, while the device has its seat, and never with deactivate', async () => {
    const { request, on } = await scene.buy({ activationLimit: 1 });
    const hasLease = async (verb: 'validate' | 'activate' | 'deactivate', body: object) => (await ask(verb, body)).json.lease !== undefined;
    expect(await hasLease('validate', request)).toBe(false);
    expect(await hasLease('validate', on('desk'))).toBe(false);
    for (const verb of ['activate', 'activate', 'validate'] as const) {
      expect(await hasLease(verb, on('desk'))).toBe(true);
      expect(await hasLease(verb, on('laptop'))).toBe(false);
    }
    expect(await hasLease('deactivate', on('desk'))).toBe(false);
    expect(await hasLease('validate', on('desk'))).toBe(false);
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
    ['refunded', { paymentHold: 'refunded' }],
    ['suspended', { suspendedAt: '2026-01-31T10:00:00.000Z' }],
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

  test('last as many days as was sold, no longer than the license, and 14 where it was stored before there were leases', async () => {
    const iat = Math.floor(scene.now().getTime() / 1000);
    for (const [facts, days] of [
      [{ offlineDays: 1 }, 1],
      [{ offlineDays: 90 }, 90],
      [{ offlineDays: 90, expiresAt: '2026-02-03T00:00:00.500Z' }, 2],
      [{ offlineDays: 1, expiresAt: '2027-01-01T00:00:00.000Z' }, 1],
    ] as const) {
      expect((await leaseOf('activate', (await scene.buy(facts)).on('desk'))).exp).toBe(iat + days * daySeconds);
    }
    const { on } = await scene.buy({ offlineDays: 0, offlineFileDays: 366 });
    for (const verb of ['activate', 'validate'] as const) {
      const { json } = await ask(verb, on('desk'));
      expect(json).toMatchObject({ valid: true, device_activated: true });
      expect(json).not.toHaveProperty('lease');
    }
    const older = await scene.buy();
    await scene.forget(older.license, 'offlineDays', 'offlineFileDays');
    expect((await leaseOf('activate', older.on('desk'))).exp).toBe(iat + 14 * daySeconds);
    expect((await scene.activateOffline(older.license.productId, older.key, 'air-gapped')).json.code).toBe('offline_not_offered');
  });

  describe('the public keys', () => {
    test('are published in the order of the setting, named by their thumbprints, without private parts; the first signs', async () => {
      const call = scene.withKeys(['l2', 'l1', 'l3']);
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
      const body = (await scene.buy()).on('desk');
      const { lease } = (await call('POST', '/v1/licenses/activate', { body })).json;
      expect(decodeProtectedHeader(lease).kid).toBe(json.keys[0].kid);
    });

    test('change their tag with the keys, and are not sent again to who has them', async () => {
      const tags = new Set<string>();
      for (const keys of [['l1'], ['l1', 'l2'], ['l2', 'l1']]) {
        const call = scene.withKeys(keys);
        const etag = (await call('GET', '/.well-known/jwks.json')).headers['etag'] ?? '';
        const again = await call('GET', '/.well-known/jwks.json', { headers: { 'if-none-match': etag } });
        expect(again).toMatchObject({ status: 304, text: '' });
        tags.add(etag);
      }
      expect(tags.size).toBe(3);
    });
  });
});

const buy = async (facts: Partial<License> = {}) => {
  const { license, on } = await scene.buy(facts);
  const ask = async (verb: 'validate' | 'activate' | 'deactivate', more: object = {}, device = 'laptop') =>
    (await scene.ask(verb, { ...on(device), update_feed: true, ...more })).json;
  return { license, ask };
};
const feedOf = ({ update_feed_url, update_feed_expires_at }: Record<string, unknown>) => update_feed_url ?? update_feed_expires_at;

describe('the address of the feeds of updates', () => {
  test('a device with a seat gets the address of its feeds for a day, and the reply is kept nowhere', async () => {
    const { license, ask } = await buy();
    const base = `${scene.issuer}/v1/updates/${license.productId}/`;
    for (const verb of ['activate', 'validate'] as const) {
      const reply = await scene.ask(verb, { ...(await scene.buy()).on('laptop'), update_feed: true });
      expect(reply.headers['cache-control']).toBe('no-store');
      const { update_feed_url, update_feed_expires_at } = await ask(verb);
      expect(update_feed_url).toMatch(new RegExp(`^${base}[\\w-]+\\.[\\w-]+\\.[\\w-]+$`));
      expect(update_feed_expires_at).toBe('2026-02-02T00:00:00.000Z');
    }
  });

  test('nobody else gets one', async () => {
    const { ask } = await buy();
    expect(feedOf(await ask('validate'))).toBeUndefined();
    expect(feedOf(await ask('activate', { update_feed: false }))).toBeUndefined();
    expect(feedOf(await ask('activate', { update_feed: undefined }))).toBeUndefined();
    expect(feedOf(await ask('validate', {}, 'another device'))).toBeUndefined();
    expect(feedOf(await ask('deactivate'))).toBeUndefined();
    const suspended = await buy({ suspendedAt: '2026-01-31T09:00:00.000Z' });
    expect(feedOf(await suspended.ask('activate'))).toBeUndefined();
  });

  test('a license without leases has feeds, and a test key has none', async () => {
    const [plain, test] = [await buy({ offlineDays: 0 }), await buy()];
    expect(feedOf(await plain.ask('activate'))).toBeDefined();
    await scene.forget(test.license, 'orderId');
    expect(await test.ask('activate')).toMatchObject({ test: true, lease: expect.any(String) });
    expect(feedOf(await test.ask('validate'))).toBeUndefined();
  });

  test.each(['validate', 'activate', 'deactivate'] as const)('%s takes nothing but true and false', async (verb) => {
    const { ask } = await buy();
    expect(await ask(verb, { update_feed: 'yes' })).toMatchObject({
      code: 'invalid_request',
      message: 'update_feed must be true or false',
    });
  });
});

describe('the activation of a device without network', () => {
  let bought: Awaited<ReturnType<LeaseScene['buy']>>;
  const path = '/v1/licenses/offline-activations';
  const send = (license_key: unknown, request_code: unknown) => scene.call('POST', path, { body: { license_key, request_code } });
  const code = (more: object = {}) => requestCodeOf({ p: bought.license.productId, d: 'air-gapped', ...more });

  beforeEach(async () => {
    bought = await scene.buy({ activationLimit: 2, offlineDays: 0, offlineFileDays: 30 });
  });

  test('takes a seat and gives a lease to carry back', async () => {
    const { status, json } = await send(bought.key, code({ l: 'Plant floor', n: 'nonce-1', unknown: { deep: [1] } }));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      valid: true,
      code: 'activated',
      license_id: bought.license.id,
      activation_count: 1,
      device_activated: true,
    });
    const { iat = 0, exp, kind, nonce } = decodeJwt(json.lease);
    expect({ exp, kind, nonce }).toEqual({ exp: iat + 30 * daySeconds, kind: 'offline', nonce: 'nonce-1' });
    expect(scene.takeRequestCounts()).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect(await scene.labelsOf(bought.license)).toEqual(['Plant floor']);
  });

  test('is the activation of the same device by activate, and takes one seat with it', async () => {
    await scene.ask('activate', bought.on('air-gapped'));
    const again = await send(bought.key, code());
    expect(again.json).toMatchObject({ code: 'already_activated', activation_count: 1, lease: expect.any(String) });
    expect((await scene.ask('deactivate', bought.on('air-gapped'))).json).toMatchObject({ code: 'deactivated', activation_count: 0 });
  });

  test('keeps to the seats', async () => {
    for (const device of ['a', 'b']) expect((await send(bought.key, code({ d: device }))).json.code).toBe('activated');
    expect(await send(bought.key, code({ d: 'c' }))).toMatchObject({ status: 409, json: { code: 'activation_limit_exceeded' } });
    expect((await send(bought.key, code({ d: 'a' }))).json.code).toBe('already_activated');
  });

  test('lasts no longer than the license, whatever offline_days is', async () => {
    for (const [facts, days] of [
      [{ offlineDays: 90, offlineFileDays: 1 }, 1],
      [{ offlineDays: 0, offlineFileDays: 366 }, 366],
      [{ offlineDays: 14, offlineFileDays: 366, expiresAt: '2026-02-06T00:00:00.000Z' }, 5],
    ] as const) {
      const { key, license } = await scene.buy(facts);
      const { iat = 0, exp } = decodeJwt((await scene.activateOffline(license.productId, key, 'x')).json.lease);
      expect(exp).toBe(iat + days * daySeconds);
    }
  });

  test('is refused before a seat is taken where the terms do not offer it, but not before why the license cannot be used', async () => {
    const { key, license, on } = await scene.buy({ offlineDays: 90, offlineFileDays: 0, activationLimit: 1 });
    const ask = () => scene.activateOffline(license.productId, key, 'x');
    const notOffered = { status: 403, json: { code: 'offline_not_offered' } };
    expect(await ask()).toMatchObject(notOffered);
    expect(await scene.seatsOf(license)).toBe(0);
    // Nor to a device that has a seat, or while another has it.
    await scene.ask('activate', on('other'));
    expect(await ask()).toMatchObject(notOffered);
    await scene.ask('deactivate', on('other'));
    await scene.ask('activate', on('x'));
    expect(await ask()).toMatchObject(notOffered);
    await scene.change(license, { paymentHold: 'refunded' });
    const { status, json } = await ask();
    expect([status, json.valid, json.code, json.lease]).toEqual([200, false, 'license_refunded', undefined]);
  });

  test('knows a key of the product in the code alone', async () => {
    const other = await scene.buy({ offlineFileDays: 30 });
    expect((await send(other.key, code())).json).toEqual({ valid: false, code: 'license_not_found', checked_at: expect.any(String) });
    expect((await send('LIC1-00000-00000-00000-00000-00001', code())).json.code).toBe('license_key_malformed');
    expect((await send(` ${bought.key.toLowerCase()}\n`, code())).json.code).toBe('activated');
  });

  // What a request code is, unit/leases decides; this is what it says besides.
  test('refuses what is no request code, naming the field, and writes nothing', async () => {
    const raw = (bytes: string | Buffer) => `LAR1.${Buffer.from(bytes).toString('base64url')}`;
    const member = (members: string) => raw(`{"p":"${bought.license.productId}",${members}}`);
    for (const request of [
      ...[
        '',
        ' \n',
        code().slice(0, -3),
        code() + code(),
        `LAR1.${code().slice(40)}`,
        `${raw('{}').slice(0, -1)}h`,
        `"${code()}"`,
        `${code()}.`,
      ],
      `LAR1.${Buffer.from(`{"p":"${bought.license.productId}","d":"~~~???>>>"}`).toString('base64')}`,
      ...[raw('null'), raw('{}{}'), raw('['.repeat(2900)), raw(`{"p":"${'x'.repeat(65)}","d":"x"}`), raw('{"p":" ","d":"x"}')],
      ...[member(`"d":"${'x'.repeat(513)}"`), member('"d":1'), member(`"d":"x","l":"${'x'.repeat(101)}"`), member('"d":"x","l":null')],
      ...[member('"d":"x","n":"a b"'), member('"d":"x","n":""'), member(`"d":"x","n":"${'x'.repeat(129)}"`)],
      ...[7, null, [code()], `LAR1.${'A'.repeat(250_000)}`],
    ]) {
      const { status, json } = await send(bought.key, request);
      expect([request, status, json.code]).toEqual([request, 400, 'invalid_request']);
      expect(json.message).toMatch(/^request_code /);
      expect(json.message).not.toMatch(/LAR1|prd_/);
    }
    expect((await scene.call('POST', path, { body: {} })).json.message).toMatch(/^license_key .*; request_code /);
    for (const key of ['', ' ', 'x'.repeat(513), null]) expect((await send(key, code())).json.message).toMatch(/^license_key /);
    expect(await scene.seatsOf(bought.license)).toBe(0);
    expect(scene.takeRequestCounts()).not.toHaveProperty('TransactWriteItems');
  });

  test('leaves no key, fingerprint, label or lease in the log', async () => {
    const { json } = await send(bought.key, code({ d: 'secret-device', l: 'secret-label', n: 'secret-nonce' }));
    await send(bought.key, `${code({ d: 'secret-device' })}!`);
    const log = scene.logged.join('\n');
    for (const secret of [bought.key, 'secret-', json.lease.slice(0, 30), code().slice(0, 20)]) expect(log).not.toContain(secret);
  });
});
