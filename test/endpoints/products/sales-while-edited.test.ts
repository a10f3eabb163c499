import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type Key, orderKey, productKey } from '../../../shared/db/keys.ts';
import type { Item } from '../../../shared/db/table.ts';
import type { OrderId } from '../../../shared/ids.ts';
import { openLicenseKey } from '../../../shared/licenses/new-license.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { requestCodeOf } from '../../support/samples/leases.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

let sales: SalesHarness;
beforeAll(async () => {
  sales = await startSalesHarness();
});
afterAll(() => sales.fakeProvider.stop());

const call: SalesHarness['call'] = (...request) => sales.call(...request);
async function ask(method: string, target: string, userId: string, body?: unknown) {
  const reply = await call(method, target, { body, headers: { 'X-User-ID': userId, 'X-User-Email': 'admin@example.com' } });
  expect([target, reply.status]).toEqual([target, 200]);
  return reply.json;
}
const ownerOf = ({ sellerId }: ProductRecord) => `user-of-${sellerId}`;
const edit = (product: ProductRecord, fields: object) =>
  ask('PATCH', `/v1/products/${product.id}`, ownerOf(product), { ...productRequest, name: product.name, ...fields });
const submit = (product: ProductRecord) => ask('POST', `/v1/products/${product.id}/submit-review`, ownerOf(product));
const review = (product: ProductRecord, decision: string) =>
  ask('PATCH', `/v1/admin/products/${product.id}/review`, 'the-admin', { decision });
const checkout = (slug: string) => call('POST', `/v1/public/products/${slug}/checkout`);

test('an order has the terms that were on sale when it was made, whenever it is paid', async () => {
  const product = await sales.offer();
  const changes = { name: 'Studio Two', price_amount: 9900, activation_limit: 5, features: ['pro'], refund_policy: 'Never.' };
  const orders = [];
  for (const move of [
    async () => undefined,
    () => edit(product, changes),
    () => submit(product),
    () => review(product, 'reject'),
    () => submit(product),
    () => review(product, 'approve'),
  ]) {
    await move();
    orders.push((await checkout(product.slug)).json);
  }
  expect(orders.map(({ amount }) => amount)).toEqual([4800, 4800, 4800, 4800, 4800, 9900]);
  for (const { checkout_url } of orders.toReversed()) await sales.pay(checkout_url);
  const sold = await Promise.all(orders.map(({ order_id }) => sales.show(order_id)));
  const termsOf = ({ order: { terms }, license }: (typeof sold)[number]) => [
    terms.productName,
    terms.productSlug,
    terms.refundPolicy,
    license?.activationLimit,
    license?.features,
  ];
  const old = [product.name, product.slug, 'Within 14 days.', 1, []];
  expect(sold.map(termsOf)).toEqual([old, old, old, old, old, ['Studio Two', 'studio-two', 'Never.', 5, ['pro']]]);
});

