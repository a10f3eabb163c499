import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose } from '../../../functions/admin/compose.ts';
import { settingNames } from '../../../functions/admin/declaration.ts';
import { routes } from '../../../functions/admin/routes.ts';
import { compose as composeRuntime } from '../../../functions/licenses/compose.ts';
import { settingNames as runtimeSettings } from '../../../functions/licenses/declaration.ts';
import { routes as runtimeRoutes } from '../../../functions/licenses/routes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller, type RequestOptions } from '../../support/http/http-event.ts';
import { issueTestLicense, keyringOf } from '../../support/samples/licenses.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createTestQueue } from '../../support/scenes/projection-harness.ts';

const admin = { 'X-User-ID': 'admin-1', 'X-User-Email': 'Admin@Example.com' };
const logger = createLogger({}, () => undefined);

describe('admins and licenses', () => {
  let table: Table;
  let clock: Date;
  let ask: (method: string, path: string, options?: RequestOptions) => ReturnType<ReturnType<typeof createCaller>>;
  let app: (verb: string, body: unknown) => ReturnType<ReturnType<typeof createCaller>>;

  beforeEach(async () => {
    ({ table } = await createTestTable());
    clock = new Date('2026-02-01T00:00:00.000Z');
    const common = { table, logger, now: () => clock };
    const call = createCaller(
      compose({ settings: sampleSettings(settingNames), ...common, store: undefined, sender: createTestQueue() }),
      routes,
    );
    ask = (method, path, options = {}) => call(method, path, { headers: admin, ...options });
    const settings = { ...sampleSettings(runtimeSettings), LICENSE_PEPPERS: keyringOf('1') };
    const callRuntime = createCaller(composeRuntime({ settings, ...common }), runtimeRoutes);
    app = (verb, body) => callRuntime('POST', `/v1/licenses/${verb}`, { body });
  });

  const buy = async (facts: Parameters<typeof issueTestLicense>[1] = {}) => {
    const { key, license } = await issueTestLicense(table, facts);
    const on = (device: string) => ({ product_id: license.productId, license_key: key, device_fingerprint: device });
    return { key, license, on, path: `/v1/admin/licenses/${license.id}` };
  };

  test('a license is shown with its activations, and never with its key', async () => {
    const { key, license, on, path } = await buy();
    await app('activate', { ...on('desk'), device_label: "Yuki's desk" });
    const reply = await ask('GET', path);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      id: license.id,
      order_id: license.orderId,
      product_id: license.productId,
      seller_id: license.sellerId,
      status: 'active',
      license_issuance_mode: 'generated_server_validated',
      license_key_hint: key.slice(-4),
      activation_limit: 2,
      activation_count: 1,
      features: ['pro'],
      deactivation_allowed: true,
      issued_at: license.issuedAt,
      activations: [
        { id: expect.stringMatching(/^act_[0-7][0-9A-HJKMNP-TV-Z]{25}$/), device_label: "Yuki's desk", activated_at: clock.toISOString() },
      ],
    });
    expect(reply.text).not.toContain(key);
  });

  test('activations are listed in pages', async () => {
    const { on, path } = await buy({ activationLimit: 5 });
    for (const device of ['a', 'b', 'c', 'd', 'e']) await app('activate', on(device));
    const first = (await ask('GET', `${path}?limit=3`)).json;
    expect(first.activations).toHaveLength(3);
    const second = (await ask('GET', `${path}?limit=3&cursor=${first.next_cursor}`)).json;
    expect(second.activations).toHaveLength(2);
    expect(second.next_cursor).toBeUndefined();
    expect(new Set([...first.activations, ...second.activations].map(({ id }: { id: string }) => id)).size).toBe(5);
    for (const bad of ['limit=0', 'limit=101', 'limit=x', 'limit=', 'cursor=', 'cursor=abc', 'limit=1&limit=2']) {
      expect(await ask('GET', `${path}?${bad}`)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    }
  });

  test('a revoked license is refused by the very next validate and activate, and keeps its history', async () => {
    const { license, on, path } = await buy();
    await app('activate', on('desk'));
    const reply = await ask('POST', `${path}/revoke`, { body: { reason: 'charged back' } });
    const revocation = { revoked_at: clock.toISOString(), revoked_by: 'admin-1', revoked_reason: 'charged back' };
    expect(reply).toMatchObject({ status: 200, json: { processed: true, license: { id: license.id, status: 'revoked', ...revocation } } });
    expect((await app('validate', on('desk'))).json).toMatchObject({ valid: false, code: 'license_revoked', device_activated: true });
    expect((await app('activate', on('laptop'))).json).toMatchObject({ valid: false, code: 'license_revoked', device_activated: false });

    clock = new Date('2026-02-02T00:00:00.000Z');
    const again = await ask('POST', `${path}/revoke`, { body: { reason: 'another reason' } });
    expect(again.json).toEqual({ processed: false, license: reply.json.license });
    expect((await ask('GET', path)).json).toMatchObject({ ...revocation, activation_count: 1, activations: [{}] });

    const { items } = (await ask('GET', `/v1/admin/audit?target_id=${license.id}`)).json;
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        at: '2026-02-01T00:00:00.000Z',
        actor: 'admin-1',
        action: 'license.revoke',
        target_id: license.id,
        before: { status: 'active' },
        after: { status: 'revoked' },
        note: 'charged back',
      },
    ]);
  });

  test('a seat is released once, also where deactivation is not allowed, and the device may come back', async () => {
    const { license, on, path } = await buy({ activationLimit: 1, deactivationAllowed: false });
    await app('activate', on('lost laptop'));
    const [{ id }] = (await ask('GET', path)).json.activations;
    const release = () => ask('POST', `${path}/activations/${id}/release`);
    expect(await release()).toMatchObject({ status: 200, json: { id: license.id, activation_count: 0 } });
    expect(await release()).toMatchObject({ status: 200, json: { id: license.id, activation_count: 0 } });
    expect((await ask('GET', path)).json.activations).toEqual([
      { id, activated_at: clock.toISOString(), deactivated_at: clock.toISOString() },
    ]);
    expect((await app('activate', on('new laptop'))).json).toMatchObject({ code: 'activated' });
    expect((await app('activate', on('lost laptop'))).status).toBe(409);

    const { items } = (await ask('GET', `/v1/admin/audit?target_id=${license.id}`)).json;
    expect(items).toMatchObject([{ action: 'license.release_activation', actor: 'admin-1', after: { activation_id: id, active: false } }]);
    expect(items).toHaveLength(1);
  });

  test('a seat of a revoked license can be released', async () => {
    const { on, path } = await buy();
    await app('activate', on('desk'));
    await ask('POST', `${path}/revoke`);
    const [{ id }] = (await ask('GET', path)).json.activations;
    expect((await ask('POST', `${path}/activations/${id}/release`)).json).toMatchObject({ status: 'revoked', activation_count: 0 });
  });

  test('the audit of all is listed newest first, in pages, and by target', async () => {
    const bought = [await buy(), await buy(), await buy()];
    for (const { path } of bought) {
      clock = new Date(clock.getTime() + 1000);
      await ask('POST', `${path}/revoke`);
    }
    const newestFirst = bought.map(({ license }) => license.id).reverse();
    const first = (await ask('GET', '/v1/admin/audit?limit=2')).json;
    const second = (await ask('GET', `/v1/admin/audit?limit=2&cursor=${first.next_cursor}`)).json;
    expect([...first.items, ...second.items].map((item: { target_id: string }) => item.target_id)).toEqual(newestFirst);
    expect(second.next_cursor).toBeUndefined();
    expect((await ask('GET', `/v1/admin/audit?target_id=${newId('license')}`)).json).toEqual({ items: [] });
    for (const bad of [
      'target_id=',
      'target_id=%20',
      `target_id=${'x'.repeat(65)}`,
      `cursor=${first.next_cursor}&target_id=${newestFirst[0]}`,
    ]) {
      expect(await ask('GET', `/v1/admin/audit?${bad}`)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    }
  });
});
