import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { findIssuedKeys } from '../../../shared/licenses/issued-keys.ts';
import { normalizeLicenseKey } from '../../../shared/text/license-key.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { requestCodeOf } from '../../support/samples/leases.ts';
import { issueTestLicense, keyringOf } from '../../support/samples/licenses.ts';
import { type Buyer, type BuyerScene, openBuyerScene } from '../../support/scenes/licenses/buyer-scene.ts';

let scene: BuyerScene;
let buyer: Buyer;
beforeAll(async () => {
  scene = await openBuyerScene({ environment: { RATE_LIMIT_UNKNOWN_KEYS: '1' } });
});
beforeEach(async () => {
  scene.queue.sent.length = 0;
  buyer = await scene.buy({ activationLimit: 3 });
});

const verbs = ['validate', 'activate', 'deactivate'] as const;
const replaced = () => ({ valid: false, code: 'license_replaced', checked_at: scene.now().toISOString() });

const imported = { licenseIssuanceMode: 'imported_csv', key: 'SELLER-CODE-0001' } as const;

describe('a buyer who replaces the key', () => {
  test('gets the page with the new key, which works in its place with every seat empty', async () => {
    await buyer.app('activate', 'laptop');
    const before = (await buyer.ask('complete')).json;
    const reply = await buyer.replaceKey();
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    const key = reply.json.license.license_key;
    expect(key).toMatch(/^SHOP7(-[0-9A-Z]{5}){5}$/);
    expect(key).not.toBe(buyer.firstKey);
    expect(reply.json).toEqual({ ...before, license: { ...before.license, license_key: key, activation_count: 0 } });
    expect((await buyer.ask('complete')).json).toEqual(reply.json);

    expect(await buyer.seats()).toEqual({ activationCount: 0, active: 0 });
    expect((await buyer.devices()).json).toMatchObject({ devices: [], activation_count: 0, moves_left: 5 });
    expect((await buyer.app('validate', 'laptop')).json).toMatchObject({
      ...{ valid: true, code: 'valid', device_activated: false, license_id: buyer.license.id },
      ...{ activation_limit: 3, activation_count: 0, features: ['pro'], issued_at: buyer.license.issuedAt },
    });
    for (const device of ['laptop', 'desk', 'tablet']) expect((await buyer.app('activate', device)).json.code).toBe('activated');
    expect((await buyer.app('activate', 'phone')).status).toBe(409);
  });

  test('has the old key told so, with nothing else, in every spelling, without network too, whatever becomes of the license', async () => {
    await buyer.app('activate', 'laptop');
    await buyer.replaceKey();
    await buyer.app('activate', 'laptop');
    const spelled = buyer.firstKey.toLowerCase().replaceAll('-', ' ');
    const request_code = requestCodeOf({ p: buyer.order.productId, d: 'cellar' });
    for (const hold of [undefined, 'refunded'] as const) {
      await buyer.hold(hold);
      for (const old of [buyer.firstKey, spelled]) {
        for (const verb of verbs) expect((await buyer.app(verb, 'laptop', { of: old })).json).toEqual(replaced());
        expect((await scene.activateOffline({ license_key: old, request_code })).json).toEqual(replaced());
      }
    }
    expect(await buyer.seats()).toEqual({ activationCount: 1, active: 1 });
  });

  test('costs apps no further request, with the old key or the new one', async () => {
    await buyer.replaceKey();
    const counted = async (verb: (typeof verbs)[number], old?: string) => {
      scene.takeRequestCounts();
      await buyer.app(verb, 'laptop', old === undefined ? {} : { of: old });
      return scene.takeRequestCounts();
    };
    for (const verb of verbs) expect(await counted(verb, buyer.firstKey)).toEqual({ BatchGetItem: 1 });
    expect(await counted('validate')).toEqual({ BatchGetItem: 1 });
    expect(await counted('activate')).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect(await counted('activate')).toEqual({ BatchGetItem: 1 });
    expect(await counted('deactivate')).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
  });

  test('spends nothing of the budget of unknown keys with the old one', async () => {
    await buyer.replaceKey();
    for (const verb of verbs) expect((await buyer.app(verb, 'laptop', { of: buyer.firstKey })).json.code).toBe('license_replaced');
    expect((await buyer.app('validate', 'laptop', { of: 'NO-SUCH-KEY' })).json.code).toBe('license_not_found');
    expect((await buyer.app('validate', 'laptop', { of: 'NO-SUCH-KEY' })).status).toBe(429);
    for (const verb of verbs) expect((await buyer.app(verb, 'laptop', { of: buyer.firstKey })).json.code).toBe('license_replaced');
  });

  test('is audited, and told by a mail, both without a key', async () => {
    const key = (await buyer.replaceKey()).json.license.license_key;
    expect(await buyer.audited()).toEqual(['buyer license.replace_key']);
    const mails = await buyer.mails();
    expect(mails).toMatchObject([{ kind: 'key_replaced', state: 'pending', deviceLabel: undefined }]);
    expect(scene.queue.sent).toEqual([`send-mail:${buyer.order.id}/${mails[0]!.mailId}`]);
    const kept = [JSON.stringify(await readContents(scene)), ...scene.logged, ...scene.queue.sent].join('\n');
    for (const secret of [key, buyer.firstKey, buyer.token]) {
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(normalizeLicenseKey(secret));
    }
  });

  test.each([
    ['a refunded license', { paymentHold: 'refunded' }, [403, 'license_not_usable']],
    ['a suspended license', { suspendedAt: '2026-01-31T12:00:00.000Z' }, [403, 'license_not_usable']],
    ['an imported code', imported, [400, 'wrong_issuance_mode']],
    ['a refunded imported code', { ...imported, paymentHold: 'refunded' }, [400, 'wrong_issuance_mode']],
  ] as const)('is refused for %s', async (_, facts, refusal) => {
    const licenseIssuanceMode = 'licenseIssuanceMode' in facts ? facts.licenseIssuanceMode : 'generated_server_validated';
    const stopped = await scene.buy(facts, { terms: { ...buyer.order.terms, licenseIssuanceMode } });
    const { status, json } = await stopped.replaceKey();
    expect([status, json.code]).toEqual(refusal);
    expect(await stopped.stored()).toEqual(stopped.license);
    expect(await stopped.mails()).toEqual([]);
  });

  test('may do it again when 30 days are over, and no moment earlier', async () => {
    const second = 1 / (24 * 3600);
    await buyer.app('activate', 'laptop');
    await buyer.replaceKey();
    const refused = { status: 403, json: { code: 'moves_exhausted' } };
    expect(await buyer.replaceKey()).toMatchObject(refused);
    scene.passDays(30 - second);
    expect(await buyer.replaceKey()).toMatchObject(refused);
    scene.passDays(second);
    const between = (await buyer.ask('complete')).json.license.license_key;
    await buyer.app('activate', 'laptop');
    expect((await buyer.replaceKey()).status).toBe(200);
    for (const key of [buyer.firstKey, between]) expect((await buyer.release('laptop', key)).json).toMatchObject({ moves_left: 5 });
    for (const old of [buyer.firstKey, between]) expect((await buyer.app('activate', 'desk', { of: old })).json).toEqual(replaced());
    expect((await buyer.app('activate', 'desk')).json.code).toBe('activated');
    expect(await buyer.replaceKey()).toMatchObject(refused);
  });

  test('may do it whatever moves are left, and has as many moves as before', async () => {
    for (let moved = 0; moved < 5; moved += 1) {
      await buyer.app('activate', 'laptop');
      await buyer.release('laptop');
    }
    expect((await buyer.replaceKey()).status).toBe(200);
    expect((await buyer.devices()).json).toMatchObject({ moves_left: 0, moves_reset_at: expect.any(String) });
    await buyer.app('activate', 'laptop');
    expect(await buyer.release('laptop')).toMatchObject({ status: 403, json: { code: 'moves_exhausted' } });
  });
});