test('the pages are the same while an edit waits, and take what was confirmed before it, until it is live', async () => {
  const product = await sales.offer();
  const page = (target: string) => call('GET', target);
  const confirm = (slug: string, revision: string) => {
    const body = new URLSearchParams({ revision, request_key: 'k'.repeat(20) }).toString();
    return call('POST', `/p/${slug}/checkout`, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  };
  const shown = async () => /name="revision" value="(\d+)"/.exec((await page(`/p/${product.slug}/checkout`)).text)?.[1] ?? '';
  const [opened, before] = [await shown(), (await page(`/p/${product.slug}`)).text];
  const changes = { name: 'Waiting Studio', description: 'Wait for it.', price_amount: 9900 };
  for (const [index, move] of [
    () => edit(product, changes),
    () => edit(product, {}),
    () => edit(product, changes),
    () => submit(product),
    () => review(product, 'reject'),
    () => submit(product),
    () => review(product, 'suspend'),
    () => review(product, 'approve'),
  ].entries()) {
    const { status } = await move();
    for (const target of ['/p/waiting-studio', '/p/waiting-studio/checkout']) expect((await page(target)).status).toBe(404);
    expect((await confirm('waiting-studio', '1')).status).toBe(404);
    if (status === 'suspended') continue;
    const reply = await confirm(product.slug, opened);
    expect([index, reply.status, reply.headers['location']]).toEqual([index, 303, expect.stringContaining(sales.fakeProvider.endpoint)]);
    expect([await shown(), (await page(`/p/${product.slug}`)).text]).toEqual([opened, before]);
  }
  await review(product, 'approve');
  for (const slug of [product.slug, 'waiting-studio']) expect((await page(`/p/${slug}`)).text).toContain('Wait for it.');
  expect((await confirm(product.slug, opened)).headers['location']).toBe(`/p/${product.slug}/checkout?changed=yes`);
  expect((await confirm(product.slug, await shown())).headers['location']).toContain(sales.fakeProvider.endpoint);
});

test('codes are imported, and sold, only once that is approved', async () => {
  const product = await sales.offer();
  const upload = async (key: string) => {
    const form = await multipart([
      ['idempotency_key', key],
      ['file', csv('code\nABCD-EFGH-1\n')],
    ]);
    const headers = { ...form.headers, 'X-User-ID': ownerOf(product) };
    const { status, json } = await call('POST', `/v1/products/${product.id}/code-batches`, { ...form, headers });
    return json.code ?? status;
  };
  const goLive = async () => {
    await submit(product);
    await review(product, 'approve');
  };
  await edit(product, { license_issuance_mode: 'imported_csv' });
  expect([await upload('while it waits'), (await checkout(product.slug)).status]).toEqual(['wrong_issuance_mode', 201]);
  await goLive();
  expect((await checkout(product.slug)).json.message).toBe('out_of_stock: The product is sold out.');
  expect(await upload('once it is live')).toBe(202);
  await edit(product, { license_issuance_mode: 'generated_server_validated' });
  expect(await upload('while another waits')).toBe(202);
  await goLive();
  expect(await upload('after that')).toBe('wrong_issuance_mode');
});

const daySeconds = 86_400;

describe('the terms of leases and updates, from the product to the lease', () => {
  const show = (product: ProductRecord) => ask('GET', `/v1/products/${product.id}`, ownerOf(product));
  /** Makes a draft of the product with these terms. */
  async function change(product: ProductRecord, fields: object): Promise<void> {
    await edit(product, fields);
    const draft = await ask('POST', `/v1/products/${product.id}/publish`, ownerOf(product), { publish: false });
    expect(draft).toMatchObject(fields);
  }

  const begin = async ({ slug }: ProductRecord): Promise<{ order_id: OrderId; checkout_url: string }> => (await checkout(slug)).json;

  /** Pays, and what each request about the license then gets. */
  async function paid({ order_id, checkout_url }: Awaited<ReturnType<typeof begin>>) {
    await sales.pay(checkout_url);
    const license = (await sales.show(order_id)).license!;
    const license_key = openLicenseKey(license, sales.encryptionKeys);
    const answer = async (path: string) => {
      const online = { product_id: license.productId, license_key, device_fingerprint: 'desk' };
      const offline = { license_key, request_code: requestCodeOf({ p: license.productId, d: 'desk' }) };
      const { json } = await call('POST', `/v1/licenses/${path}`, { body: path === 'offline-activations' ? offline : online });
      return json;
    };
    /** How many days a lease lasts, or why there is none. */
    const days = async (path: string) => {
      const { lease, code } = await answer(path);
      const { iat = 0, exp = 0 } = lease === undefined ? {} : decodeJwt(lease);
      return lease === undefined ? code : (exp - iat) / daySeconds;
    };
    return { license, answer, both: async () => [await days('activate'), await days('offline-activations')] };
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
    const product = await sales.offer({ offlineDays: 3, offlineFileDays: 60, updatesDays: 365 });
    const begun = await begin(product);
    await change(product, { offline_days: 90, offline_file_days: 0, updates_days: 0 });
    const { license, answer, both } = await paid(begun);
    expect(await both()).toEqual([3, 60]);
    const issuedAt = Date.parse(license.issuedAt);
    const updates_until = new Date(issuedAt + 365 * daySeconds * 1000).toISOString();
    for (const path of ['offline-activations', 'validate', 'activate', 'deactivate']) {
      const { lease, ...reply } = await answer(path);
      expect(reply).toMatchObject({ updates_until });
      expect(lease === undefined).toBe(path === 'deactivate');
      if (lease) expect(decodeJwt(lease)).toMatchObject({ updates_until: Math.floor(issuedAt / 1000) + 365 * daySeconds });
    }
    const token = (await sales.sessionOf(begun.checkout_url)).success_url?.split('#token=')[1];
    const page = await call('POST', '/v1/purchases/complete', { body: { token } });
    expect(page.json.license).toMatchObject({ updates_until });
  });

  test('of an order whose checkout began before there were any are 14 days, none for a file, and updates without end', async () => {
    const begun = await begin(await sales.offer({ offlineDays: 90, offlineFileDays: 366, updatesDays: 7 }));
    await age(orderKey(begun.order_id), ({ terms, ...item }) => ({ ...item, terms: withoutTerms(terms as Item) }));
    const { both, license } = await paid(begun);
    expect(await both()).toEqual([14, 'offline_not_offered']);
    expect(license).not.toHaveProperty('updatesUntil');
  });

  test('of a product that was stored before there were any are shown and sold as such, which does not change it', async () => {
    const product = await sales.offer({ offlineDays: 90, offlineFileDays: 366, updatesDays: 7 });
    await age(productKey(product.id), withoutTerms);
    const before = await sales.table.batchGet([productKey(product.id)]);
    const shown = { offline_days: 14, offline_file_days: 0, updates_days: 36_500 };
    expect(await show(product)).toMatchObject({ ...shown, revision: 1 });
    expect((await call('GET', `/v1/public/products/${product.slug}`)).json).toMatchObject(shown);
    expect(await (await paid(await begin(product))).both()).toEqual([14, 'offline_not_offered']);

    for (const terms of [{}, { offline_days: 14 }, shown]) {
      expect(await edit(product, terms)).toMatchObject({ status: 'approved', revision: 1 });
    }
    expect(await sales.table.batchGet([productKey(product.id)])).toEqual(before);
    const pending = { changes: { offline_days: 15 } };
    expect(await edit(product, { offline_days: 15 })).toMatchObject({ ...shown, status: 'approved', revision: 2, pending });
    expect(await show(product)).toMatchObject({ revision: 2, pending });
  });
});
