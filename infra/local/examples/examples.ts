import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type HttpReply, jsonReply } from '../http-reply.ts';
import { eventually } from './eventually.ts';
import { type Caller, createCall, UnexpectedReply } from './example-caller.ts';
import {
  type ExampleFile,
  type ExampleProduct,
  type ExampleRelease,
  type ExampleSale,
  type ExampleSeller,
  exampleSellers,
  lastSeller,
} from './example-data.ts';

const Anything = z.object({});
const Made = z.object({ id: z.string() });
const listOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item) });
const SellerReply = z.object({
  id: z.string(),
  internal_review_status: z.string(),
  payment_payouts_enabled: z.optional(z.boolean()),
  payment_connected_account_id: z.optional(z.string()),
});
const ProductReply = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  status: z.string(),
  pending: z.optional(z.object({ status: z.string() })),
});
type ProductReply = z.infer<typeof ProductReply>;
const SellerFile = z.object({ id: z.string(), file_name: z.string(), uploaded_at: z.optional(z.string()) });
const ReviewedFile = z.object({
  file_id: z.string(),
  status: z.string(),
  hash_status: z.string(),
  scan_status: z.string(),
  scan_trusted_clean: z.optional(z.boolean()),
});
const Intent = z.object({ product_file_id: z.string(), upload_url: z.string(), required_headers: z.record(z.string(), z.string()) });
const ReleaseReply = z.object({ id: z.string(), version: z.string(), status: z.string() });
const OrderReply = z.object({ id: z.string(), status: z.string(), product_id: z.string(), license_id: z.optional(z.string()) });
const PaidOrder = z.object({ checkout_session_id: z.string() });
const Outbox = listOf(z.object({ to: z.string(), text: z.string() }));
const Purchase = z.object({ order: z.object({ id: z.string() }), license: z.object({ license_key: z.string() }) });

const anyone: Caller = {};

export type Examples = ReturnType<typeof createExamples>;

/**
 * Examples of everything, for a stack that has nothing to look at yet: sellers, products, files, releases and sales.
 * All is done through the public endpoints, in the name of those whose it is, and what buyers and sellers do at the
 * payment provider by its test controls. What was begun and not ended is gone on with; two at once make one set.
 */
