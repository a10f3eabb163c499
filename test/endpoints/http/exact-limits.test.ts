import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { type Market, type Marketplace, openMarketplace, sha256, startMarket } from '../../support/scenes/marketplace.ts';

const asOwner = { 'X-User-ID': 'alice' };
const asAdmin = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };
const text = (length: number) => 'a'.repeat(length);
/** As many code points, each of two UTF-16 units and four bytes. */
const wide = (length: number) => '\u{1F600}'.repeat(length);
const email = (length: number) =>
  `a@${text(60)}.${text(60)}.${text(60)}.${text(length - 190)}.example`.slice(0, length - 8).concat('.example');
const uri = (length: number) => `https://a.example/${text(length - 'https://a.example/'.length)}`;
const texts = (count: number, length = 1) => Array.from({ length: count }, () => text(length));

describe('a limit holds exactly', () => {
  let market: Market;
  let scene: Marketplace;
  beforeAll(async () => {
    market = await startMarket();
    scene = await openMarketplace(market);
  });
  afterAll(() => market.stop());

  const product = () => ({
    name: scene.own.product.name,
    description: 'Edits photos.',
    price_amount: 4800,
    currency: 'JPY',
    support_email: 'help@example.com',
    refund_policy: 'Within 14 days.',
    software_operating_environment: 'Windows 11',
  });
  const invalid = (field: string) => ({ status: 400, json: { code: 'invalid_request', message: expect.stringContaining(field) } });

  test.each<[string, unknown, unknown]>([
    ['description', text(20_000), text(20_001)],
    ['description', wide(20_000), wide(20_001)],
    ['refund_policy', text(5000), text(5001)],
    ['software_operating_environment', wide(500), wide(501)],
    ['tokushoho_seller_name', text(500), text(501)],
    ['tokushoho_contact', text(500), text(501)],
    ['tokushoho_address', text(500), text(501)],
    ['price_amount', 99_999_999, 100_000_000],
    ['price_amount', 0, -1],
    ['currency', 'jpy', 'jpyx'],
    ['activation_limit', 100_000, 100_001],
    ['activation_limit', 1, 0],
    ['features', texts(100, 64), texts(101)],
    ['features', texts(1, 64), texts(1, 65)],
    ['features', [], ['']],
    ['license_key_prefix', 'ABCDEFGHIJ12', 'ABCDEFGHIJ123'],
    ['license_key_prefix', 'A', ''],
    ['support_email', email(254), email(255)],
    ['description', 'a\u202eb\u2066', text(20_001)],
    ['name', 'Right\u200b to left', 'Right\u202e to left'],
    ['software_operating_environment', 'Linux\nWindows', 'Linux\u200f'],
    ['tokushoho_contact', 'Phone', 'Phone\u061c'],
    ['features', ['sound'], ['sound\u2067']],
  ])('on the field %s of a product', async (field, most, more) => {
    const patch = (value: unknown) =>
      scene.call('PATCH', `/v1/products/${scene.own.product.id}`, { headers: asOwner, body: { ...product(), [field]: value } });
    const reply = await patch(most);
    expect([reply.status, { ...reply.json, ...reply.json.pending?.changes }[field]]).toEqual([200, most]);
    expect(await patch(more)).toMatchObject(invalid(field));
  });

  test.each<[string, unknown, unknown]>([
    ['display_name', text(200), text(201)],
    ['display_name', wide(200), wide(201)],
    ['contact_email', email(254), email(255)],
    ['support_email', email(254), email(255)],
    ['site_url', uri(2048), uri(2049)],
    ['display_name', 'אבג', 'אבג\u200e'],
    ['site_url', 'https://a.example/@me', 'https://bank.example@evil.example/'],
  ])('on the field %s of a seller', async (field, most, more) => {
    const application = {
      display_name: 'New',
      contact_email: 'a@example.com',
      support_email: 'a@example.com',
      site_url: 'https://a.example',
    };
    const apply = (value: unknown) =>
      scene.call('POST', '/v1/sellers', { headers: { 'X-User-ID': newId('seller') }, body: { ...application, [field]: value } });
    const reply = await apply(most);
    expect([reply.status, reply.json[field]]).toEqual([201, most]);
    expect(await apply(more)).toMatchObject(invalid(field));
  });

  test('on the name of a product', async () => {
    const create = (name: string) => scene.call('POST', '/v1/products', { headers: asOwner, body: { ...product(), name } });
    const reply = await create(text(200));
    expect([reply.status, reply.json.name, reply.json.slug]).toEqual([201, text(200), text(80)]);
    expect(await create(text(201))).toMatchObject(invalid('name'));
  });

  test.each<[string, unknown, unknown]>([
    ['license_key', text(512), text(513)],
    ['license_key', 'a', ' '],
    ['device_fingerprint', wide(512), wide(513)],
    ['device_fingerprint', 'a', '\t'],
    ['device_label', text(100), text(101)],
    ['app_version', text(64), text(65)],
    ['product_id', text(64), text(65)],
  ])('on the field %s of what an app asks', async (field, most, more) => {
    for (const verb of ['validate', 'activate', 'deactivate']) {
      const ask = (value: unknown) =>
        scene.call('POST', `/v1/licenses/${verb}`, {
          body: { product_id: 'prd_x', license_key: 'K', device_fingerprint: 'd', [field]: value },
        });
      expect((await ask(most)).status).toBe(200);
      expect(await ask(more)).toMatchObject(invalid(field));
    }
  });

  test('on what admins write', async () => {
    const { license, seller, product: reviewed, file } = scene.other;
    const files = `/v1/admin/products/${reviewed.id}/files/${file.id}/review`;
    for (const [method, path, body, field, most] of [
      ['POST', `/v1/admin/licenses/${license.id}/revoke`, {}, 'reason', 500],
      ['PATCH', `/v1/admin/sellers/${seller.id}/review`, { decision: 'approve' }, 'note', 5000],
      ['PATCH', `/v1/admin/products/${reviewed.id}/review`, { decision: 'approve' }, 'note', 5000],
      ['PATCH', `/v1/admin/products/${reviewed.id}/review`, { decision: 'suspend' }, 'rejection_reason', 500],
      ['PATCH', files, { decision: 'manual_clean' }, 'manual_scan_clean_reason', 500],
      ['PATCH', files, { decision: 'reject' }, 'rejected_reason', 500],
    ] as const) {
      const send = (value: string) => scene.call(method, path, { headers: asAdmin, body: { ...body, [field]: value } });
      expect(await send('a '.repeat(most).slice(0, most + 1))).toMatchObject(invalid(field));
      expect([field, (await send('a '.repeat(most).slice(0, most))).status]).toEqual([field, 200]);
    }
  });

  test('on the size of a multipart body', async () => {
    const path = `/v1/products/${scene.own.csvProduct.id}/code-batches`;
    const most = 4 * 1024 * 1024;
    const rows = `${text(99)}\n`.repeat(most / 100 + 1);
    const formOf = (fill: number) =>
      multipart([
        ['idempotency_key', newId('batch')],
        ['file', csv(`code\n${rows.slice(0, fill)}`)],
      ]);
    const room = most - (await formOf(0)).body.length;
    for (const [fill, code] of [
      [room, undefined],
      [room + 1, 'payload_too_large'],
    ] as const) {
      const form = await formOf(fill);
      expect(form.body.length).toBe(most + (fill - room));
      const reply = await scene.call('POST', path, { ...form, headers: { ...form.headers, ...asOwner } });
      expect([reply.status, reply.json.code]).toEqual([code === undefined ? 202 : 400, code]);
    }
  });

  test('on the live files of a product', async () => {
    const path = `/v1/products/${scene.own.csvProduct.id}/files/upload-intent`;
    const body = { filename: 'a.zip', content_type: 'application/zip', size_bytes: 1, sha256_hex: sha256('a') };
    const statuses: number[] = [];
    for (let times = 0; times < 21; times += 1) statuses.push((await scene.call('POST', path, { headers: asOwner, body })).status);
    expect(statuses).toEqual([...Array(20).fill(201), 400]);
    // An upload whose URL has ended is none that lives, and one that ends at this moment neither.
    scene.setTime(15 * 60_000 - 1);
    expect((await scene.call('POST', path, { headers: asOwner, body })).json.code).toBe('too_many_files');
    scene.setTime(15 * 60_000);
    expect((await scene.call('POST', path, { headers: asOwner, body })).status).toBe(201);
    scene.setTime(0);
  });

  test('on the length of a page', async () => {
    const list = (limit: string) => scene.call('GET', `/v1/products?limit=${limit}`, { headers: asOwner });
    for (const limit of ['1', '100']) expect((await list(limit)).status).toBe(200);
    for (const limit of ['0', '101', '-1', '1.0', '1e1', '+1', ' 1', ''])
      expect(await list(encodeURIComponent(limit))).toMatchObject(invalid('limit'));
  });
});
