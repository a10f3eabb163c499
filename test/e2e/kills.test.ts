import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { Order } from '../../shared/orders/order.ts';
import { sessionEvent, sign } from '../support/samples/provider-events.ts';
import { type KeptStack, licenseOf, startKeptStack } from '../support/scenes/sold-stock.ts';
import { eventually, offerProduct, type SentMail, type StackHarness } from '../support/scenes/stack-harness.ts';

jest.setTimeout(180_000);

const secret = 'whsec_local_platform';
type Sale = Pick<Order, 'id' | 'amount' | 'currency' | 'checkoutSessionId'>;

let stack: KeptStack;
let harness: StackHarness;
let product: { id: string; slug: string };

beforeAll(async () => {
  stack = await startKeptStack();
  ({ harness } = stack);
  product = await offerProduct(harness, { activation_limit: 100 });
});

afterAll(() => stack?.stop());

async function order(): Promise<Sale> {
  const { order_id, checkout_url, ...price } = await harness.call('POST', `/v1/public/products/${product.slug}/checkout`);
  return { id: order_id, checkoutSessionId: new URL(checkout_url).pathname.split('/').at(-1), ...price };
}

const paidEvent = (sale: Sale) =>
  JSON.stringify(sessionEvent(sale as Order, 'completed', { customer_details: { email: `${sale.id}@example.com` } }));

/** Whether the stack acknowledged it; one that is killed meanwhile did not. */
async function isAcknowledged(path: string, body: string, headers: Record<string, string> = {}): Promise<boolean> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body };
  return fetch(harness.baseUrl + path, init).then(
    ({ ok }) => ok,
    () => false,
  );
}

const deliver = (body: string) => isAcknowledged('/v1/payment/webhook', body, { 'Payment-Signature': sign(body, secret) });

/** Does all of it at once and kills the stack when half is acknowledged; resolves to what was. */
async function killAmidst<T>(items: readonly T[], attempt: (item: T) => Promise<boolean>): Promise<T[]> {
  const acknowledged: T[] = [];
  let restart: Promise<void> | undefined;
  const attempts = items.map(async (item) => {
    if (await attempt(item)) acknowledged.push(item);
    if (acknowledged.length >= items.length / 2) restart ??= harness.killAndRestart();
  });
  await Promise.all(attempts);
  await restart;
  return acknowledged;
}

test('sales that were acknowledged are made once, however often the stack is killed', async () => {
  const licenses = new Set<string>();
  const sold: Sale[] = [];
  for (let kill = 0; kill < 3; kill += 1) {
    const sales = await Promise.all(Array.from({ length: 8 }, order));
    const acknowledged = await killAmidst(sales, (sale) => deliver(paidEvent(sale)));
    expect(acknowledged.length).toBeGreaterThanOrEqual(4);
    for (const sale of acknowledged) licenses.add((await licenseOf(harness, sale.id)).licenseId);
    sold.push(...acknowledged);
  }
  expect(licenses.size).toBe(sold.length);
  for (const { id } of sold) {
    const address = `${id}@example.com`;
    await harness.mailTo(address);
    const { items }: { items: SentMail[] } = await harness.call('GET', '/__local/outbox');
    // Two only where the kill fell between the mail service's yes and our mark.
    expect(items.filter(({ to }) => to === address).length).toBeLessThanOrEqual(2);
  }
});

test('seats that were acknowledged are taken, and counted once, however often the stack is killed', async () => {
  const sale = await order();
  await deliver(paidEvent(sale));
  const { licenseId, key: license_key } = await licenseOf(harness, sale.id);
  const request = (device_fingerprint: string) => JSON.stringify({ product_id: product.id, license_key, device_fingerprint });
  for (let kill = 0; kill < 2; kill += 1) {
    const devices = Array.from({ length: 12 }, () => randomBytes(8).toString('hex'));
    const seated = await killAmidst(devices, (device) => isAcknowledged('/v1/licenses/activate', request(device)));
    expect(seated.length).toBeGreaterThanOrEqual(6);
    for (const device of seated) {
      const body = JSON.parse(request(device));
      expect(await harness.call('POST', '/v1/licenses/validate', { body })).toMatchObject({ valid: true, device_activated: true });
    }
  }
  const { activation_count, activations } = await harness.call('GET', `/v1/admin/licenses/${licenseId}?limit=100`, { as: 'admin' });
  expect(activations).toHaveLength(activation_count);

  // A lease that was acknowledged holds before the app starts again.
  const body = { ...JSON.parse(request('desk')), nonce: 'before-the-kill' };
  const keys = async () => (await harness.call('GET', '/.well-known/jwks.json')).keys;
  const pinned = await keys();
  const { lease } = await harness.call('POST', '/v1/licenses/activate', { body });
  await harness.killAndRestart();
  expect(await keys()).toEqual(pinned);
  const { payload } = await jwtVerify(lease, createLocalJWKSet({ keys: pinned }), {
    algorithms: ['ES256'],
    typ: 'license-lease+jwt',
    issuer: harness.baseUrl,
    audience: product.id,
  });
  expect(payload).toMatchObject({ sub: licenseId, nonce: 'before-the-kill' });
  const again = await harness.call('POST', '/v1/licenses/validate', { body });
  expect(again).toMatchObject({ code: 'valid', device_activated: true, activation_count: activation_count + 1, lease: expect.any(String) });
  expect((await harness.call('POST', '/v1/licenses/activate', { body })).code).toBe('already_activated');
});

