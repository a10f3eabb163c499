import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../shared/ids.ts';
import { listDevices, recordLicenseHold } from '../../shared/licenses/license-repository.ts';
import { normalizeLicenseKey } from '../../shared/text/license-key.ts';
import { keyringOf, keyringText } from '../support/samples/licenses.ts';
import { type LeaseScene, openLeaseScene } from '../support/scenes/lease-scene.ts';

const verbs = ['validate', 'activate', 'deactivate'] as const;
type Verb = (typeof verbs)[number];

describe('the runtime endpoints', () => {
  let scene: LeaseScene;
  beforeAll(async () => {
    scene = await openLeaseScene({ changes: { LICENSE_PEPPERS: keyringText('2', '1') } });
  });
  const ask = (verb: Verb, body: unknown) => scene.ask(verb, body);
  const seat = { BatchGetItem: 1, TransactWriteItems: 1 };

  test('validate shows all of a license but nothing of its buyer', async () => {
    const { license, request, on } = await scene.buy();
    const reply = await ask('validate', request);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      valid: true,
      code: 'valid',
      checked_at: scene.now().toISOString(),
      license_id: license.id,
      status: 'active',
      activation_limit: 2,
      activation_count: 0,
      features: ['pro'],
      issued_at: license.issuedAt,
    });
    expect((await ask('validate', on('desk'))).json).toEqual({ ...reply.json, device_activated: false });
    expect(scene.takeRequestCounts()).toEqual({ BatchGetItem: 2 });
  });

  test('a device takes a seat once, before the limit, frees it once, and has one record when it comes back', async () => {
    const { license, on } = await scene.buy({ activationLimit: 1 });
    const step = async (verb: Verb, device: string, code: string, activation_count: number, requests: object) => {
      const device_activated = code.endsWith('activated') && verb === 'activate';
      expect((await ask(verb, on(device))).json).toMatchObject({ valid: true, code, activation_count, device_activated });
      expect([device, code, scene.takeRequestCounts()]).toEqual([device, code, requests]);
    };
    const labelled = { ...on('desk'), device_label: "\u202eYuki's\u2069 desk", app_version: '\u200f2' };
    expect((await ask('activate', labelled)).json).toMatchObject({ code: 'activated', activation_count: 1 });
    expect(scene.takeRequestCounts()).toEqual(seat);
    await step('activate', 'desk', 'already_activated', 1, { BatchGetItem: 1 });

    const refused = await ask('activate', on('laptop'));
    expect(refused).toMatchObject({ status: 409, json: { code: 'activation_limit_exceeded' } });
    expect(Object.keys(refused.json).sort()).toEqual(['code', 'message', 'request_id']);
    expect(scene.takeRequestCounts()).toEqual(seat);
    await step('validate', 'laptop', 'valid', 1, { BatchGetItem: 1 });

    await step('deactivate', 'desk', 'deactivated', 0, seat);
    await step('deactivate', 'desk', 'not_activated', 0, { BatchGetItem: 2 });
    await step('deactivate', 'never seen', 'not_activated', 0, { BatchGetItem: 1 });
    await step('activate', 'laptop', 'activated', 1, seat);
    await step('deactivate', 'laptop', 'deactivated', 0, seat);
    await step('activate', 'desk', 'activated', 1, seat);
    const { items } = await listDevices(scene.table, license, { limit: 10 });
    const [desk, ...others] = items.filter(({ deactivatedAt }) => deactivatedAt === undefined);
    expect([desk?.deviceLabel, others, items.length]).toEqual(["Yuki's desk", [], 2]);
  });

  test('every spelling of a key is the same key', async () => {
    const { request, on } = await scene.buy({ key: 'LIC1-0O1IL-ABCDE-FGH23-45678-9JKMN' });
    const sold = await scene.buy();
    const spellings = [
      ' lic1-00111-abcde-fgh23-45678-9jkmn\n',
      '「LIC1ー00111ｰABCDE-FGH23-45678-9JKMN」。',
      '<`LIC1_00111_ABCDE_FGH23_45678_9JKMN`>.',
    ];
    await ask('activate', on('desk'));
    scene.takeRequestCounts();
    for (const license_key of spellings) {
      expect((await ask('validate', { ...request, license_key })).json).toMatchObject({ valid: true });
      expect((await ask('activate', { ...on('desk'), license_key })).json).toMatchObject({ code: 'already_activated' });
    }
    expect(scene.takeRequestCounts()).toEqual({ BatchGetItem: 6 });
    expect((await ask('deactivate', { ...on('desk'), license_key: spellings[2] })).json).toMatchObject({ code: 'deactivated' });

    await ask('activate', sold.on('desk'));
    scene.takeRequestCounts();
    const pasted = { ...sold.on('desk'), license_key: `ライセンスキー: *${sold.key}*` };
    expect((await ask('validate', pasted)).json).toMatchObject({ valid: true, device_activated: true });
    expect(scene.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
    expect((await ask('deactivate', pasted)).json).toMatchObject({ code: 'deactivated' });
  });

  test('codes that differ by punctuation alone are each found as it is written', async () => {
    const bare = await scene.buy({ key: 'GIFTCARD2026' });
    const product_id = bare.license.productId;
    const dotted = await scene.buy({ key: 'gift.card.2026', productId: product_id });
    const idOf = async (license_key: string) => (await ask('validate', { product_id, license_key })).json['license_id'];
    expect(await idOf('Gift.Card.2026')).toBe(dotted.license.id);
    for (const typed of ['Gift Card 2026', '"Gift Card 2026",', 'Gift_Card_2026']) expect(await idOf(typed)).toBe(bare.license.id);
  });

  test('a key of another product, an unknown key and an empty one have the same reply; a mistyped one has its own', async () => {
    const [{ request, on }, other] = [await scene.buy(), await scene.buy()];
    const symbols = [...normalizeLicenseKey(request.license_key)];
    const mistyped = symbols.with(8, symbols[8] === 'Z' ? 'Y' : 'Z').join('');
    const cases: [object, string][] = [
      [{ product_id: newId('product') }, 'license_not_found'],
      [{ product_id: 'no id at all' }, 'license_not_found'],
      [{ license_key: 'OTHER-KEY' }, 'license_not_found'],
      [{ license_key: '- - -' }, 'license_not_found'],
      [{ license_key: mistyped }, 'license_key_malformed'],
      [{ license_key: `"${request.license_key.slice(0, 20)}"` }, 'license_key_malformed'],
      [{ license_key: `${request.license_key} ${other.key}` }, 'license_key_malformed'],
    ];
    for (const verb of verbs) {
      for (const [change, code] of cases) {
        const { status, json } = await ask(verb, { ...on('desk'), ...change });
        expect([status, json]).toEqual([200, { valid: false, code, checked_at: scene.now().toISOString() }]);
      }
    }
    expect(scene.takeRequestCounts()).toEqual({ BatchGetItem: 21 });
  });

  const past = '2026-01-31T23:59:59.999Z';
  test.each([
    ['revoked', { revokedAt: past, paymentHold: 'refunded', suspendedAt: past, expiresAt: past }],
    ['expired', { expiresAt: past }],
  ] as const)('a license that is %s is not valid, takes no device and lets devices go', async (status, facts) => {
    const { on } = await scene.buy(facts);
    const answer = { valid: false, code: `license_${status}`, status, device_activated: false, activation_count: 0 };
    for (const verb of ['validate', 'activate'] as const) expect(await ask(verb, on('desk'))).toMatchObject({ status: 200, json: answer });
    expect(await ask('deactivate', on('desk'))).toMatchObject({ status: 200, json: { ...answer, code: 'not_activated' } });
  });

  test('a device keeps its record when the license is held, and can be deactivated then', async () => {
    const { license, on } = await scene.buy();
    await ask('activate', on('desk'));
    await scene.table.write(recordLicenseHold(license, 'disputed'));
    const held = { valid: false, code: 'license_disputed', device_activated: true, activation_count: 1 };
    for (const verb of ['validate', 'activate'] as const) expect((await ask(verb, on('desk'))).json).toMatchObject(held);
    expect((await ask('deactivate', on('desk'))).json).toMatchObject({ valid: false, code: 'deactivated', activation_count: 0 });
  });

  test('terms that forbid deactivation are answered for every device', async () => {
    const { on } = await scene.buy({ deactivationAllowed: false });
    await ask('activate', on('desk'));
    for (const device of ['desk', 'never seen']) {
      expect(await ask('deactivate', on(device))).toMatchObject({ status: 400, json: { code: 'deactivation_not_allowed' } });
    }
    expect((await ask('deactivate', { ...on('desk'), license_key: 'OTHER' })).json).toMatchObject({ code: 'license_not_found' });
  });

  test.each(['1', '2'])('licenses of pepper %s, the current one being 2, are found in one request', async (version) => {
    const { on } = await scene.buy({ peppers: keyringOf(version) });
    expect((await ask('validate', on('desk'))).json).toMatchObject({ valid: true });
    expect(scene.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
    expect((await ask('activate', on('desk'))).json).toMatchObject({ code: 'activated' });
    expect(scene.takeRequestCounts()).toEqual(seat);
  });

  test('a fingerprint is any text, taken as it is', async () => {
    const { on } = await scene.buy({ activationLimit: 10 });
    const fingerprints = ['x', ' x', 'X', '😀'.repeat(512), '{"a":1}', '../..', 'ｘ'];
    for (const fingerprint of fingerprints) expect((await ask('activate', on(fingerprint))).json).toMatchObject({ code: 'activated' });
    expect((await ask('validate', on('x'))).json).toMatchObject({ activation_count: fingerprints.length });
  });

  test('what is no request is refused, and nothing is read; neither key nor fingerprint is written to the log', async () => {
    const { request, on } = await scene.buy();
    for (const [verb, change] of [
      ['validate', { product_id: undefined }],
      ['validate', { license_key: `${request.license_key}\0` }],
      ['validate', { device_fingerprint: null }],
      ['validate', { app_version: 7 }],
      ['activate', { device_fingerprint: undefined }],
      ['deactivate', { device_fingerprint: undefined }],
    ] as const) {
      const reply = await ask(verb, { ...on('secret device'), ...change });
      expect([verb, change, reply]).toMatchObject([verb, change, { status: 400, json: { code: 'invalid_request' } }]);
    }
    expect(scene.takeRequestCounts()).toEqual({});
    await ask('activate', on('secret device'));
    expect(scene.logged.join()).not.toContain(request.license_key);
    expect(scene.logged.join()).not.toContain('secret device');
  });
});

