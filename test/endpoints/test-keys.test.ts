import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { requestCodeOf } from '../support/samples/leases.ts';
import { issueTestLicense, keyringText } from '../support/samples/licenses.ts';
import { type CatalogHarness, createCatalogHarness } from '../support/scenes/catalog-harness.ts';

const error = (status: number, code: string) => ({ status, json: { code } });
const daySeconds = 24 * 3600;

let catalog: CatalogHarness;
beforeAll(async () => {
  // Keys are looked up under an older pepper too.
  catalog = await createCatalogHarness({ LICENSE_PEPPERS: keyringText('2', '1') });
});
const daysAhead = (days: number) => new Date(catalog.now().getTime() + days * daySeconds * 1000).toISOString();

/** A draft of a seller who waits for approval, and what its owner does with test keys. */
const draft = async (fields: Record<string, unknown> = {}) => {
  const { seller, call, create } = await catalog.newSeller({ internalReviewStatus: 'pending_review' });
  const { id } = await create(fields);
  const path = `/v1/products/${id}/test-keys`;
  const mint = () => call('POST', path);
  return {
    seller,
    id,
    call,
    mint,
    key: async () => (await mint()).json as { license_id: string; license_key: string; expires_at: string },
    list: async (query = '') => (await call('GET', `${path}${query}`)).json,
    end: (licenseId: string) => call('POST', `${path}/${licenseId}/end`),
    ask: async (verb: string, license_key: string, device_fingerprint?: string) =>
      (await catalog.publicCall('POST', `/v1/licenses/${verb}`, { body: { product_id: id, license_key, device_fingerprint } })).json,
  };
};

