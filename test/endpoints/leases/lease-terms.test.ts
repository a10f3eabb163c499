import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { compose as composeLicenses } from '../../../functions/licenses/compose.ts';
import { routes as licenseRoutes } from '../../../functions/licenses/routes.ts';
import { compose as composeProducts } from '../../../functions/products/compose.ts';
import { routes as productRoutes } from '../../../functions/products/routes.ts';
import { type Key, orderKey, productKey } from '../../../shared/db/keys.ts';
import type { Item } from '../../../shared/db/table.ts';
import type { OrderId, ProductId } from '../../../shared/ids.ts';
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
    const edit = (fields: object) =>
      productCall('PATCH', `/v1/products/${product.id}`, { headers, body: { ...productRequest, name: product.name, ...fields } });
    /** Makes a draft of the product with these terms. */
    const change = async (fields: object) => {
      await edit(fields);
      return productCall('POST', `/v1/products/${product.id}/publish`, { headers, body: { publish: false } });
    };
    return { product, edit, change, show: async () => (await productCall('GET', `/v1/products/${product.id}`, { headers })).json };
  }

  const begin = async ({ slug }: ProductRecord): Promise<{ order_id: OrderId; checkout_url: string }> =>
    (await sales.checkoutCall('POST', `/v1/public/products/${slug}/checkout`)).json;

  /** Pays, and what devices then get: how many days a lease of each kind lasts, or why there is none. */
  async function daysAfterPaying({ order_id, checkout_url }: Awaited<ReturnType<typeof begin>>) {
    await sales.pay(checkout_url);
    const { license } = await sales.show(order_id);
    const { licenseKey } = await keyOf(checkout_url);
    const request = { product_id: license!.productId, license_key: licenseKey, device_fingerprint: 'desk' };
    const online = (await licenseCall('POST', '/v1/licenses/activate', { body: request })).json;
    const request_code = requestCodeOf({ p: license!.productId, d: 'desk' });
    const offline = (await licenseCall('POST', '/v1/licenses/offline-activations', { body: { license_key: licenseKey, request_code } }))
      .json;
    return [online, offline].map(({ lease, code }) => {
      if (lease === undefined) return code;
      const { iat = 0, exp = 0 } = decodeJwt(lease);
      return (exp - iat) / daySeconds;
    });
  }

  /** What the buyer comes back with from the hosted page. */
  async function keyOf(checkoutUrl: string): Promise<{ licenseKey: string }> {
    const body = { token: await tokenOf(checkoutUrl) };
    return { licenseKey: (await sales.purchaseCall('POST', '/v1/purchases/complete', { body })).json.license.license_key };
  }

  async function tokenOf(checkoutUrl: string): Promise<string | undefined> {
    const { success_url } = await sales.sessionOf(checkoutUrl);
    return /token=([\w.-]+)/.exec(success_url ?? '')?.[1];
  }

  /** The item as it was stored before there were such terms. */
  async function age(key: Key, forget: (item: Item) => Item): Promise<void> {
    const [item = {}] = await sales.table.batchGet([key]);
    const aged = forget(item);
    expect(JSON.stringify(aged).length).toBeLessThan(JSON.stringify(item).length);
    await sales.table.transact([{ put: { Item: { ...aged, ...key } } }]);
  }
  const withoutTerms = ({ offlineDays: _, offlineFileDays: __, updatesDays: ___, ...item }: Item): Item => item;
  const ageProduct = (id: ProductId) => age(productKey(id), withoutTerms);
  const ageOrder = (id: OrderId) => age(orderKey(id), ({ terms, ...item }) => ({ ...item, terms: withoutTerms(terms as Item) }));

  test('are those of the product when the checkout began, whatever the seller changes until it is paid', async () => {
    const { product, change } = await offer({ offlineDays: 3, offlineFileDays: 60, activationLimit: 2 });
    const begun = await begin(product);
    expect((await change({ offline_days: 90, offline_file_days: 0 })).json).toMatchObject({ offline_days: 90, offline_file_days: 0 });
    expect(await daysAfterPaying(begun)).toEqual([3, 60]);
  });

  test('stay those of a license that was sold before they were changed', async () => {
    const { product, change, show } = await offer({ offlineDays: 5, offlineFileDays: 0 });
    const first = await begin(product);
    expect(await daysAfterPaying(first)).toEqual([5, 'offline_not_offered']);
    await change({ offline_days: 0, offline_file_days: 366 });
    expect(await show()).toMatchObject({ offline_days: 0, offline_file_days: 366 });
    const { licenseKey: license_key } = await keyOf(first.checkout_url);
    const body = { product_id: product.id, license_key, device_fingerprint: 'desk' };
    const { iat = 0, exp } = decodeJwt((await licenseCall('POST', '/v1/licenses/validate', { body })).json.lease);
    expect(exp).toBe(iat + 5 * daySeconds);
  });

  test('give no lease online where they are 0, and one for a file still', async () => {
    const { product } = await offer({ offlineDays: 0, offlineFileDays: 366 });
    expect(await daysAfterPaying(await begin(product))).toEqual(['activated', 366]);
  });

  test('say until when updates come, as sold, wherever the license is told of', async () => {
    const { product, change } = await offer({ offlineFileDays: 30, updatesDays: 365 });
    const begun = await begin(product);
    await change({ updates_days: 0 });
    await sales.pay(begun.checkout_url);
    const { license } = await sales.show(begun.order_id);
    const issuedAt = Date.parse(license?.issuedAt ?? '');
    const updates_until = new Date(issuedAt + 365 * daySeconds * 1000).toISOString();
    const page = await sales.purchaseCall('POST', '/v1/purchases/complete', { body: { token: await tokenOf(begun.checkout_url) } });
    expect(page.json.license).toMatchObject({ updates_until });

    const { license_key } = page.json.license;
    const request = { product_id: product.id, license_key, device_fingerprint: 'desk' };
    const request_code = requestCodeOf({ p: product.id, d: 'desk' });
    const { json: offline } = await licenseCall('POST', '/v1/licenses/offline-activations', { body: { license_key, request_code } });
    const replies = [offline];
    for (const verb of ['validate', 'activate', 'deactivate'])
      replies.push((await licenseCall('POST', `/v1/licenses/${verb}`, { body: request })).json);
    for (const { lease, ...reply } of replies) {
      expect(reply).toMatchObject({ updates_until });
      if (lease) expect(decodeJwt(lease)).toMatchObject({ updates_until: Math.floor(issuedAt / 1000) + 365 * daySeconds });
    }
    expect(replies.filter(({ lease }) => lease)).toHaveLength(3);
  });

  test('of an order whose checkout began before there were any are 14 days, none for a file, and updates without end', async () => {
    const { product } = await offer({ offlineDays: 90, offlineFileDays: 366, updatesDays: 7 });
    const begun = await begin(product);
    await ageOrder(begun.order_id);
    expect(await daysAfterPaying(begun)).toEqual([14, 'offline_not_offered']);
    expect((await sales.show(begun.order_id)).license).not.toHaveProperty('updatesUntil');
  });

  describe('of a product that was stored before there were any', () => {
    test('are shown as 14 days, none for a file and updates without end, to its seller and the public', async () => {
      const { product, show } = await offer({ offlineDays: 90, offlineFileDays: 366, updatesDays: 7 });
      await ageProduct(product.id);
      expect(await show()).toMatchObject({ offline_days: 14, offline_file_days: 0, updates_days: 36_500, revision: 1 });
      const { json } = await sales.checkoutCall('GET', `/v1/public/products/${product.slug}`);
      expect(json).toMatchObject({ offline_days: 14, offline_file_days: 0, updates_days: 36_500 });
    });

    test('are sold as such', async () => {
      const { product } = await offer({ offlineDays: 90, offlineFileDays: 366 });
      await ageProduct(product.id);
      expect(await daysAfterPaying(await begin(product))).toEqual([14, 'offline_not_offered']);
    });

    test('do not change it by being there, so that it stays on sale', async () => {
      const { product, edit, show } = await offer({ offlineDays: 90, offlineFileDays: 366 });
      await ageProduct(product.id);
      const before = await sales.table.batchGet([productKey(product.id)]);
      for (const terms of [{}, { offline_days: 14 }, { offline_days: 14, offline_file_days: 0, updates_days: 36_500 }]) {
        expect((await edit(terms)).json).toMatchObject({ status: 'approved', revision: 1 });
      }
      expect(await sales.table.batchGet([productKey(product.id)])).toEqual(before);
      expect((await edit({ offline_days: 15 })).json).toMatchObject({
        status: 'approved',
        revision: 2,
        offline_days: 14,
        offline_file_days: 0,
        pending: { changes: { offline_days: 15 } },
      });
      expect(await show()).toMatchObject({ revision: 2, pending: { changes: { offline_days: 15 } } });
    });
  });
});