export function createExamples({
  address,
  admin,
  paymentEndpoint,
}: {
  /** Where the API answers. */
  address: string;
  /** Who reviews; undefined where nobody may. */
  admin: Caller | undefined;
  /** Where the fake payment provider is, if it is in use. */
  paymentEndpoint: string | undefined;
}) {
  const { call, find } = createCall(address);
  const atProvider = (path: string, body: object) => call(Anything, anyone, 'POST', `${paymentEndpoint}${path}`, body);
  const asAdmin = <T>(schema: z.ZodMiniType<T>, method: string, path: string, body?: object) =>
    call(schema, admin ?? {}, method, path, body);

  async function makeSeller({ owner, application, takesPayments, review, products }: ExampleSeller): Promise<void> {
    const known = await find(SellerReply, owner, '/v1/sellers/me');
    const seller = known ?? (await call(SellerReply, owner, 'POST', '/v1/sellers', application));
    if (takesPayments && !seller.payment_payouts_enabled) await setUpPayments(owner);
    // Before a review after which a seller may draft none.
    const drafts = await Promise.all(products.map((product) => draftProduct(owner, product)));
    if (review && seller.internal_review_status === 'pending_review') {
      await asAdmin(Anything, 'PATCH', `/v1/admin/sellers/${seller.id}/review`, review);
    }
    await all(products.flatMap((example, index) => (drafts[index] ? [makeProduct(owner, example, drafts[index])] : [])));
  }

  async function setUpPayments(owner: Caller): Promise<void> {
    await call(Anything, owner, 'POST', '/v1/sellers/payment/account-link');
    const { payment_connected_account_id: account } = await call(SellerReply, owner, 'GET', '/v1/sellers/me');
    await atProvider(`/test/accounts/${account}/onboarding`, { outcome: 'complete' });
    await call(Anything, owner, 'POST', '/v1/sellers/payment/refresh');
  }

  async function draftProduct(owner: Caller, { draft }: ExampleProduct): Promise<ProductReply> {
    const { items } = await call(listOf(ProductReply), owner, 'GET', '/v1/products?limit=100');
    return items.find(({ name }) => name === draft.name) ?? call(ProductReply, owner, 'POST', '/v1/products', draft);
  }

  async function makeProduct(owner: Caller, example: ExampleProduct, product: ProductReply): Promise<void> {
    const { state, files = [], codes, discount, releases = [], sales = [], edit } = example;
    if (product.status === 'suspended') return;
    await all([
      state !== 'draft' && reviewProduct(owner, product, example),
      ...files.map((file) => makeFile(owner, product.id, file)),
      codes && importCodes(owner, product.id, codes),
      discount && makeDiscount(owner, product.id, discount),
    ]);
    await all([
      ...sales.map((sale) => makeSale(owner, product, sale)),
      ...releases.map((release) => makeRelease(owner, product.id, release)),
    ]);
    if (edit) await editProduct(owner, product, example, edit);
    if (state === 'suspended') await decide(product.id, { decision: 'suspend', note: example.reason });
  }

  const decide = (productId: string, review: object) => asAdmin(Anything, 'PATCH', `/v1/admin/products/${productId}/review`, review);

  async function reviewProduct(owner: Caller, { id, status }: ProductReply, { state, reason }: ExampleProduct): Promise<void> {
    if (status !== 'draft' && status !== 'pending_review') return;
    await call(Anything, owner, 'POST', `/v1/products/${id}/submit-review`);
    if (state === 'rejected') await decide(id, { decision: 'reject', rejection_reason: reason });
    else if (state !== 'pending_review') await decide(id, { decision: 'approve' });
  }

  async function editProduct(
    owner: Caller,
    { id, pending }: ProductReply,
    { draft }: ExampleProduct,
    { changes, submitted }: NonNullable<ExampleProduct['edit']>,
  ): Promise<void> {
    if (!pending) await call(Anything, owner, 'PATCH', `/v1/products/${id}`, { ...draft, ...changes });
    if (submitted) await call(Anything, owner, 'POST', `/v1/products/${id}/submit-review`);
  }

  /** Uploads a file, unless it is there, and has it looked at; an admin vouches for what no trusted scanner does. Returns its id. */
  async function makeFile(owner: Caller, productId: string, { bytes, approved, ...named }: ExampleFile): Promise<string> {
    const files = `/v1/products/${productId}/files`;
    const { items } = await call(listOf(SellerFile), owner, 'GET', `${files}?limit=100`);
    const known = items.find((file) => file.file_name === named.filename && file.uploaded_at !== undefined);
    const fileId = known?.id ?? (await upload(owner, files, { bytes, ...named }));
    const scanned = await eventually('A scan', async () => {
      const reviews = `/v1/admin/product-files?product_id=${productId}&status=any&limit=100`;
      const { items: reviewed } = await asAdmin(listOf(ReviewedFile), 'GET', reviews);
      const found = reviewed.find(({ file_id }) => file_id === fileId);
      return found?.hash_status === 'verified' && found.scan_status !== 'not_scanned' ? found : undefined;
    });
    const review = `/v1/admin/products/${productId}/files/${fileId}/review`;
    const vouch = { decision: 'manual_clean', manual_scan_clean_reason: 'Made by the examples of the local stack.' };
    if (!approved || scanned.status === 'approved') return fileId;
    if (!scanned.scan_trusted_clean) await asAdmin(Anything, 'PATCH', review, vouch);
    if (named.purpose !== 'release') await asAdmin(Anything, 'PATCH', review, { decision: 'approve' });
    return fileId;
  }

  async function upload(owner: Caller, files: string, { bytes, ...named }: Omit<ExampleFile, 'approved'>): Promise<string> {
    const declared = { size_bytes: bytes.length, sha256_hex: createHash('sha256').update(bytes).digest('hex') };
    const intent = await call(Intent, owner, 'POST', `${files}/upload-intent`, { ...named, ...declared });
    // The client states the length itself.
    const { 'content-length': _, ...headers } = lowerCased(intent.required_headers);
    const put = await fetch(intent.upload_url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
    if (!put.ok) throw new Error(`An upload was answered with ${put.status}.`);
    await call(Anything, owner, 'POST', `${files}/${intent.product_file_id}/finalize`, declared);
    return intent.product_file_id;
  }

  async function importCodes(owner: Caller, productId: string, codes: readonly string[]): Promise<void> {
    const form = new FormData();
    form.set('idempotency_key', 'examples');
    form.set('file', new Blob([['code', ...codes].join('\n')], { type: 'text/csv' }), 'codes.csv');
    await call(Made, owner, 'POST', `/v1/products/${productId}/code-batches`, form);
    const Stock = z.object({ available: z.int(), sold: z.int() });
    await eventually('An import', async () => {
      const { available, sold } = await call(Stock, owner, 'GET', `/v1/products/${productId}/code-stock`);
      return available + sold >= codes.length || undefined;
    });
  }

  async function makeDiscount(owner: Caller, productId: string, discount: NonNullable<ExampleProduct['discount']>): Promise<void> {
    const discounts = `/v1/products/${productId}/discounts`;
    const { items } = await call(listOf(z.object({ code: z.string() })), owner, 'GET', `${discounts}?limit=100`);
    if (items.some(({ code }) => code === discount.code)) return;
    await call(Made, owner, 'POST', discounts, discount);
  }

  async function makeRelease(owner: Caller, productId: string, { version, notes, published }: ExampleRelease): Promise<void> {
    const releases = `/v1/products/${productId}/releases`;
    const { items } = await call(listOf(ReleaseReply), owner, 'GET', `${releases}?limit=100`);
    let release = items.find((known) => known.version === version);
    if (release === undefined || release.status === 'draft') {
      const filename = `sorairo-${version}.zip`;
      const bytes = Buffer.from(`${filename}\n`.repeat(2000));
      const file = { filename, content_type: 'application/zip', purpose: 'release', bytes, approved: published } as const;
      const artifact = { file_id: await makeFile(owner, productId, file), platform: 'any', arch: 'any', kind: 'full', feeds: ['electron'] };
      const draft = { version, channel: 'stable', notes, artifacts: [artifact] };
      const saved = release ?? (await call(ReleaseReply, owner, 'POST', releases, draft));
      release = await call(ReleaseReply, owner, 'POST', `${releases}/${saved.id}/submit`);
    }
    const { id, status } = release;
    if (!published || status === 'published') return;
    const review = `/v1/admin/products/${productId}/releases/${id}/review`;
    if (status === 'pending_review') await asAdmin(Anything, 'PATCH', review, { decision: 'approve' });
    await call(Anything, owner, 'POST', `${releases}/${id}/publish`, {});
  }

  async function makeSale(owner: Caller, product: ProductReply, sale: ExampleSale): Promise<void> {
    const { items } = await call(listOf(OrderReply), owner, 'POST', '/v1/orders/search', { buyer_email: sale.buyer });
    const known = items.find(({ product_id }) => product_id === product.id);
    const id = known?.id ?? (await pay(product, sale));
    const order = `/v1/orders/${id}`;
    const hasCome = (...statuses: string[]) =>
      eventually(`An order being ${statuses.join(' or ')}`, async () => {
        const found = await call(OrderReply, owner, 'GET', order);
        // A sold code is a license too.
        return (statuses.includes(found.status) && found.license_id !== undefined && found) || undefined;
      });
    const { status } = await hasCome('paid', 'refunded');
    if (status === 'refunded') return;
    if (sale.devices) await activate(product.id, sale.buyer, id, sale.devices);
    if (sale.suspended !== undefined) await call(Anything, owner, 'POST', `${order}/license/suspend`, { reason: sale.suspended });
    if (!sale.refunded) return;
    const { checkout_session_id: session } = await asAdmin(PaidOrder, 'GET', `/v1/admin/orders/${id}`);
    await atProvider(`/test/payments/${session}/refund`, {});
    await hasCome('refunded');
  }

  /** Returns the id of the order. */
  async function pay(product: ProductReply, { buyer, locale, choice }: ExampleSale): Promise<string> {
    const Checkout = z.object({ checkout_url: z.string(), order_id: z.string() });
    const checkouts = `/v1/public/products/${encodeURIComponent(product.slug)}/checkout`;
    const checkout = await call(Checkout, anyone, 'POST', checkouts, { locale, ...choice });
    const session = new URL(checkout.checkout_url).pathname.split('/').at(-1);
    await atProvider(`/test/checkout/${session}/pay`, { email: buyer });
    return checkout.order_id;
  }

  /** The buyer takes the key from the mail, and the app activates it. */
  async function activate(productId: string, buyer: string, orderId: string, devices: readonly string[]): Promise<void> {
    const license_key = await eventually('A mail', async () => {
      const { items } = await call(Outbox, anyone, 'GET', '/__local/outbox');
      const tokens = items.filter(({ to }) => to === buyer).flatMap(({ text }) => /#token=([\w.-]+)/.exec(text)?.[1] ?? []);
      for (const token of tokens) {
        const { order, license } = await call(Purchase, anyone, 'POST', '/v1/purchases/complete', { token });
        if (order.id === orderId) return license.license_key;
      }
      return undefined;
    });
    for (const device_label of devices) {
      const device = { device_fingerprint: `example-${device_label}`, device_label };
      await call(Anything, anyone, 'POST', '/v1/licenses/activate', { product_id: productId, license_key, ...device });
    }
  }

  async function makeAll(): Promise<HttpReply> {
    if (paymentEndpoint === undefined)
      return jsonReply({ message: 'The examples are sold through the fake payment provider, which is not in use.' }, 409);
    if (admin === undefined) return jsonReply({ message: 'ADMIN_ALLOWLIST names nobody who could review the examples.' }, 409);
    if (await find(SellerReply, lastSeller.owner, '/v1/sellers/me')) return jsonReply({});
    try {
      await all(exampleSellers.map(makeSeller));
      await makeSeller(lastSeller);
    } catch (error) {
      if (!(error instanceof UnexpectedReply && error.status === 409)) throw error;
      return jsonReply({ message: `What is there stands in the way of the examples: ${error.message}` }, 409);
    }
    return jsonReply({}, 201);
  }

  let underWay: Promise<unknown> = Promise.resolve();
  return {
    /** 201 when they are made by this call, 200 when they were there, 409 where they cannot be made. */
    make(): Promise<HttpReply> {
      const made = underWay.then(makeAll);
      underWay = made.catch(() => undefined);
      return made;
    },
  };
}

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Waits for each, so that nothing goes on when one has failed. */
async function all(works: readonly (Promise<unknown> | false | undefined)[]): Promise<void> {
  const results = await Promise.allSettled(works);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