describe('the budget of unknown keys', () => {
  test('is one of all three endpoints, for keys that are unknown, mistyped or of another product, and comes back with time', async () => {
    const scene = await openLeaseScene({ changes: { RATE_LIMIT_UNKNOWN_KEYS: '4' } });
    const { on, request } = await scene.buy({ key: 'SPRING26', activationLimit: 1 });
    const guess = async (verb: Verb, change: object) => {
      const { status, json, headers } = await scene.ask(verb, { ...on('desk'), ...change });
      return [json.code, status === 429 ? Number(headers['retry-after']) : json.valid];
    };
    const [unknown, mistyped] = [{ license_key: 'GUESS-01' }, { license_key: 'LIC1-00000-00000-00000-00000-00001' }];
    // Known keys do not spend it.
    for (let index = 0; index < 5; index += 1) expect(await guess('validate', {})).toEqual(['valid', true]);
    for (const verb of verbs) expect(await guess(verb, unknown)).toEqual(['license_not_found', false]);
    expect(await guess('validate', mistyped)).toEqual(['license_key_malformed', false]);
    for (const verb of verbs) for (const change of [unknown, mistyped]) expect(await guess(verb, change)).toEqual(['rate_limited', 15]);

    // Nor does it cost them a refusal or a request.
    for (const [verb, code, requests] of [
      ['validate', 'valid', { BatchGetItem: 1 }],
      ['activate', 'activated', { BatchGetItem: 1, TransactWriteItems: 1 }],
      ['deactivate', 'deactivated', { BatchGetItem: 1, TransactWriteItems: 1 }],
    ] as const) {
      scene.takeRequestCounts();
      expect(await guess(verb, {})).toEqual([code, true]);
      expect(scene.takeRequestCounts()).toEqual(requests);
    }
    // Of another product it is another one.
    expect(await guess('validate', { ...request, product_id: newId('product') })).toEqual(['license_not_found', false]);

    const until = scene.clock.at.getTime() + 15_000;
    scene.clock.at = new Date(until - 1);
    expect(await guess('validate', unknown)).toEqual(['rate_limited', 1]);
    scene.clock.at = new Date(until);
    expect(await guess('validate', unknown)).toEqual(['license_not_found', false]);
    expect(await guess('validate', unknown)).toEqual(['rate_limited', 15]);
  });
});
