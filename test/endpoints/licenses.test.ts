import { beforeAll, describe, expect, test } from '@jest/globals';
import { compose } from '../../functions/licenses/compose.ts';
import { settingNames } from '../../functions/licenses/declaration.ts';
import { routes } from '../../functions/licenses/routes.ts';
import type { Table } from '../../shared/db/table.ts';
import { newId } from '../../shared/ids.ts';
import { listDevices, recordLicenseHold } from '../../shared/licenses/license-repository.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { normalizeLicenseKey } from '../../shared/text/license-key.ts';
import { createTestTable, type TestTable } from '../support/engines/test-table.ts';
import { createCaller } from '../support/http/http-event.ts';
import { issueTestLicense, keyringOf } from '../support/samples/licenses.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';

const now = new Date('2026-02-01T00:00:00.000Z');
const lines: string[] = [];

describe('the runtime endpoints', () => {
  let engine: TestTable;
  let table: Table;
  let call: ReturnType<typeof createCaller>;
  const ask = (verb: 'validate' | 'activate' | 'deactivate', body: unknown) => call('POST', `/v1/licenses/${verb}`, { body });

  beforeAll(async () => {
    engine = await createTestTable();
    table = engine.table;
    const settings = { ...sampleSettings(settingNames, { TABLE_NAME: engine.tableName }), LICENSE_PEPPERS: keyringOf('2', '1') };
    const logger = createLogger({}, (line) => lines.push(line));
    call = createCaller(compose({ settings, logger, table, now: () => now }), routes);
  });

  const buy = async (facts: Parameters<typeof issueTestLicense>[1] = {}) => {
    const { key, license } = await issueTestLicense(table, facts);
    const request = { product_id: license.productId, license_key: key };
    engine.takeRequestCounts();
    return { license, request, on: (device: string) => ({ ...request, device_fingerprint: device }) };
  };

  test('validate shows all of a license but nothing of its buyer', async () => {
    const { license, request, on } = await buy();
    const reply = await ask('validate', request);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      valid: true,
      code: 'valid',
      checked_at: now.toISOString(),
      license_id: license.id,
      status: 'active',
      activation_limit: 2,
      activation_count: 0,
      features: ['pro'],
      issued_at: license.issuedAt,
    });
    const named = await ask('validate', on('desk'));
    expect(named.json).toEqual({ ...reply.json, device_activated: false });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 2 });
  });

  test('a device takes a seat once, and its own seat is answered before the limit', async () => {
    const { on } = await buy({ activationLimit: 1 });
    expect((await ask('activate', on('desk'))).json).toMatchObject({
      valid: true,
      code: 'activated',
      device_activated: true,
      activation_count: 1,
    });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect((await ask('activate', on('desk'))).json).toMatchObject({ valid: true, code: 'already_activated', activation_count: 1 });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1 });

    engine.takeRequestCounts();
    const refused = await ask('activate', on('laptop'));
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect(refused).toMatchObject({ status: 409, json: { code: 'activation_limit_exceeded' } });
    expect(Object.keys(refused.json).sort()).toEqual(['code', 'message', 'request_id']);
    expect((await ask('validate', on('laptop'))).json).toMatchObject({ valid: true, device_activated: false, activation_count: 1 });
    expect((await ask('validate', on('desk'))).json).toMatchObject({ valid: true, device_activated: true });
  });

  test('a freed seat is free for another device, and freeing it again is answered the same way', async () => {
    const { on } = await buy({ activationLimit: 1 });
    await ask('activate', on('desk'));
    engine.takeRequestCounts();
    expect((await ask('deactivate', on('desk'))).json).toMatchObject({
      valid: true,
      code: 'deactivated',
      device_activated: false,
      activation_count: 0,
    });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    const again = { valid: true, code: 'not_activated', device_activated: false, activation_count: 0 };
    expect((await ask('deactivate', on('desk'))).json).toMatchObject(again);
    expect((await ask('deactivate', on('never seen'))).json).toMatchObject(again);
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 3 });
    expect((await ask('activate', on('laptop'))).json).toMatchObject({ code: 'activated', activation_count: 1 });
    expect((await ask('activate', on('desk'))).status).toBe(409);
  });

  test('a device that comes back after it was deactivated has one record', async () => {
    const { license, on } = await buy({ activationLimit: 1 });
    await ask('activate', { ...on('desk'), device_label: "\u202eYuki's\u2069 desk", app_version: '\u200f2' });
    await ask('deactivate', on('desk'));
    await ask('activate', on('desk'));
    const { items } = await listDevices(table, license, { limit: 10 });
    expect(items).toMatchObject([{ deviceLabel: "Yuki's desk" }]);
    expect(items[0]?.deactivatedAt).toBeUndefined();
  });

  test('every spelling of a key is the same key', async () => {
    const { request, on } = await buy({ key: 'LIC1-0O1IL-ABCDE-FGH23-45678-9JKMN' });
    const spellings = [
      ' lic1-00111-abcde-fgh23-45678-9jkmn\n',
      'LIC100111ABCDEFGH23456789JKMN',
      'ＬＩＣ１—ｏ０ＬＩ１—ＡＢＣＤＥ—ＦＧＨ２３—４５６７８—９ＪＫＭＮ',
      '\u200bLIC1\u00a000111\u2011ABCDE\u2212FGH23\u00ad45678 9JKMN\ufeff',
      '「LIC1ー00111ｰABCDE-FGH23-45678-9JKMN」。',
      '<`LIC1_00111_ABCDE_FGH23_45678_9JKMN`>.',
      '（LIC1-00111-ABCDE-FGH23-45678-9JKMN）．',
    ];
    for (const spelling of spellings) {
      expect((await ask('validate', { ...request, license_key: spelling })).json).toMatchObject({ valid: true });
    }
    const device = on('desk');
    await ask('activate', device);
    engine.takeRequestCounts();
    for (const spelling of [spellings[1], spellings[5]]) {
      expect((await ask('activate', { ...device, license_key: spelling })).json).toMatchObject({ code: 'already_activated' });
    }
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 2 });
    expect((await ask('deactivate', { ...device, license_key: spellings[6] })).json).toMatchObject({ code: 'deactivated' });
  });

  test('codes that differ by punctuation alone are each found as it is written', async () => {
    const bare = await buy({ key: 'GIFTCARD2026' });
    const { productId } = bare.license;
    const dotted = await buy({ key: 'gift.card.2026', productId });
    const idOf = async (licenseKey: string) =>
      (await ask('validate', { product_id: productId, license_key: licenseKey })).json['license_id'];
    expect(await idOf('Gift.Card.2026')).toBe(dotted.license.id);
    expect(await idOf('Gift Card 2026')).toBe(bare.license.id);
    expect(await idOf('"Gift Card 2026",')).toBe(bare.license.id);
    expect(await idOf('Gift_Card_2026')).toBe(bare.license.id);
  });

  test('a key of another product, an unknown key and an empty one have the same reply; a mistyped one has its own', async () => {
    const { request, on } = await buy();
    const notFound = { valid: false, code: 'license_not_found', checked_at: now.toISOString() };
    for (const verb of ['validate', 'activate', 'deactivate'] as const) {
      const otherProduct = await ask(verb, { ...on('desk'), product_id: newId('product') });
      expect(otherProduct.json).toEqual(notFound);
      expect((await ask(verb, { ...on('desk'), product_id: 'no id at all' })).json).toEqual(notFound);
      expect((await ask(verb, { ...on('desk'), license_key: 'OTHER-KEY' })).json).toEqual(notFound);
      expect((await ask(verb, { ...on('desk'), license_key: '- - -' })).json).toEqual(notFound);
      const symbols = [...normalizeLicenseKey(request.license_key)];
      const mistyped = symbols.with(8, symbols[8] === 'Z' ? 'Y' : 'Z').join('');
      const reply = await ask(verb, { ...on('desk'), license_key: mistyped });
      expect(reply).toMatchObject({ status: 200, json: { ...notFound, code: 'license_key_malformed' } });
      expect(Object.keys(reply.json)).toHaveLength(3);
      const incomplete = await ask(verb, { ...on('desk'), license_key: `"${request.license_key.slice(0, 20)}"` });
      expect(incomplete.json).toEqual({ ...notFound, code: 'license_key_malformed' });
    }
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 18 });
  });

  const revokedAt = '2026-01-31T10:00:00.000Z';
  const past = '2026-01-31T23:59:59.999Z';
  test.each([
    ['revoked', { revokedAt, paymentHold: 'refunded', suspendedAt: past, expiresAt: past }],
    ['expired', { expiresAt: past }],
  ] as const)('a license that is %s is not valid, takes no device and lets devices go', async (status, facts) => {
    const { on } = await buy(facts);
    const answer = { valid: false, code: `license_${status}`, status, device_activated: false, activation_count: 0 };
    expect(await ask('validate', on('desk'))).toMatchObject({ status: 200, json: answer });
    expect(await ask('activate', on('desk'))).toMatchObject({ status: 200, json: answer });
    expect(await ask('deactivate', on('desk'))).toMatchObject({ status: 200, json: { ...answer, code: 'not_activated' } });
  });

  test('a device keeps its record when the license is held, and can be deactivated then', async () => {
    const { license, on } = await buy();
    await ask('activate', on('desk'));
    await table.write(recordLicenseHold(license, 'disputed'));
    const held = { valid: false, code: 'license_disputed', device_activated: true, activation_count: 1 };
    expect((await ask('validate', on('desk'))).json).toMatchObject(held);
    expect((await ask('activate', on('desk'))).json).toMatchObject(held);
    expect((await ask('deactivate', on('desk'))).json).toMatchObject({ valid: false, code: 'deactivated', activation_count: 0 });
  });

  test('terms that forbid deactivation are answered for every device', async () => {
    const { on } = await buy({ deactivationAllowed: false });
    await ask('activate', on('desk'));
    for (const device of ['desk', 'never seen']) {
      expect(await ask('deactivate', on(device))).toMatchObject({ status: 400, json: { code: 'deactivation_not_allowed' } });
    }
    expect((await ask('deactivate', { ...on('desk'), license_key: 'OTHER' })).json).toMatchObject({ code: 'license_not_found' });
  });

  test.each(['1', '2'])('licenses of pepper %s, the current one being 2, are found in one request', async (version) => {
    const { on } = await buy({ peppers: keyringOf(version) });
    expect((await ask('validate', on('desk'))).json).toMatchObject({ valid: true });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
    expect((await ask('activate', on('desk'))).json).toMatchObject({ code: 'activated' });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
  });

  test('a fingerprint is any text, taken as it is', async () => {
    const { on } = await buy({ activationLimit: 10 });
    const fingerprints = ['x', ' x', 'X', '😀'.repeat(512), '{"a":1}', '../..', 'ｘ'];
    for (const fingerprint of fingerprints) {
      expect((await ask('activate', on(fingerprint))).json).toMatchObject({ code: 'activated' });
    }
    expect((await ask('validate', on('x'))).json).toMatchObject({ activation_count: fingerprints.length });
  });

  test.each([
    ['validate', { product_id: undefined }],
    ['validate', { license_key: null }],
    ['validate', { license_key: 'a\0b' }],
    ['validate', { device_fingerprint: null }],
    ['validate', { device_fingerprint: 'a\0b' }],
    ['validate', { app_version: 7 }],
    ['activate', { device_fingerprint: undefined }],
    ['activate', { device_fingerprint: '' }],
    ['deactivate', { device_fingerprint: undefined }],
  ] as const)('%s refuses %j and reads nothing', async (verb, change) => {
    const { on } = await buy();
    const reply = await ask(verb, { ...on('desk'), ...change });
    expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect(engine.takeRequestCounts()).toEqual({});
  });

  test('answers apps of any origin, and writes neither key nor fingerprint to the log', async () => {
    const { request, on } = await buy();
    const reply = await call('POST', '/v1/licenses/activate', { body: on('secret device'), headers: { origin: 'https://app.example' } });
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': '*', 'x-request-id': expect.any(String) });
    await ask('activate', { ...on('secret device'), license_key: `${request.license_key}\0` });
    expect(lines.join()).not.toContain(request.license_key);
    expect(lines.join()).not.toContain('secret device');
  });
});
