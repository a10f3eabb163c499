import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { requestCodeOf } from '../../support/samples/leases.ts';
import { type LeaseScene, openLeaseScene } from '../../support/scenes/lease-scene.ts';

const path = '/v1/licenses/offline-activations';
const daySeconds = 86_400;

describe('the activation of a device without network', () => {
  let scene: LeaseScene;
  let bought: Awaited<ReturnType<LeaseScene['buy']>>;
  const send = (license_key: unknown, request_code: unknown) => scene.call('POST', path, { body: { license_key, request_code } });
  const code = (more: object = {}) => requestCodeOf({ p: bought.license.productId, d: 'air-gapped', ...more });

  beforeAll(async () => {
    scene = await openLeaseScene();
  });
  beforeEach(async () => {
    bought = await scene.buy({ activationLimit: 2, offlineDays: 0, offlineFileDays: 30 });
  });

  test('takes a seat and gives a lease to carry back', async () => {
    const { status, json } = await send(bought.key, code({ l: 'Plant floor', n: 'nonce-1', unknown: { deep: [1] } }));
    expect(status).toBe(200);
    expect(json).toEqual({
      valid: true,
      code: 'activated',
      checked_at: scene.now().toISOString(),
      license_id: bought.license.id,
      status: 'active',
      activation_limit: 2,
      activation_count: 1,
      features: ['pro'],
      issued_at: bought.license.issuedAt,
      device_activated: true,
      lease: expect.any(String),
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