test('parts of a file that were acknowledged are stored, and put together once, however often the stack is killed', async () => {
  const files = `/v1/products/${product.id}/files`;
  const as = 'seller';
  const partBytes = 8_388_608;
  const bytes = randomBytes(3 * partBytes + 5);
  const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('hex');
  const bodyOf = (part: number) => bytes.subarray((part - 1) * partBytes, part * partBytes);
  const declared = { size_bytes: bytes.length, sha256_hex: hashOf(bytes) };
  const intent = { filename: 'large.zip', content_type: 'application/zip', part_size_bytes: partBytes, ...declared };
  const { product_file_id: id } = await harness.call('POST', `${files}/upload-intent`, { as, body: intent });
  const parts = [1, 2, 3, 4].map((part_number) => ({ part_number, sha256_hex: hashOf(bodyOf(part_number)) }));
  const signed = await harness.call('POST', `${files}/${id}/parts`, { as, body: { parts } });
  const store = ({ part_number, upload_url, required_headers: { 'content-length': _, ...headers } }: any): Promise<boolean> =>
    fetch(upload_url, { method: 'PUT', headers, body: new Uint8Array(bodyOf(part_number)) }).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let kill = 0; kill < 2; kill += 1) {
    const stored = await killAmidst<any>(signed.items, store);
    const { items } = await harness.call('GET', `${files}/${id}/parts`, { as });
    for (const { part_number } of stored)
      expect(items).toContainEqual({ ...parts[part_number - 1], size_bytes: bodyOf(part_number).length });
  }
  expect(await Promise.all(signed.items.map(store))).toEqual([true, true, true, true]);
  const finalize = () => harness.call('POST', `${files}/${id}/finalize`, { as, body: declared });
  const answered = finalize().catch(() => undefined);
  await harness.killAndRestart();
  await answered;
  expect((await finalize()).status).toBe('pending_review');
  await eventually('the file is verified', 60, async () => {
    const { items } = await harness.call('GET', files, { as });
    return items.find((file: any) => file.id === id).hash_status === 'verified' ? true : undefined;
  });
});

test('examples that a kill left half made are gone on with, wherever they were', async () => {
  const aoi = { headers: { 'X-User-ID': 'example-aoi' } };
  const make = () => fetch(`${harness.baseUrl}/__local/examples`, { method: 'POST' });
  const orders = async () => (await harness.call('GET', '/v1/orders', aoi)).items as { status: string; license_status?: string }[];
  const begun = make().catch(() => undefined);
  await eventually(
    'a sale of the examples',
    60,
    async () => (await orders()).some((sale) => sale.license_status !== undefined) || undefined,
  );
  await harness.killAndRestart();
  await begun;
  expect((await Promise.all([make(), make()])).map(({ status }) => status).sort()).toEqual([200, 201]);
  const statesOf = async (list: string, state: (item: any) => string) =>
    new Set((await harness.call('GET', `/v1/admin/${list}`, { as: 'admin' })).items.map(state));
  expect(await statesOf('sellers', (seller) => seller.internal_review_status)).toEqual(
    new Set(['approved', 'approved_limited', 'draft', 'rejected', 'pending_review']),
  );
  expect(await statesOf('products', ({ status, pending }) => (pending ? `${status}, ${pending.status}` : status))).toEqual(
    new Set(['draft', 'pending_review', 'approved', 'rejected', 'suspended', 'approved, draft', 'approved, pending_review']),
  );
  const states = (await orders()).map(({ status, license_status }) => `${status} ${license_status}`);
  expect(states.sort()).toEqual(['paid active', 'paid active', 'paid suspended', 'refunded refunded']);
  const { items } = await harness.call('GET', '/v1/products', aoi);
  expect(items.flatMap(({ pending }: { pending?: { status: string } }) => pending?.status ?? [])).toEqual(['pending_review']);
});
