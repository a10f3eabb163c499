import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ReceivedRequest } from '../../infra/local/local-receiver.ts';
import { openGuide } from '../support/http/guide-code.ts';
import { requestCodeOf } from '../support/samples/leases.ts';
import { keyringText } from '../support/samples/licenses.ts';
import { csv, multipart } from '../support/samples/multipart.ts';
import { png } from '../support/samples/pictures.ts';
import { type HeldScanner, startHeldScanner } from '../support/scenes/releases/held-scanner.ts';
import { beginSale, sell } from '../support/scenes/sold-stock.ts';
import { eventually, offerProduct, publishFile, uploadFile } from '../support/scenes/stack-harness.ts';
import { describeBrowserStories } from './stories/browser.ts';
import { activate as activateOf, admin, anyone, codeOf, openDesk, seller, stack } from './stories/desk.ts';
import { describeReleases } from './stories/releases.ts';
import { describeSales } from './stories/sales.ts';
import { describeSellers } from './stories/sellers.ts';

jest.setTimeout(180_000);

let scanner: HeldScanner;
let product: { id: string; slug: string };
let guide: (caption: string) => string;

const activate = (key: string, device: string) => activateOf(product.id, key, device);

/** What code of the guide prints where these variables are set. */
const runWith = (variables: Record<string, string>, code: string): string =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', code], { encoding: 'utf8', env: { ...process.env, ...variables } });

/** The same with the name of a user in the place of a token. */
const runExample = (code: string, userId: string) => runWith({}, code.replaceAll('Authorization: Bearer $TOKEN', `X-User-ID: ${userId}`));

const activationsOf = async (orderId: string) => (await seller('GET', `/v1/orders/${orderId}`)).license.activations;

