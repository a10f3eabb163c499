import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { type Call, createService } from '../../support/http/service.ts';
import { pageAssets } from '../../support/page-assets.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

let sales: SalesHarness;
let call: Call;
beforeAll(async () => {
  sales = await startSalesHarness();
  const { table, settings, fakeProvider, queue } = sales;
  const provider = createStripeClient({ secretKey: 'sk_test_shop', apiBase: fakeProvider.endpoint });
  call = createService({ table, settings, logger: silentLogger, provider, sender: queue, assets: pageAssets });
});
afterAll(() => sales.fakeProvider.stop());

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
