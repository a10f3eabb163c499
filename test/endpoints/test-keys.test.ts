import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { compose as composeLicenses } from '../../functions/licenses/compose.ts';
import { settingNames as licenseSettings } from '../../functions/licenses/declaration.ts';
import { routes as licenseRoutes } from '../../functions/licenses/routes.ts';
import { compose as composeOrders } from '../../functions/orders/compose.ts';
import { settingNames as orderSettings } from '../../functions/orders/declaration.ts';
import { routes as orderRoutes } from '../../functions/orders/routes.ts';
import { compose } from '../../functions/test-keys/compose.ts';
import { settingNames } from '../../functions/test-keys/declaration.ts';
import { routes } from '../../functions/test-keys/routes.ts';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { createCaller, type RequestOptions } from '../support/http/http-event.ts';
import { keyringText } from '../support/samples/licenses.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../support/scenes/catalog-harness.ts';
import { createTestQueue } from '../support/scenes/projection-harness.ts';

const error = (status: number, code: string) => ({ status, json: { code } });
const daySeconds = 24 * 3600;
/** Keys are looked up under an older pepper too. */
const peppers = { LICENSE_PEPPERS: keyringText('2', '1') };

describe('test keys', () => {
  let catalog: CatalogHarness;
  let now: () => Date;
  let desk: ReturnType<typeof createCaller>;
  let sales: ReturnType<typeof createCaller>;
  let apps: ReturnType<typeof createCaller>;
  let names = 0;

  beforeAll(async () => {
    catalog = await createCatalogHarness();
    now = catalog.now;
    const common = { table: catalog.table, logger: createLogger({}, (line) => catalog.logged.push(line)), now };
    desk = createCaller(compose({ settings: sampleSettings(settingNames, peppers), ...common }), routes);
    apps = createCaller(
      composeLicenses({ settings: sampleSettings(licenseSettings, { ...peppers, TABLE_NAME: catalog.tableName }), ...common }),
      licenseRoutes,
    );
    sales = createCaller(
      composeOrders({ settings: sampleSettings(orderSettings, peppers), sender: createTestQueue(), ...common }),
      orderRoutes,
    );
  });

  /** A draft of a seller who waits for approval, and what its owner does with test keys. */
  const draft = async (fields: Record<string, unknown> = {}) => {
    const { seller, call } = await catalog.newSeller({ internalReviewStatus: 'pending_review' });
    const { json: product } = await call('POST', '/v1/products', { body: { ...productRequest, name: `App ${++names}`, ...fields } });
    const as = { headers: { 'X-User-ID': seller.ownerUserId } };
    const path = `/v1/products/${product.id}/test-keys`;
    return {
      seller,
      product,
      as,
      path,
      mint: (options: RequestOptions = as) => desk('POST', path, options),
      list: (query = '') => desk('GET', `${path}${query}`, as),
      end: (licenseId: string) => desk('POST', `${path}/${licenseId}/end`, as),
      ask: (verb: string, license_key: string, device_fingerprint?: string) =>
        apps('POST', `/v1/licenses/${verb}`, { body: { product_id: product.id, license_key, device_fingerprint } }),
    };
  };

  test('run an app on the terms of a product that was never approved, and say that they are tests', async () => {
    const terms = { activation_limit: 2, features: ['export'], license_key_prefix: 'APP7', offline_file_days: 30, updates_days: 365 };
    const { product, mint, ask, end } = await draft(terms);
    catalog.takeRequestCounts();
    const minted = await mint();
    expect(minted.status).toBe(201);
    expect(minted.headers['cache-control']).toBe('no-store');
    const { license_id, license_key, expires_at } = minted.json;
    expect(minted.json).toEqual({
      license_id: expect.stringMatching(/^lic_/),
      license_key: expect.stringMatching(/^APP7(-[0-9A-Z]{5}){5}$/),
      expires_at: new Date(now().getTime() + 90 * daySeconds * 1000).toISOString(),
    });
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 3, PutItem: 1, TransactWriteItems: 1 });

    const updates_until = new Date(now().getTime() + 365 * daySeconds * 1000).toISOString();
    const activated = await ask('activate', license_key, 'desk');
    const shown = { valid: true, license_id, activation_limit: 2, features: ['export'], test: true, expires_at, updates_until };
    expect(activated.json).toMatchObject({ ...shown, code: 'activated', activation_count: 1 });
    expect(decodeJwt(activated.json.lease)).toMatchObject({ sub: license_id, kind: 'online', test: true });
    const request_code = `LAR1.${Buffer.from(JSON.stringify({ p: product.id, d: 'laptop' })).toString('base64url')}`;
    const offline = await apps('POST', '/v1/licenses/offline-activations', { body: { license_key, request_code } });
    expect(decodeJwt(offline.json.lease)).toMatchObject({ kind: 'offline', test: true });
    expect(await ask('activate', license_key, 'phone')).toMatchObject(error(409, 'activation_limit_exceeded'));
    expect((await ask('deactivate', license_key, 'desk')).json).toMatchObject({ ...shown, code: 'deactivated', activation_count: 1 });

    expect(await end(license_id)).toMatchObject({ status: 200, json: { license_id } });
    expect((await ask('validate', license_key)).json).toMatchObject({ valid: false, code: 'license_revoked', test: true });
    expect(await end(license_id)).toMatchObject({ status: 200, json: { license_id } });
  });

  test('cause no event and no sale, and are known to admins by their id alone', async () => {
    const { seller, as, mint, ask } = await draft();
    const { license_id, license_key } = (await mint()).json;
    await ask('activate', license_key, 'desk');
    await ask('activate', license_key, 'another');
    await ask('deactivate', license_key, 'desk');
    const jobs = Object.keys(await catalog.readAll()).filter((key) => key.startsWith('JOB#'));
    expect(jobs).toEqual([]);
    expect((await sales('POST', '/v1/orders/search', { ...as, body: { license_key } })).json).toEqual({ items: [] });
    expect((await sales('GET', '/v1/orders', as)).json).toEqual({ items: [] });

    const shown = await catalog.adminCall('GET', `/v1/admin/licenses/${license_id}`);
    expect(shown.json).toMatchObject({ id: license_id, seller_id: seller.id, test: true, status: 'active' });
    expect(shown.json).not.toHaveProperty('order_id');
    const revoked = await catalog.adminCall('POST', `/v1/admin/licenses/${license_id}/revoke`);
    expect(revoked.json).toMatchObject({ processed: true, license: { status: 'revoked', test: true } });
    const { items } = await listAudit(catalog.table, { targetId: license_id, limit: 10 });
    expect(items.map(({ actor, action }) => [actor, action])).toEqual(
      expect.arrayContaining([
        [seller.ownerUserId, 'license.issue_test_key'],
        ['the-admin', 'license.revoke'],
      ]),
    );
    expect(JSON.stringify([await catalog.readAll(), catalog.logged])).not.toContain(license_key);
  });

  test('are generated where codes are imported, and take none of these', async () => {
    const { mint } = await draft({ license_issuance_mode: 'imported_csv' });
    const { license_id, license_key } = (await mint()).json;
    expect(license_key).toMatch(/^LIC1-/);
    const shown = await catalog.adminCall('GET', `/v1/admin/licenses/${license_id}`);
    expect(shown.json.license_issuance_mode).toBe('generated_server_validated');
  });

  test('are alive for 90 days, and listed newest first', async () => {
    const { mint, list, ask, end } = await draft();
    const [first, second, third] = [(await mint()).json, (await mint()).json, (await mint()).json];
    await end(second.license_id);
    const item = ({ license_id, license_key, expires_at }: Record<string, string>) => ({
      license_id,
      license_key_hint: license_key!.slice(-4),
      created_at: now().toISOString(),
      expires_at,
    });
    expect((await list()).json).toEqual({ items: [item(third), { ...item(second), ended_at: now().toISOString() }, item(first)] });
    const page = (await list('?limit=2')).json;
    expect(page.items).toHaveLength(2);
    expect((await list(`?limit=2&cursor=${page.next_cursor}`)).json.items).toMatchObject([{ license_id: first.license_id }]);
    catalog.pass(90 * daySeconds - 1);
    expect((await ask('validate', first.license_key)).json).toMatchObject({ valid: true, test: true });
    catalog.pass(1);
    expect((await ask('validate', first.license_key)).json).toMatchObject({ valid: false, code: 'license_expired', test: true });
  });

  test('are 20 at most, however many are minted at once; those that ended or expired make room', async () => {
    const { mint, end } = await draft();
    const minted = await Promise.all(Array.from({ length: 26 }, () => mint()));
    const made = minted.filter(({ status }) => status === 201);
    expect(made).toHaveLength(20);
    for (const refused of minted.filter(({ status }) => status !== 201)) expect(refused).toMatchObject(error(400, 'too_many_test_keys'));
    await end(made[0]!.json.license_id);
    await catalog.adminCall('POST', `/v1/admin/licenses/${made[1]!.json.license_id}/revoke`);
    const again = [(await mint()).status, (await mint()).status, (await mint()).status];
    expect(again).toEqual([201, 201, 400]);
    catalog.pass(90 * daySeconds);
    expect((await mint()).status).toBe(201);
  });

  test('are minted by the owner alone, and not while seller or product are stopped', async () => {
    const { seller, product, mint, list, end } = await draft();
    const { json: kept } = await mint();
    const another = await draft();
    const { json: foreign } = await another.mint();
    expect(await mint({})).toMatchObject(error(401, 'unauthenticated'));
    expect(await mint(another.as)).toMatchObject(error(403, 'forbidden'));
    expect(await desk('GET', `/v1/products/${product.id}/test-keys`, another.as)).toMatchObject(error(403, 'forbidden'));
    expect(await end(foreign.license_id)).toMatchObject(error(404, 'license_not_found'));
    expect(await end('lic_unknown')).toMatchObject(error(404, 'license_not_found'));
    expect(await desk('POST', '/v1/products/prd_unknown/test-keys', another.as)).toMatchObject(error(404, 'product_not_found'));

    await catalog.adminCall('PATCH', `/v1/admin/products/${product.id}/review`, { body: { decision: 'suspend' } });
    expect(await mint()).toMatchObject(error(403, 'product_suspended'));
    for (const status of ['rejected', 'suspended'] as const) {
      await catalog.setSellerStatus(seller.id, status);
      expect(await mint()).toMatchObject(error(403, 'seller_not_eligible'));
    }
    expect((await list()).json.items).toHaveLength(1);
    expect((await end(kept.license_id)).status).toBe(200);
  });
});
