import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { routes as codeBatchRoutes } from '../../../functions/code-batches/routes.ts';
import { compose as composePages } from '../../../functions/pages/compose.ts';
import { routes as pageRoutes } from '../../../functions/pages/routes.ts';
import { compose as composeProducts } from '../../../functions/products/compose.ts';
import { routes as productRoutes } from '../../../functions/products/routes.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { pageAssets } from '../../support/page-assets.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

type Fields = Record<string, unknown>;

let sales: SalesHarness;
let calls: Record<'seller' | 'admin' | 'pages', ReturnType<typeof createCaller>>;

beforeAll(async () => {
  sales = await startSalesHarness();
  const { table, settings, fakeProvider, queue } = sales;
  const common = { table, settings, logger: silentLogger };
  const provider = createStripeClient({ secretKey: 'sk_test_shop', apiBase: fakeProvider.endpoint });
  calls = {
    seller: createCaller(composeProducts(common), productRoutes),
    admin: createCaller(composeAdmin({ ...common, store: undefined, sender: queue }), adminRoutes),
    pages: createCaller(composePages({ ...common, provider, sender: queue, assets: pageAssets }), pageRoutes),
  };
});
afterAll(() => sales.fakeProvider.stop());

async function ask(call: keyof typeof calls, method: string, target: string, userId: string, body?: unknown) {
  const reply = await calls[call](method, target, { body, headers: { 'X-User-ID': userId, 'X-User-Email': 'admin@example.com' } });
  expect([target, reply.status]).toEqual([target, 200]);
  return reply.json;
}
const ownerOf = ({ sellerId }: ProductRecord) => `user-of-${sellerId}`;
const edit = (product: ProductRecord, fields: Fields) =>
  ask('seller', 'PATCH', `/v1/products/${product.id}`, ownerOf(product), { ...productRequest, name: product.name, ...fields });
const submit = (product: ProductRecord) => ask('seller', 'POST', `/v1/products/${product.id}/submit-review`, ownerOf(product));
const review = (product: ProductRecord, decision: string) =>
  ask('admin', 'PATCH', `/v1/admin/products/${product.id}/review`, 'the-admin', { decision });
const checkout = async (slug: string, headers = {}) => {
  const reply = await sales.checkoutCall('POST', `/v1/public/products/${slug}/checkout`, { headers });
  expect(reply.status).toBe(201);
  return reply.json;
};

test('an order has the terms that were on sale when it was made, whenever it is paid', async () => {
  const product = await sales.offer();
  const before = await checkout(product.slug);
  await edit(product, { name: 'Photo Studio Two', price_amount: 9900, activation_limit: 5, features: ['pro'], refund_policy: 'Never.' });
  const meanwhile = await checkout(product.slug);
  await submit(product);
  const underReview = await checkout(product.slug);
  await review(product, 'approve');
  const after = await checkout(product.slug);
  const orders = [before, meanwhile, underReview, after];
  expect(orders.map(({ amount }) => amount)).toEqual([4800, 4800, 4800, 9900]);
  for (const { checkout_url } of orders.toReversed()) await sales.pay(checkout_url);
  const sold = await Promise.all(orders.map(({ order_id }) => sales.show(order_id)));
  const termsOf = ({ order, license }: (typeof sold)[number]) => [
    order.terms.productName,
    order.terms.productSlug,
    order.terms.refundPolicy,
    license?.activationLimit,
    license?.features,
  ];
  const old = [product.name, product.slug, 'Within 14 days.', 1, []];
  expect(sold.map(termsOf)).toEqual([old, old, old, ['Photo Studio Two', 'photo-studio-two', 'Never.', 5, ['pro']]]);
});

test('a rejected edit, and a draft of one, are never sold', async () => {
  const product = await sales.offer();
  await edit(product, { price_amount: 1 });
  expect((await checkout(product.slug)).amount).toBe(4800);
  await submit(product);
  await review(product, 'reject');
  expect((await checkout(product.slug)).amount).toBe(4800);
});

