import { beforeEach, describe, expect, test } from '@jest/globals';
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

  /** A code of this length. */
  const fill = (length: number) => {
    for (let size = 1; ; size += 1) {
      const filled = code({ x: 'x'.repeat(size) });
      if (filled.length >= length) return filled;
    }
  };

  beforeEach(async () => {
    scene = await openLeaseScene();
    bought = await scene.buy({ activationLimit: 2, offlineDays: 0, offlineFileDays: 30 });
    scene.takeRequestCounts();
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

  test('is refused before a seat is taken where the terms do not offer it, also to a device that has one', async () => {
    const { key, license, on } = await scene.buy({ offlineDays: 90, offlineFileDays: 0, activationLimit: 1 });
    const ask = () => scene.activateOffline(license.productId, key, 'x');
    expect(await ask()).toMatchObject({ status: 403, json: { code: 'offline_not_offered' } });
    expect(await scene.seatsOf(license)).toBe(0);
    await scene.ask('activate', on('other'));
    expect(await ask()).toMatchObject({ status: 403, json: { code: 'offline_not_offered' } });
    await scene.ask('deactivate', on('other'));
    await scene.ask('activate', on('x'));
    expect(await ask()).toMatchObject({ status: 403, json: { code: 'offline_not_offered' } });
  });

  test('answers why a license cannot be used before whether it is offered', async () => {
    const { key, license } = await scene.buy({ offlineFileDays: 0, paymentHold: 'refunded' });
    const { status, json } = await scene.activateOffline(license.productId, key, 'x');
    expect({ status, json }).toMatchObject({ status: 200, json: { valid: false, code: 'license_refunded' } });
    expect(json).not.toHaveProperty('lease');
  });

  test('knows a key of the product in the code alone', async () => {
    const other = await scene.buy({ offlineFileDays: 30 });
    expect((await send(other.key, code())).json).toEqual({ valid: false, code: 'license_not_found', checked_at: expect.any(String) });
    expect((await send('LIC1-00000-00000-00000-00000-00001', code())).json.code).toBe('license_key_malformed');
    expect((await send(` ${bought.key.toLowerCase()}\n`, code())).json.code).toBe('activated');
  });

  test('reads over white space of any kind', async () => {
    const spaced = [...code({ n: 'n' })].join('\n \u3000\u00a0\t\u0085\u200b\u2060');
    expect((await send(bought.key, `\r\n${spaced}\ufeff`)).json.code).toBe('activated');
    const far = [...fill(4000)].join('   ');
    expect((await send(bought.key, far)).json.code).toBe('already_activated');
  });

  test('takes codes of at most 4,000 characters', async () => {
    expect([fill(4000).length, fill(4001).length]).toEqual([4000, 4001]);
    expect((await send(bought.key, fill(4000))).json.code).toBe('activated');
    expect(await send(bought.key, fill(4001))).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  const raw = (bytes: string | Buffer) => `LAR1.${Buffer.from(bytes).toString('base64url')}`;
  const member = (members: string) => () => raw(`{"p":"${bought.license.productId}",${members}}`);
  test.each<[string, () => unknown]>([
    ['nothing', () => ''],
    ['white space', () => ' \n'],
    ['the prefix alone', () => 'LAR1.'],
    ['another prefix', () => code().replace('LAR1', 'LAR2')],
    ['a prefix in lower case', () => code().replace('LAR1', 'lar1')],
    ['no prefix', () => code().slice(5)],
    ['a code that was cut', () => code().slice(0, -3)],
    ['a code that lost its first half', () => `LAR1.${code().slice(40)}`],
    ['a code that was doubled', () => code() + code()],
    ['its text twice', () => code() + code().slice(5)],
    ['padding', () => `${code({ n: 'ab' })}=`],
    ['the other alphabet', () => `LAR1.${Buffer.from(`{"p":"${bought.license.productId}","d":"~~~???>>>"}`).toString('base64')}`],
    ['a last symbol with bits to spare', () => `${raw('{}').slice(0, -1)}h`],
    ['quotes around it', () => `"${code()}"`],
    ['a dot in it', () => `${code()}.`],
    ['NUL after it', () => `${code()}\u0000`],
    ['no JSON', () => raw('hello')],
    ['an array', () => raw('["p","d"]')],
    ['null', () => raw('null')],
    ['two documents', () => raw('{}{}')],
    ['bytes that are no UTF-8', () => raw(Buffer.concat([Buffer.from('{"p":"x","d":"'), Buffer.of(0xff), Buffer.from('"}')]))],
    ['no product', () => raw('{"d":"x"}')],
    ['a product of 65 characters', () => raw(`{"p":"${'x'.repeat(65)}","d":"x"}`)],
    ['a product with NUL', () => raw('{"p":"a\\u0000","d":"x"}')],
    ['a blank product', () => raw('{"p":" ","d":"x"}')],
    ['no device', () => raw(`{"p":"${bought.license.productId}"}`)],
    ['a blank device', member('"d":" "')],
    ['a device with NUL', member('"d":"a\\u0000"')],
    ['half of a surrogate pair', member('"d":"\\ud800"')],
    ['a device of 513 characters', member(`"d":"${'x'.repeat(513)}"`)],
    ['a device that is no text', member('"d":1')],
    ['a label of 101 characters', member(`"d":"x","l":"${'x'.repeat(101)}"`)],
    ['a label with NUL', member('"d":"x","l":"\\u0000"')],
    ['a label that is null', member('"d":"x","l":null')],
    ['a nonce with a space', member('"d":"x","n":"a b"')],
    ['an empty nonce', member('"d":"x","n":""')],
    ['a nonce of 129 characters', member(`"d":"x","n":"${'x'.repeat(129)}"`)],
    ['a number', () => 7],
    ['null for it', () => null],
    ['a list', () => [code()]],
    ['3,000 brackets', () => raw('['.repeat(2900))],
  ])('refuses %s, naming the field, and writes nothing', async (what, request) => {
    const { status, json } = await send(bought.key, request());
    expect({ status, code: json.code }).toEqual({ status: 400, code: 'invalid_request' });
    // NUL is refused in whatever field it is.
    if (what !== 'NUL after it') expect(json.message).toMatch(/^request_code /);
    expect(json.message).not.toMatch(/LAR1|prd_/);
    expect(await scene.seatsOf(bought.license)).toBe(0);
    expect(scene.takeRequestCounts()).not.toHaveProperty('TransactWriteItems');
  });

  test('refuses a megabyte, and a body without its fields', async () => {
    expect(await send(bought.key, 'x'.repeat(1_000_000))).toMatchObject({ status: 400, json: { code: 'payload_too_large' } });
    expect(await send(bought.key, `LAR1.${'A'.repeat(250_000)}`)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect((await scene.call('POST', path, { body: {} })).json).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^license_key .*; request_code /),
    });
    for (const key of ['', ' ', 'x'.repeat(513), null]) expect((await send(key, code())).json.message).toMatch(/^license_key /);
  });

  test('leaves no key, fingerprint, label or lease in the log', async () => {
    const { json } = await send(bought.key, code({ d: 'secret-device', l: 'secret-label', n: 'secret-nonce' }));
    await send(bought.key, `${code({ d: 'secret-device' })}!`);
    const log = scene.lines.join('\n');
    for (const secret of [bought.key, 'secret-', json.lease.slice(0, 30), code().slice(0, 20)]) expect(log).not.toContain(secret);
  });
});
