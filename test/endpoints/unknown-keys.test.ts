import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose } from '../../functions/licenses/compose.ts';
import { settingNames } from '../../functions/licenses/declaration.ts';
import { routes } from '../../functions/licenses/routes.ts';
import type { SettingName } from '../../shared/config.ts';
import { newId } from '../../shared/ids.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { createTestTable, type TestTable } from '../support/engines/test-table.ts';
import { createCaller } from '../support/http/http-event.ts';
import { issueTestLicense, keyringOf } from '../support/samples/licenses.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';

const verbs = ['validate', 'activate', 'deactivate'] as const;
type Verb = (typeof verbs)[number];

describe('the budget of unknown keys', () => {
  let engine: TestTable;
  let clock: number;
  let product: string;
  let key: string;
  let ask: (verb: Verb, licenseKey: string, productId?: string) => ReturnType<ReturnType<typeof createCaller>>;

  function start(changes: Partial<Record<SettingName, string>> = {}) {
    const settings = { ...sampleSettings(settingNames, { TABLE_NAME: engine.tableName, ...changes }), LICENSE_PEPPERS: keyringOf('1') };
    const logger = createLogger({}, () => undefined);
    const call = createCaller(compose({ settings, logger, table: engine.table, now: () => new Date(clock) }), routes);
    ask = (verb, licenseKey, productId = product) =>
      call('POST', `/v1/licenses/${verb}`, { body: { product_id: productId, license_key: licenseKey, device_fingerprint: 'desk' } });
  }

  beforeEach(async () => {
    engine = await createTestTable();
    clock = Date.parse('2026-02-01T00:00:00.000Z');
    const issued = await issueTestLicense(engine.table, { key: 'SPRING26', activationLimit: 1 });
    product = issued.license.productId;
    key = issued.key;
    engine.takeRequestCounts();
  });

  const statusesOf = async (verb: Verb, count: number, licenseKey = 'GUESS-00', productId = product) => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1) statuses.push((await ask(verb, licenseKey, productId)).status);
    return statuses;
  };
  const _allowed = (count: number) => Array(count).fill(200);

  test('is one budget of all three endpoints, for keys that are unknown, mistyped or of another product', async () => {
    start({ RATE_LIMIT_UNKNOWN_KEYS: '4' });
    expect(await ask('validate', 'GUESS-01')).toMatchObject({ status: 200, json: { valid: false, code: 'license_not_found' } });
    expect(await ask('activate', 'GUESS-02')).toMatchObject({ status: 200, json: { valid: false, code: 'license_not_found' } });
    expect(await ask('deactivate', 'GUESS-03')).toMatchObject({ status: 200, json: { valid: false, code: 'license_not_found' } });
    const mistyped = 'LIC1-00000-00000-00000-00000-00001';
    expect((await ask('validate', mistyped)).json).toMatchObject({ valid: false, code: 'license_key_malformed' });
    for (const verb of verbs) {
      for (const guess of ['GUESS-04', mistyped]) {
        expect(await ask(verb, guess)).toMatchObject({ status: 429, json: { code: 'rate_limited' }, headers: { 'retry-after': '15' } });
      }
    }
  });

  test('comes back with time, and Retry-After says when', async () => {
    start({ RATE_LIMIT_UNKNOWN_KEYS: '3' });
    expect(await statusesOf('validate', 4)).toEqual([200, 200, 200, 429]);
    clock += 19_999;
    expect(await ask('validate', 'GUESS-01')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    clock += 1;
    expect(await statusesOf('validate', 2)).toEqual([200, 429]);
  });

  test('never costs a known key a refusal or a request, and is not spent by one', async () => {
    start({ RATE_LIMIT_UNKNOWN_KEYS: '2' });
    for (let index = 0; index < 5; index += 1) expect((await ask('validate', key)).json).toMatchObject({ valid: true, code: 'valid' });
    expect(await statusesOf('validate', 3)).toEqual([200, 200, 429]);
    engine.takeRequestCounts();

    expect((await ask('validate', key)).json).toMatchObject({ valid: true, code: 'valid' });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
    expect((await ask('activate', key)).json).toMatchObject({ code: 'activated' });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect((await ask('deactivate', key)).json).toMatchObject({ code: 'deactivated' });
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect((await ask('validate', 'GUESS-01')).status).toBe(429);
    expect(engine.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
  });

  test('is the product’s own', async () => {
    start({ RATE_LIMIT_UNKNOWN_KEYS: '1' });
    expect(await statusesOf('validate', 2)).toEqual([200, 429]);
    const other = newId('product');
    // Its key is unknown there too.
    expect(await statusesOf('validate', 2, key, other)).toEqual([200, 429]);
  });
});