/** What only a whole stack shows: each function does its work with no more than its own role allows. */
describe('with the roles of the templates', () => {
  beforeAll(async () => {
    // With an older pepper, under which a new key must not be either.
    scanner = await startHeldScanner();
    await openDesk({
      RATE_LIMIT_CHECKOUT: '1000',
      RATE_LIMIT_COMPLETE: '1000',
      RATE_LIMIT_SELLER: '300',
      LICENSE_PEPPERS: keyringText('p2', 'p1'),
      CLAMD_URL: scanner.url,
    });
    product = await offerProduct(stack, { name: 'Recorder', offline_file_days: 30 });
    guide = await openGuide(`${stack.baseUrl}/docs/sellers?lang=en`);
  }, 240_000);
  afterAll(() => Promise.all([stack?.stop(), scanner?.stop()]));

  describeBrowserStories();
  describeReleases(() => scanner);
  describeSales();
  describeSellers(() => product.id);

  test('a seller looks after sales', async () => {
    const { orderId, key, licenseId, email } = await sell(stack, product.slug);
    expect((await activate(key, 'laptop')).code).toBe('activated');
    // The product has no file, and was sold all the same.
    expect((await seller('GET', '/v1/sellers/me')).next_steps).toEqual([]);
    expect((await seller('GET', '/v1/orders')).items.map(({ id }: { id: string }) => id)).toContain(orderId);
    for (const term of [{ license_key: key }, { buyer_email: email }, { order_id: orderId }]) {
      expect((await seller('POST', '/v1/orders/search', term)).items).toMatchObject([{ id: orderId, license_id: licenseId }]);
    }
    const [activation] = await activationsOf(orderId);
    await seller('POST', `/v1/orders/${orderId}/activations/${activation.id}/release`);
    await seller('POST', `/v1/orders/${orderId}/license/suspend`, { reason: 'asked for' });
    await seller('POST', `/v1/orders/${orderId}/license/reinstate`);
    expect(await seller('PATCH', `/v1/orders/${orderId}/license`, { activation_limit: 1 })).toMatchObject({ activation_limit: 1 });
    await activate(key, 'desktop');
    expect(await codeOf(activate(key, 'tablet'))).toBe('activation_limit_exceeded');
    expect((await seller('GET', `/v1/orders/${orderId}/history`)).items).toContainEqual(
      expect.objectContaining({ action: 'activation.released', actor: 'seller' }),
    );
    const { user_id: userId } = await seller('GET', '/v1/me');
    const told = runExample(guide('Find the sale, look at it, send fresh links').replace('buyer@example.com', email), userId);
    expect(told).toContain('"status": "paid"');
    expect(told).toContain('"seats": 1');
    expect((await stack.mailTo(email, 2)).text).toContain('#token=');
  });

  test('an app gives its seat back, a computer without a network takes one, and the guide is there', async () => {
    const { key } = await sell(stack, product.slug);
    await activate(key, 'laptop');
    const onLaptop = { product_id: product.id, license_key: key, device_fingerprint: 'laptop' };
    expect((await anyone('POST', '/v1/licenses/deactivate', onLaptop)).code).toBe('deactivated');
    const code = requestCodeOf({ p: product.id, d: 'studio' });
    const offline = await anyone('POST', '/v1/licenses/offline-activations', { license_key: key, request_code: code });
    expect(offline).toMatchObject({ code: 'activated', lease: expect.any(String) });
    expect((await fetch(`${stack.baseUrl}/docs`)).status).toBe(200);
  });

  test('who begins to sell does as the guide says', () => {
    const user = `beginner-${randomBytes(8).toString('hex')}`;
    expect(runExample(guide('What is yours to do'), user)).toBe('apply\n');
    expect(JSON.parse(runExample(guide('Apply'), user))).toMatchObject({ next_steps: ['payments', 'product'] });
    expect(JSON.parse(runExample(guide('Draft a product, and hand it in'), user))).toMatchObject({ status: 'pending_review' });
    expect(runExample(guide('What is yours to do'), user)).toBe('payments\ndelivery\n');
    expect(JSON.parse(runExample(guide('Give your number'), user))).toEqual({ invoice_registration_number: 'T1234567890123' });
    const [offers, discount] = ['A product for teams, and one that its owners get for less', 'Make a code, see how it fares, end it'].map(
      guide,
    );
    const [offered, ...ofCode] = runExample(`${offers} | jq -c\n{ ${discount}\n} | jq -c`, user)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(offered).toEqual({ name: 'Photo Studio Pro', upgrades_from: [{ product_id: expect.any(String), price_amount: 5000 }] });
    expect(ofCode).toEqual([{ code: 'SPRING-20', redeemed: 0, reserved: 0 }, 0, { code: 'SPRING-20', ended: true }]);
  });

  test('a program runs a shop with one token, as the guide says', async () => {
    const { token: TOKEN } = await seller('POST', '/v1/api-tokens', JSON.parse(guide('POST /v1/api-tokens')));
    const printed = runWith({ TOKEN }, guide('Draft, price, test key, discount, review')).trim().split('\n');
    const { id, ...handedIn } = JSON.parse(printed.pop()!);
    expect(handedIn).toEqual({ status: 'pending_review' });
    expect(printed.map((line) => JSON.parse(line))).toEqual([
      { price_amount: 3800 },
      { expires_at: expect.any(String) },
      { code: 'LAUNCH' },
    ]);
    const { slug } = await admin('PATCH', `/v1/admin/products/${id}/review`, { decision: 'approve' });
    const { orderId } = await sell(stack, slug);
    const list = guide('Orders of this month');
    const month = runWith({ TOKEN }, list);
    const rows = month.split('\n').filter((row) => row.includes(id));
    expect(rows.map((row) => row.slice(27))).toEqual([`"${orderId}","${id}","paid",3800,"JPY"`]);
    expect(runWith({ TOKEN }, list.replace('limit=100', 'limit=5'))).toBe(month);
  });

  test('a seller tries an app with test keys', async () => {
    const path = `/v1/products/${product.id}/test-keys`;
    const [first, second] = [await seller('POST', path), await seller('POST', path)];
    expect(await activate(first.license_key, 'build machine')).toMatchObject({ code: 'activated', test: true });
    expect((await seller('GET', path)).items.map(({ license_id }: { license_id: string }) => license_id)).toEqual([
      second.license_id,
      first.license_id,
    ]);
    await seller('POST', `${path}/${first.license_id}/end`);
    expect(await activate(first.license_key, 'build machine')).toMatchObject({ valid: false, code: 'license_revoked', test: true });
    expect(await admin('POST', `/v1/admin/licenses/${second.license_id}/revoke`)).toMatchObject({ license: { test: true } });
  });

  test('a seller renames what nobody has seen', async () => {
    const terms = { description: 'Draws.', refund_policy: 'None.', software_operating_environment: 'Linux', support_email: 'a@b.example' };
    const draft = { ...terms, name: 'Brush', price_amount: 500, currency: 'JPY' };
    const { id } = await seller('POST', '/v1/products', draft);
    expect((await seller('PATCH', `/v1/products/${id}`, { ...draft, name: 'Pencil' })).slug).toBe('pencil');
    expect((await seller('POST', '/v1/products', draft)).slug).toBe('brush');
  });

  test('an admin looks after sellers, products, files, orders and licenses', async () => {
    const file = await publishFile(stack, product.id, 'editor.zip', Buffer.from('the bytes of the editor'));
    const { orderId, key, licenseId, email } = await sell(stack, product.slug);
    await activate(key, 'laptop');
    const { id: sellerId } = await seller('GET', '/v1/sellers/me');
    for (const list of [
      'sellers',
      'products',
      `products?seller_id=${sellerId}`,
      `products?slug=${product.slug}`,
      'product-files?status=approved',
      'orders',
      'audit',
    ]) {
      expect((await admin('GET', `/v1/admin/${list}`)).items.length).toBeGreaterThan(0);
    }
    expect((await admin('GET', `/v1/admin/product-files?status=approved&product_id=${product.id}`)).items).toHaveLength(1);
    expect((await admin('GET', `/v1/admin/orders?seller_id=${sellerId}`)).items.length).toBeGreaterThan(0);
    expect((await admin('GET', `/v1/admin/audit?target_id=${licenseId}`)).items.length).toBeGreaterThan(0);
    for (const path of ['queue', 'overview', 'jobs', `sellers/${sellerId}`, `products/${product.id}`])
      await admin('GET', `/v1/admin/${path}`);
    await admin('PATCH', `/v1/admin/products/${product.id}/review`, { decision: 'approve' });
    const { download_url: url } = await admin('POST', `/v1/admin/products/${product.id}/files/${file}/download-intent`);
    expect(await (await fetch(url)).text()).toBe('the bytes of the editor');
    for (const term of [{ license_key: key }, { buyer_email: email }, { order_id: orderId }]) {
      expect((await admin('POST', '/v1/admin/orders/search', term)).items).toMatchObject([{ id: orderId }]);
    }
    expect(await admin('GET', `/v1/admin/orders/${orderId}`)).toMatchObject({ id: orderId });
    await admin('POST', `/v1/admin/orders/${orderId}/completion-token`);
    await admin('POST', `/v1/admin/orders/${orderId}/buyer-email`, { buyer_email: 'corrected@example.com' });
    await stack.mailTo('corrected@example.com');
    await admin('POST', `/v1/admin/orders/${orderId}/resend-link`);
    await seller('POST', `/v1/orders/${orderId}/buyer-email-request`, { buyer_email: 'asked-for@example.com' });
    expect((await admin('GET', '/v1/admin/email-requests')).items).toMatchObject([{ order_id: orderId, wanted_masked: 'a…@example.com' }]);
    await admin('POST', `/v1/admin/email-requests/${orderId}/decide`, { decision: 'approve' });
    await stack.mailTo('asked-for@example.com');
    const { activations } = await admin('GET', `/v1/admin/licenses/${licenseId}`);
    await admin('POST', `/v1/admin/licenses/${licenseId}/activations/${activations[0].id}/release`);
    expect(await admin('POST', `/v1/admin/licenses/${licenseId}/revoke`, { reason: 'tried out' })).toMatchObject({ processed: true });
    await seller('POST', `/v1/products/${product.id}/files/${file}/withdraw`);
  });

  test('an order waits for an imported code, and gets one', async () => {
    const codes = `/v1/products/{}/code-batches`;
    const own = await offerProduct(stack, { name: 'Plug-in', license_issuance_mode: 'imported_csv' });
    const upload = async (key: string, ...lines: string[]) => {
      const form = await multipart([
        ['idempotency_key', key],
        ['file', csv(`code\n${lines.join('\n')}\n`)],
      ]);
      const path = codes.replace('{}', own.id);
      const { id } = await stack.call('POST', path, { as: 'seller', form });
      await eventually('the import is complete', 60, async () => {
        const batch = await seller('GET', `${path}/${id}`);
        return batch.status === 'completed' || undefined;
      });
    };
    await upload('first', 'PLUGIN-CODE-0001');
    const [first, second] = [await beginSale(stack, own.slug), await beginSale(stack, own.slug)];
    for (const { session, email } of [first, second]) await stack.provider(`/test/checkout/${session}/pay`, { email });
    const waitingOrders = async () => (await seller('GET', `/v1/products/${own.id}/code-stock`)).waiting_orders;
    await eventually('an order waits', 60, async () => (await waitingOrders()) === 1 || undefined);
    expect((await seller('GET', '/v1/overview')).attention).toContainEqual(
      expect.objectContaining({ kind: 'codes_short', target_id: own.id }),
    );
    await upload('second', 'PLUGIN-CODE-0001', 'PLUGIN-CODE-0002');
    await eventually('it waits no more', 60, async () => (await waitingOrders()) === 0 || undefined);
    await upload('third', 'PLUGIN-CODE-0003');
    // What is unsold is known to the seller, and no license key yet.
    await upload('fourth', 'PLUGIN-CODE-0003', 'PLUGIN-CODE-0004');
    expect((await fetch(`${stack.baseUrl}/p/${encodeURIComponent(own.slug)}`)).status).toBe(200);
    expect((await seller('GET', `/v1/products/${own.id}/code-batches`)).items).toHaveLength(4);
    expect(await seller('GET', `/v1/products/${own.id}/code-stock`)).toEqual({ available: 2, sold: 2, waiting_orders: 0 });
  });

  test('a dispute holds a license, and its end lifts the hold', async () => {
    const { orderId, session, key, token, email } = await sell(stack, product.slug);
    const shows = (code: string) =>
      eventually(`the license is ${code}`, 60, async () => {
        const answer = await anyone('POST', '/v1/licenses/validate', { product_id: product.id, license_key: key });
        return answer.code === code || undefined;
      });
    const { id: dispute } = await stack.provider(`/test/payments/${session}/dispute`);
    await shows('license_disputed');
    await stack.mailTo(email);
    await admin('POST', `/v1/admin/orders/${orderId}/resend-link`);
    await eventually('the mail is withheld', 60, async () => {
      const { completion_mail: mail } = await admin('GET', `/v1/admin/orders/${orderId}`);
      return mail.state === 'withheld' || undefined;
    });
    await stack.provider(`/test/disputes/${dispute}/close`, { status: 'won' });
    await shows('valid');
    expect((await stack.mailTo(email, 2)).text).toContain('#token=');
    await stack.provider(`/test/payments/${session}/refund`, { amount: 100 });
    const purchase = await eventually('the purchase shows the refund', 60, async () => {
      const shown = await anyone('POST', '/v1/purchases/complete', { token });
      return shown.order.amount_refunded > 0 ? shown : undefined;
    });
    expect(purchase.order.amount_refunded).toBe(100);
    expect(await admin('GET', `/v1/admin/orders/${orderId}`)).toMatchObject({ payment_facts: { refunded_amount: 100 } });
  });

  test('events reach an endpoint, again when they are asked for, and none when it is gone', async () => {
    const path = '/v1/webhook-endpoints';
    const receiver = (query = '') => `http://127.0.0.1:${new URL(stack.baseUrl).port}/__local/receiver/roles${query}`;
    const { id } = await seller('POST', path, { url: receiver() });
    await seller('POST', `${path}/${id}/test`);
    const delivered = (status: string, count: number) =>
      eventually(`${count} deliveries are ${status}`, 60, async () => {
        const { items } = await seller('GET', `${path}/${id}/deliveries`);
        return items.filter((item: { status: string }) => item.status === status).length >= count ? items : undefined;
      });
    const [{ event_id: eventId }] = await delivered('delivered', 1);
    const { orderId, key } = await sell(stack, product.slug);
    await seller('PATCH', `/v1/orders/${orderId}/license`, { activation_limit: 1 });
    await activate(key, 'laptop');
    for (const device of ['desktop', 'tablet']) expect(await codeOf(activate(key, device))).toBe('activation_limit_exceeded');
    await seller('POST', `${path}/${id}/replay`, { event_id: eventId });
    // A replay of all takes the place of one that has not begun.
    await eventually('the event came again', 60, async () => {
      const { items } = await anyone('GET', '/__local/receiver');
      return items.filter(({ headers }: ReceivedRequest) => headers['webhook-id'] === eventId).length > 1 || undefined;
    });
    await seller('POST', `${path}/${id}/replay`, {});
    await seller('PATCH', `${path}/${id}`, { url: receiver('?status=500') });
    await seller('POST', `${path}/${id}/test`);
    await delivered('pending', 1);
    await seller('PATCH', `${path}/${id}`, { enabled: false });
    await seller('PATCH', `${path}/${id}`, { enabled: true, url: receiver() });
    // On a busy machine a second attempt has failed by now, and the next is minutes away.
    await seller('POST', `${path}/${id}/replay`, {});
    await delivered('delivered', 2);
    await seller('POST', `${path}/${id}/rotate-secret`);
    await seller('PATCH', `${path}/${id}`, { url: receiver('?status=410') });
    await seller('POST', `${path}/${id}/test`);
    await eventually('the endpoint is disabled', 60, async () => ((await seller('GET', `${path}/${id}`)).enabled ? undefined : true));
    await seller('POST', `${path}/${id}/delete`);
    expect((await seller('GET', path)).items).toEqual([]);
  });

  test('a picture is shown in previews, and what is none is rejected', async () => {
    const picture = { content_type: 'image/png', purpose: 'image' };
    await publishFile(stack, product.id, 'view.png', png(40, 20), picture);
    const { preview_url: preview } = await seller('POST', `/v1/products/${product.id}/preview`);
    const [, path = ''] = /<img src="([^"]+)"/.exec(await (await fetch(preview)).text()) ?? [];
    expect((await fetch(stack.baseUrl + path)).headers.get('content-type')).toBe('image/png');
    const reviewed = await admin('POST', `/v1/admin/products/${product.id}/preview`);
    expect((await fetch(reviewed.preview_url)).status).toBe(200);
    const file = await uploadFile(stack, product.id, 'no-view.png', Buffer.from('no picture'), picture);
    await eventually('it is rejected', 60, async () => {
      const { items } = await seller('GET', `/v1/products/${product.id}/files`);
      return (
        items.find((item: { id: string; file_id: string }) => [item.id, item.file_id].includes(file))?.status === 'rejected' || undefined
      );
    });
  });

  test('a seller uploads a file in parts, and takes back another, whose parts end', async () => {
    const product = await offerProduct(stack, { name: 'In parts' });
    const files = `/v1/products/${product.id}/files`;
    const bytes = Buffer.alloc(8_388_608 + 5, 'bytes');
    const hashOf = (part: Buffer) => createHash('sha256').update(part).digest('hex');
    const declared = { size_bytes: bytes.length, sha256_hex: hashOf(bytes) };
    const bodies = [bytes.subarray(0, 8_388_608), bytes.subarray(8_388_608)];
    const parts = bodies.map((body, index) => ({ part_number: index + 1, sha256_hex: hashOf(body) }));
    const begin = async () => {
      const intent = { filename: 'large.zip', content_type: 'application/zip', part_size_bytes: 8_388_608, ...declared };
      const { product_file_id: id } = await seller('POST', `${files}/upload-intent`, intent);
      const { items } = await seller('POST', `${files}/${id}/parts`, { parts });
      const put = async (at: number) => {
        const { 'content-length': _, ...headers } = items[at].required_headers;
        return (await fetch(items[at].upload_url, { method: 'PUT', headers, body: new Uint8Array(bodies[at]!) })).status;
      };
      return { id, put };
    };
    const [kept, other] = [await begin(), await begin()];
    expect([await kept.put(0), await kept.put(1), await other.put(1)]).toEqual([200, 200, 200]);
    expect((await seller('GET', `${files}/${kept.id}/parts`)).items).toMatchObject(parts);
    await seller('POST', `${files}/${kept.id}/finalize`, declared);
    await seller('POST', `${files}/${other.id}/withdraw`);
    await eventually('the parts end', 90, async () => ((await other.put(1)) === 404 ? true : undefined));
    await eventually('the file is hashed', 90, async () => {
      const { items } = await seller('GET', files);
      return items.find(({ id }: { id: string }) => id === kept.id).hash_status === 'verified' ? true : undefined;
    });
  });

  test('a file that was not uploaded is not finalized', async () => {
    const declared = { size_bytes: 3, sha256_hex: '0'.repeat(64) };
    const files = `/v1/products/${product.id}/files`;
    const { product_file_id: id } = await seller('POST', `${files}/upload-intent`, {
      filename: 'late.bin',
      content_type: 'application/octet-stream',
      ...declared,
    });
    expect(await codeOf(seller('POST', `${files}/${id}/finalize`, declared))).toBe('upload_not_found');
  });

  test('fresh links are mailed, and the probes and lists are answered', async () => {
    const { email } = await sell(stack, product.slug);
    await stack.mailTo(email);
    await anyone('POST', '/v1/purchases/resend-link', { buyer_email: email });
    await stack.mailTo(email, 2);
    const sent = await fetch(`${stack.baseUrl}/manage`, {
      method: 'POST',
      headers: { Origin: stack.baseUrl },
      body: new URLSearchParams({ buyer_email: email }),
      redirect: 'manual',
    });
    expect(sent.status).toBe(303);
    expect((await stack.mailTo(email, 3)).text).toContain('#token=');
    expect((await seller('GET', '/v1/products')).items.length).toBeGreaterThan(0);
    expect((await fetch(`${stack.baseUrl}/readyz`)).status).toBe(200);
    expect(await seller('GET', '/v1/me')).toMatchObject({ seller_id: expect.any(String) });
  });
});
