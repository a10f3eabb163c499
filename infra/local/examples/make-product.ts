import * as z from 'zod/mini';
import { Anything, all, asAdmin, type Caller, call, type Stack } from './example-caller.ts';
import type { ExampleProduct } from './example-data.ts';
import { makeFile } from './make-file.ts';
import { makeRelease } from './make-release.ts';
import { makeSale } from './make-sale.ts';
import { listOf, Made, ProductReply } from './replies.ts';
import { waitFor } from './wait-for.ts';

export async function draftProduct(at: Stack, owner: Caller, { draft }: ExampleProduct): Promise<ProductReply> {
  const { items } = await call(at, listOf(ProductReply), owner, 'GET', '/v1/products?limit=100');
  return items.find(({ name }) => name === draft.name) ?? call(at, ProductReply, owner, 'POST', '/v1/products', draft);
}

export async function makeProduct(at: Stack, owner: Caller, example: ExampleProduct, product: ProductReply): Promise<void> {
  const { state, files = [], codes, discount, releases = [], sales = [], edit } = example;
  if (product.status === 'suspended') return;
  await all([
    state !== 'draft' && reviewProduct(at, owner, product, example),
    ...files.map((file) => makeFile(at, owner, product.id, file)),
    codes && importCodes(at, owner, product.id, codes),
    discount && makeDiscount(at, owner, product.id, discount),
  ]);
  await all([
    ...sales.map((sale) => makeSale(at, owner, product, sale)),
    ...releases.map((release) => makeRelease(at, owner, product.id, release)),
  ]);
  if (edit) await editProduct(at, owner, product, example, edit);
  if (state === 'suspended') await decide(at, product.id, { decision: 'suspend', note: example.reason });
}

const decide = (at: Stack, productId: string, review: object) =>
  asAdmin(at, Anything, 'PATCH', `/v1/admin/products/${productId}/review`, review);

async function reviewProduct(at: Stack, owner: Caller, { id, status }: ProductReply, { state, reason }: ExampleProduct): Promise<void> {
  if (status !== 'draft' && status !== 'pending_review') return;
  await call(at, Anything, owner, 'POST', `/v1/products/${id}/submit-review`);
  if (state === 'rejected') await decide(at, id, { decision: 'reject', rejection_reason: reason });
  else if (state !== 'pending_review') await decide(at, id, { decision: 'approve' });
}

async function editProduct(
  at: Stack,
  owner: Caller,
  { id, pending }: ProductReply,
  { draft }: ExampleProduct,
  { changes, submitted }: NonNullable<ExampleProduct['edit']>,
): Promise<void> {
  if (!pending) await call(at, Anything, owner, 'PATCH', `/v1/products/${id}`, { ...draft, ...changes });
  if (submitted) await call(at, Anything, owner, 'POST', `/v1/products/${id}/submit-review`);
}

async function importCodes(at: Stack, owner: Caller, productId: string, codes: readonly string[]): Promise<void> {
  const form = new FormData();
  form.set('idempotency_key', 'examples');
  form.set('file', new Blob([['code', ...codes].join('\n')], { type: 'text/csv' }), 'codes.csv');
  await call(at, Made, owner, 'POST', `/v1/products/${productId}/code-batches`, form);
  const Stock = z.object({ available: z.int(), sold: z.int() });
  await waitFor('An import', async () => {
    const { available, sold } = await call(at, Stock, owner, 'GET', `/v1/products/${productId}/code-stock`);
    return available + sold >= codes.length || undefined;
  });
}

async function makeDiscount(at: Stack, owner: Caller, productId: string, discount: NonNullable<ExampleProduct['discount']>): Promise<void> {
  const discounts = `/v1/products/${productId}/discounts`;
  const { items } = await call(at, listOf(z.object({ code: z.string() })), owner, 'GET', `${discounts}?limit=100`);
  if (items.some(({ code }) => code === discount.code)) return;
  await call(at, Made, owner, 'POST', discounts, discount);
}