describe('devices of a replaced key', () => {
  let deskLeftAt: string;
  beforeEach(async () => {
    await buyer.app('activate', 'laptop', { label: 'the laptop' });
    await buyer.app('activate', 'desk');
    scene.passDays(1);
    await buyer.app('deactivate', 'desk');
    deskLeftAt = scene.now().toISOString();
    scene.passDays(1);
    await buyer.replaceKey();
  });

  test('are devices of the license still: releasing them counts no move', async () => {
    for (const device of ['laptop', 'desk']) {
      const activation_id = buyer.activationId(device, buyer.firstKey);
      const reply = await buyer.release(device, buyer.firstKey);
      expect([reply.status, reply.json]).toEqual([200, { activation_id, activation_count: 0, moves_left: 5 }]);
    }
    expect(await buyer.release('never seen', buyer.firstKey)).toMatchObject({ status: 404, json: { code: 'activation_not_found' } });
    expect(await buyer.release('laptop')).toMatchObject({ status: 404, json: { code: 'activation_not_found' } });
    expect((await buyer.app('activate', 'laptop')).json).toMatchObject({ code: 'activated', activation_count: 1 });
    expect((await buyer.release('laptop')).json).toMatchObject({ activation_count: 0, moves_left: 4 });
  });

  test('are shown to admins beside the new ones, freed when the key was replaced if they had a seat', async () => {
    const replacedAt = scene.now().toISOString();
    scene.passDays(1);
    await buyer.app('activate', 'laptop');
    const reply = await buyer.admin('GET', '');
    expect(reply.json).toMatchObject({ activation_count: 1, license_key_hint: (await buyer.stored()).keyHint });
    const byId = new Map(reply.json.activations.map((activation: { id: string }) => [activation.id, activation]));
    expect(byId.size).toBe(3);
    expect(byId.get(buyer.activationId('laptop', buyer.firstKey))).toMatchObject({
      device_label: 'the laptop',
      deactivated_at: replacedAt,
    });
    expect(byId.get(buyer.activationId('desk', buyer.firstKey))).toMatchObject({ deactivated_at: deskLeftAt });
    expect(byId.get(buyer.activationId('laptop'))).not.toHaveProperty('deactivated_at');

    const release = (device: string, key?: string) => buyer.admin('POST', `/activations/${buyer.activationId(device, key)}/release`);
    expect(await release('laptop', buyer.firstKey)).toMatchObject({ status: 200, json: { activation_count: 1 } });
    expect(await release('laptop')).toMatchObject({ status: 200, json: { activation_count: 0 } });
    expect((await release('phone')).status).toBe(404);
  });
});