describe('the pages of a product', () => {
  const page = (target: string) => calls.pages('GET', target);
  const confirm = (slug: string, revision: string) => {
    const body = new URLSearchParams({ revision, request_key: 'k'.repeat(20) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return calls.pages('POST', `/p/${slug}/checkout`, { body, headers });
  };
  const revisionShown = async (slug: string) => /name="revision" value="(\d+)"/.exec((await page(`/p/${slug}/checkout`)).text)?.[1] ?? '';

  test('are the same while an edit waits, and are at its new address once it is live', async () => {
    const product = await sales.offer();
    const before = await page(`/p/${product.slug}`);
    await edit(product, { name: 'Waiting Studio', description: 'Wait for it.' });
    await submit(product);
    expect((await page(`/p/${product.slug}`)).text).toBe(before.text);
    for (const target of ['/p/waiting-studio', '/p/waiting-studio/checkout']) {
      const missing = await page(target);
      expect([target, missing.status]).toEqual([target, 404]);
      expect(missing.text).not.toContain('Wait for it.');
    }
    expect((await confirm('waiting-studio', '1')).status).toBe(404);
    await review(product, 'approve');
    for (const slug of [product.slug, 'waiting-studio']) expect((await page(`/p/${slug}`)).text).toContain('Wait for it.');
  });

  test('take a confirmation that was opened before an edit, until the edit is live', async () => {
    const product = await sales.offer();
    const opened = await revisionShown(product.slug);
    const moves = [
      () => edit(product, { price_amount: 9900 }),
      () => edit(product, {}),
      () => edit(product, { price_amount: 9900 }),
      () => submit(product),
      () => review(product, 'reject'),
      () => submit(product),
      () => review(product, 'suspend'),
      () => review(product, 'approve'),
    ];
    for (const [index, move] of moves.entries()) {
      const { status } = await move();
      if (status === 'suspended') continue;
      const reply = await confirm(product.slug, opened);
      expect([index, reply.status, reply.headers['location']]).toEqual([index, 303, expect.stringContaining(sales.fakeProvider.endpoint)]);
      expect(await revisionShown(product.slug)).toBe(opened);
    }
    await review(product, 'approve');
    const changed = await confirm(product.slug, opened);
    expect(changed.headers['location']).toBe(`/p/${product.slug}/checkout?changed=yes`);
    const now = await revisionShown(product.slug);
    expect((await confirm(product.slug, now)).headers['location']).toContain(sales.fakeProvider.endpoint);
  });
});

describe('where the keys of a product come from', () => {
  test('is what is live: codes are imported, and sold, only once that is approved', async () => {
    const catalog = await createCatalogHarness();
    const world = await setUpCodeBatches(catalog.table);
    const importCall = createCaller(world.handler, codeBatchRoutes);
    const upload = async (productId: string, key: string) => {
      const form = await multipart([
        ['idempotency_key', key],
        ['file', csv('code\nABCD-EFGH-1\n')],
      ]);
      const reply = await importCall('POST', `/v1/products/${productId}/code-batches`, {
        ...form,
        headers: { ...form.headers, 'x-user-id': 'alice' },
      });
      return reply.json.code ?? reply.status;
    };
    const alice = catalog.asUser('alice');
    const productId = await world.addProduct('alice', { licenseIssuanceMode: 'generated_server_validated' });
    const { name } = (await alice('GET', `/v1/products/${productId}`)).json;
    const change = (license_issuance_mode: string) =>
      alice('PATCH', `/v1/products/${productId}`, { body: { ...productRequest, name, license_issuance_mode } });
    const goLive = async () => {
      await alice('POST', `/v1/products/${productId}/submit-review`);
      await catalog.adminCall('PATCH', `/v1/admin/products/${productId}/review`, { body: { decision: 'approve' } });
    };
    await change('imported_csv');
    expect(await upload(productId, 'while it waits')).toBe('wrong_issuance_mode');
    await goLive();
    expect(await upload(productId, 'once it is live')).toBe(202);
    await change('generated_server_validated');
    expect(await upload(productId, 'while another waits')).toBe(202);
    await goLive();
    expect(await upload(productId, 'after that')).toBe('wrong_issuance_mode');
  });

  test('does not make a product sold out while a change to imported codes waits', async () => {
    const product = await sales.offer();
    await edit(product, { license_issuance_mode: 'imported_csv' });
    await submit(product);
    expect((await checkout(product.slug)).amount).toBe(4800);
    await review(product, 'approve');
    const soldOut = await sales.checkoutCall('POST', `/v1/public/products/${product.slug}/checkout`);
    expect([soldOut.status, soldOut.json.message]).toEqual([403, 'out_of_stock: The product is sold out.']);
  });
});
