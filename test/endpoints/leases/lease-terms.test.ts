import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { compose as composeLicenses } from '../../../functions/licenses/compose.ts';
import { routes as licenseRoutes } from '../../../functions/licenses/routes.ts';
import { compose as composeProducts } from '../../../functions/products/compose.ts';
import { routes as productRoutes } from '../../../functions/products/routes.ts';
import { type Key, orderKey, productKey } from '../../../shared/db/keys.ts';
import type { Item } from '../../../shared/db/table.ts';
import type { OrderId } from '../../../shared/ids.ts';
import { openLicenseKey } from '../../../shared/licenses/new-license.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { requestCodeOf } from '../../support/samples/leases.ts';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { silentLogger as logger } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

const daySeconds = 86_400;

describe('the terms of leases and updates, from the product to the lease', () => {
  let sales: SalesHarness;
  let licenseCall: ReturnType<typeof createCaller>;
  let productCall: ReturnType<typeof createCaller>;
  beforeAll(async () => {
    sales = await startSalesHarness();
    const { settings, table } = sales;
    licenseCall = createCaller(composeLicenses({ settings, logger, table }), licenseRoutes);
    productCall = createCaller(composeProducts({ settings, logger, table }), productRoutes);
  });
  afterAll(() => sales.fakeProvider.stop());

  let owners = 0;
  async function offer(terms: Partial<ProductRecord> = {}) {
    owners += 1;
    const headers = { 'X-User-ID': `owner-${owners}` };
    const product = await sales.offer(terms, { ownerUserId: `owner-${owners}` });
    const path = `/v1/products/${product.id}`;
    const edit = (fields: object) => productCall('PATCH', path, { headers, body: { ...productRequest, name: product.name, ...fields } });
    /** Makes a draft of the product with these terms. */
    const change = async (fields: object) => {
      await edit(fields);
      expect(await productCall('POST', `${path}/publish`, { headers, body: { publish: false } })).toMatchObject({ json: fields });
    };
    return { product, edit, change, show: async () => (await productCall('GET', path, { headers })).json };
  }

  const begin = async ({ slug }: ProductRecord): Promise<{ order_id: OrderId; checkout_url: string }> =>
    (await sales.call('POST', `/v1/public/products/${slug}/checkout`)).json;

  /** Pays, and what each request about the license then gets. */
  async function paid({ order_id, checkout_url }: Awaited<ReturnType<typeof begin>>) {
    await sales.pay(checkout_url);
    const license = (await sales.show(order_id)).license!;
    const license_key = openLicenseKey(license, sales.encryptionKeys);
    const ask = async (path: string) => {
      const online = { product_id: license.productId, license_key, device_fingerprint: 'desk' };
      const offline = { license_key, request_code: requestCodeOf({ p: license.productId, d: 'desk' }) };
      const { json } = await licenseCall('POST', `/v1/licenses/${path}`, { body: path === 'offline-activations' ? offline : online });
      return json;
    };
    /** How many days a lease lasts, or why there is none. */
    const days = async (path: string) => {
      const { lease, code } = await ask(path);
      const { iat = 0, exp = 0 } = lease === undefined ? {} : decodeJwt(lease);
      return lease === undefined ? code : (exp - iat) / daySeconds;
    };
    return { license, ask, both: async () => [await days('activate'), await days('offline-activations')] };
  }

  /** The item as it was stored before there were such terms. */
  async function age(key: Key, forget: (item: Item) => Item): Promise<void> {
    const [item = {}] = await sales.table.batchGet([key]);
    const aged = forget(item);
    expect(JSON.stringify(aged).length).toBeLessThan(JSON.stringify(item).length);
    await sales.table.transact([{ put: { Item: { ...aged, ...key } } }]);
  }
  const withoutTerms = ({ offlineDays: _, offlineFileDays: __, updatesDays: ___, ...item }: Item): Item => item;

  test('are those of the product when the checkout began, wherever the license is told of, whatever the seller changes', async () => {
    const { product, change } = await offer({ offlineDays: 3, offlineFileDays: 60, updatesDays: 365 });
    const begun = await begin(product);
    await change({ offline_days: 90, offline_file_days: 0, updates_days: 0 });
    const { license, ask, both } = await paid(begun);
    expect(await both()).toEqual([3, 60]);
    const issuedAt = Date.parse(license.issuedAt);
    const updates_until = new Date(issuedAt + 365 * daySeconds * 1000).toISOString();
    for (const path of ['offline-activations', 'validate', 'activate', 'deactivate']) {
      const { lease, ...reply } = await ask(path);
      expect(reply).toMatchObject({ updates_until });
      expect(lease === undefined).toBe(path === 'deactivate');
      if (lease) expect(decodeJwt(lease)).toMatchObject({ updates_until: Math.floor(issuedAt / 1000) + 365 * daySeconds });
    }
    const token = (await sales.sessionOf(begun.checkout_url)).success_url?.split('#token=')[1];
    const page = await sales.call('POST', '/v1/purchases/complete', { body: { token } });
    expect(page.json.license).toMatchObject({ updates_until });
  });

  test('of an order whose checkout began before there were any are 14 days, none for a file, and updates without end', async () => {
    const begun = await begin((await offer({ offlineDays: 90, offlineFileDays: 366, updatesDays: 7 })).product);
    await age(orderKey(begun.order_id), ({ terms, ...item }) => ({ ...item, terms: withoutTerms(terms as Item) }));
    const { both, license } = await paid(begun);
    expect(await both()).toEqual([14, 'offline_not_offered']);
    expect(license).not.toHaveProperty('updatesUntil');
  });

  test('of a product that was stored before there were any are shown and sold as such, which does not change it', async () => {
    const { product, edit, show } = await offer({ offlineDays: 90, offlineFileDays: 366, updatesDays: 7 });
    await age(productKey(product.id), withoutTerms);
    const before = await sales.table.batchGet([productKey(product.id)]);
    const shown = { offline_days: 14, offline_file_days: 0, updates_days: 36_500 };
    expect(await show()).toMatchObject({ ...shown, revision: 1 });
    expect((await sales.call('GET', `/v1/public/products/${product.slug}`)).json).toMatchObject(shown);
    expect(await (await paid(await begin(product))).both()).toEqual([14, 'offline_not_offered']);

    for (const terms of [{}, { offline_days: 14 }, shown]) {
      expect((await edit(terms)).json).toMatchObject({ status: 'approved', revision: 1 });
    }
    expect(await sales.table.batchGet([productKey(product.id)])).toEqual(before);
    const pending = { changes: { offline_days: 15 } };
    expect((await edit({ offline_days: 15 })).json).toMatchObject({ ...shown, status: 'approved', revision: 2, pending });
    expect(await show()).toMatchObject({ revision: 2, pending });
  });
});
