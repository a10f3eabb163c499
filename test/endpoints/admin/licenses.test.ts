import { beforeAll, describe, expect, test } from '@jest/globals';
import { issueTestLicense, keyringText } from '../../support/samples/licenses.ts';
import { type CatalogHarness, createCatalogHarness } from '../../support/scenes/catalog-harness.ts';

describe('admins and licenses', () => {
  let catalog: CatalogHarness;
  beforeAll(async () => {
    catalog = await createCatalogHarness({ LICENSE_PEPPERS: keyringText('1') });
  });

  const buy = async (facts: Parameters<typeof issueTestLicense>[1] = {}) => {
    const { key, license } = await issueTestLicense(catalog.table, facts);
    const path = `/v1/admin/licenses/${license.id}`;
    return {
      license,
      read: async (query = '') => (await catalog.adminCall('GET', `${path}${query}`)).json,
      post: async (action: string, body?: object) => (await catalog.adminCall('POST', `${path}/${action}`, { body })).json,
      audited: async () => (await catalog.adminCall('GET', `/v1/admin/audit?target_id=${license.id}`)).json.items,
      app: async (verb: string, device_fingerprint: string) => {
        const body = { product_id: license.productId, license_key: key, device_fingerprint };
        return (await catalog.publicCall('POST', `/v1/licenses/${verb}`, { body })).json;
      },
    };
  };

  test('activations are listed in pages', async () => {
    const { app, read } = await buy({ activationLimit: 5 });
    for (const device of ['a', 'b', 'c', 'd', 'e']) await app('activate', device);
    const first = await read('?limit=3');
    const second = await read(`?limit=3&cursor=${first.next_cursor}`);
    expect([first.activations.length, second.activations.length, second.next_cursor]).toEqual([3, 2, undefined]);
    expect(new Set([...first.activations, ...second.activations].map(({ id }: { id: string }) => id)).size).toBe(5);
    expect((await read('?cursor=abc')).code).toBe('invalid_request');
  });

  test('a revoked license is refused by the very next validate and activate, and keeps its history', async () => {
    const { license, app, read, post, audited } = await buy();
    await app('activate', 'desk');
    const at = catalog.now().toISOString();
    const reply = await post('revoke', { reason: 'charged back' });
    const revocation = { status: 'revoked', revoked_at: at, revoked_by: 'the-admin', revoked_reason: 'charged back' };
    expect(reply).toMatchObject({ processed: true, license: { id: license.id, ...revocation } });
    expect(await app('validate', 'desk')).toMatchObject({ valid: false, code: 'license_revoked', device_activated: true });
    expect(await app('activate', 'laptop')).toMatchObject({ valid: false, code: 'license_revoked', device_activated: false });
    catalog.pass(3600);
    expect(await post('revoke', { reason: 'another reason' })).toEqual({ processed: false, license: reply.license });
    const { activations, ...shown } = await read();
    expect(shown).toMatchObject({ ...revocation, activation_count: 1 });
    const record = { action: 'license.revoke', actor: 'the-admin', at, target_id: license.id, note: 'charged back' };
    const moved = { before: { status: 'active' }, after: { status: 'revoked' } };
    expect(await audited()).toEqual([{ id: expect.stringMatching(/^aud_/), ...record, ...moved }]);
    expect(await post(`activations/${activations[0].id}/release`)).toMatchObject({ status: 'revoked', activation_count: 0 });
  });

  test('a seat is released once, also where deactivation is not allowed, and the device may come back', async () => {
    const { license, app, read, post, audited } = await buy({ activationLimit: 1, deactivationAllowed: false });
    await app('activate', 'lost laptop');
    const [{ id }] = (await read()).activations;
    for (let times = 0; times < 2; times += 1)
      expect(await post(`activations/${id}/release`)).toMatchObject({ id: license.id, activation_count: 0 });
    const at = catalog.now().toISOString();
    expect((await read()).activations).toEqual([{ id, activated_at: at, deactivated_at: at }]);
    expect((await app('activate', 'new laptop')).code).toBe('activated');
    expect((await app('activate', 'lost laptop')).code).toBe('activation_limit_exceeded');
    const record = { action: 'license.release_activation', actor: 'the-admin', after: { activation_id: id, active: false } };
    expect(await audited()).toEqual([expect.objectContaining(record)]);
  });

  test('the audit of all is listed newest first', async () => {
    const bought = [await buy(), await buy(), await buy()];
    for (const { post } of bought) {
      catalog.pass(1);
      await post('revoke');
    }
    const { items } = (await catalog.adminCall('GET', '/v1/admin/audit?limit=3')).json;
    expect(items.map((item: { target_id: string }) => item.target_id)).toEqual(bought.map(({ license }) => license.id).reverse());
    for (const bad of ['target_id=%20', `target_id=${'x'.repeat(65)}`])
      expect((await catalog.adminCall('GET', `/v1/admin/audit?${bad}`)).json.code).toBe('invalid_request');
  });
});