describe('a license whose key was replaced', () => {
  test('keeps all but the key and the seats', async () => {
    const kept = await scene.buy({
      expiresAt: '2027-01-01T00:00:00.000Z',
      offlineDays: 3,
      offlineFileDays: 30,
      updatesUntil: '2027-01-31T09:00:00.000Z',
      deactivationAllowed: false,
    });
    await kept.app('activate', 'desk');
    await kept.replaceKey();
    const { lookup, sealedKey, keyHint, formerKeys, ...rest } = await kept.stored();
    const { lookup: oldLookup, sealedKey: _, keyHint: __, ...before } = kept.license;
    expect(rest).toEqual(before);
    expect(formerKeys).toEqual([{ lookup: oldLookup, replacedAt: scene.now().toISOString() }]);
  });

  test('leaves the old key taken: no license gets it, no import sells it', async () => {
    const { productId } = buyer.order;
    await buyer.replaceKey();
    const c = { table: scene.table, settings: { LICENSE_PEPPERS: keyringOf('1') } };
    const key = normalizeLicenseKey(buyer.firstKey);
    expect(await findIssuedKeys(c, productId, [key, 'OTHERCODE'])).toEqual(new Set([key]));
    await expect(issueTestLicense(scene.table, { productId, key: buyer.firstKey, id: newId('license') })).rejects.toThrow(/has this key/);
  });
});