describe('test keys', () => {
  test('run an app on the terms of a product that was never approved, and say that they are tests', async () => {
    const terms = { activation_limit: 2, features: ['export'], license_key_prefix: 'APP7', offline_file_days: 30, updates_days: 365 };
    const { id, mint, ask, end } = await draft(terms);
    catalog.takeRequestCounts();
    const minted = await mint();
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 3, PutItem: 1, TransactWriteItems: 1 });
    expect(minted).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    const { license_id, license_key, expires_at } = minted.json;
    expect([license_key, expires_at]).toEqual([expect.stringMatching(/^APP7(-[0-9A-Z]{5}){5}$/), daysAhead(90)]);
    const shown = {
      valid: true,
      license_id,
      activation_limit: 2,
      features: ['export'],
      test: true,
      expires_at,
      updates_until: daysAhead(365),
    };
    const activated = await ask('activate', license_key, 'desk');
    expect(activated).toMatchObject({ ...shown, code: 'activated', activation_count: 1 });
    expect(decodeJwt(activated.lease)).toMatchObject({ sub: license_id, kind: 'online', test: true });
    const body = { license_key, request_code: requestCodeOf({ p: id, d: 'laptop' }) };
    const offline = await catalog.publicCall('POST', '/v1/licenses/offline-activations', { body });
    expect(decodeJwt(offline.json.lease)).toMatchObject({ kind: 'offline', test: true });
    expect((await ask('activate', license_key, 'phone')).code).toBe('activation_limit_exceeded');
    expect(await ask('deactivate', license_key, 'desk')).toMatchObject({ ...shown, code: 'deactivated', activation_count: 1 });
    for (let times = 0; times < 2; times += 1) expect(await end(license_id)).toMatchObject({ status: 200, json: { license_id } });
    expect(await ask('validate', license_key)).toMatchObject({ valid: false, code: 'license_revoked', test: true });
  });

  test.each([
    [4, 4],
    [100_000, 5],
  ])('have of %d seats %d', async (activation_limit, seats) => {
    const { key, ask } = await draft({ activation_limit });
    const { license_key } = await key();
    expect(await ask('validate', license_key)).toMatchObject({ activation_limit: seats });
  });

  test('cause no event and no sale, and are known to admins by their id alone', async () => {
    const { seller, call, key, ask } = await draft();
    const { license_id, license_key } = await key();
    for (const [verb, device] of [
      ['activate', 'desk'],
      ['activate', 'another'],
      ['deactivate', 'desk'],
    ] as const)
      await ask(verb, license_key, device);
    expect(Object.keys(await catalog.readAll()).filter((item) => item.startsWith('JOB#'))).toEqual([]);
    expect((await call('POST', '/v1/orders/search', { body: { license_key } })).json).toEqual({ items: [] });
    expect((await call('GET', '/v1/orders')).json).toEqual({ items: [] });
    const shown = (await catalog.adminCall('GET', `/v1/admin/licenses/${license_id}`)).json;
    expect(shown).toMatchObject({ id: license_id, seller_id: seller.id, test: true, status: 'active' });
    expect(shown).not.toHaveProperty('order_id');
    const revoked = await catalog.adminCall('POST', `/v1/admin/licenses/${license_id}/revoke`);
    expect(revoked.json).toMatchObject({ processed: true, license: { status: 'revoked', test: true } });
    const { items } = await listAudit(catalog.table, { targetId: license_id, limit: 10 });
    const issued = `${seller.ownerUserId} license.issue_test_key`;
    expect(items.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([issued, 'the-admin license.revoke'].sort());
    expect(JSON.stringify([await catalog.readAll(), catalog.logged])).not.toContain(license_key);
  });

  test('are generated where codes are imported, alive for 90 days, and listed newest first', async () => {
    const { key, list, ask, end } = await draft({ license_issuance_mode: 'imported_csv' });
    const [first, second, third] = [await key(), await key(), await key()];
    const shown = await catalog.adminCall('GET', `/v1/admin/licenses/${first.license_id}`);
    expect(shown.json.license_issuance_mode).toBe('generated_server_validated');
    await end(second.license_id);
    const at = catalog.now().toISOString();
    const item = ({ license_id, license_key, expires_at }: typeof first) => ({
      license_id,
      license_key_hint: license_key.slice(-4),
      created_at: at,
      expires_at,
    });
    expect(await list()).toEqual({ items: [item(third), { ...item(second), ended_at: at }, item(first)] });
    const page = await list('?limit=2');
    expect(page.items).toHaveLength(2);
    expect((await list(`?limit=2&cursor=${page.next_cursor}`)).items).toMatchObject([{ license_id: first.license_id }]);
    catalog.pass(90 * daySeconds - 1);
    expect(await ask('validate', first.license_key)).toMatchObject({ valid: true, test: true });
    catalog.pass(1);
    expect(await ask('validate', first.license_key)).toMatchObject({ valid: false, code: 'license_expired', test: true });
  });

  test('are 20 at most, however many are minted at once; those that ended or expired make room', async () => {
    const { mint, end } = await draft();
    const minted = await Promise.all(Array.from({ length: 26 }, () => mint()));
    const outcomes = minted.map(({ status, json }) => json.code ?? status).sort();
    expect(outcomes).toEqual([...Array(20).fill(201), ...Array(6).fill('too_many_test_keys')]);
    const [one, other] = minted.filter(({ status }) => status === 201);
    await end(one?.json.license_id);
    await catalog.adminCall('POST', `/v1/admin/licenses/${other?.json.license_id}/revoke`);
    for (const status of [201, 201, 400]) expect((await mint()).status).toBe(status);
    catalog.pass(90 * daySeconds);
    expect((await mint()).status).toBe(201);
  });

  test('are not minted while seller or product are stopped, and ended all the same', async () => {
    const { seller, id, mint, key, list, end } = await draft();
    const { license_id } = await key();
    await catalog.review(id, { decision: 'suspend' });
    expect(await mint()).toMatchObject(error(403, 'product_suspended'));
    for (const status of ['rejected', 'suspended'] as const) {
      await catalog.setSellerStatus(seller.id, status);
      expect(await mint()).toMatchObject(error(403, 'seller_not_eligible'));
    }
    expect((await list()).items).toHaveLength(1);
    expect((await end(license_id)).status).toBe(200);
  });

  test('alone are ended: what was sold, of the same product too, is not found', async () => {
    const { seller, id: productId, end } = await draft();
    const { license } = await issueTestLicense(catalog.table, { productId, sellerId: seller.id });
    expect(await end(license.id)).toMatchObject(error(404, 'license_not_found'));
    expect((await catalog.adminCall('GET', `/v1/admin/licenses/${license.id}`)).json.status).toBe('active');
  });
});
