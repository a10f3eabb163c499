import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { queueKey } from '../../../shared/db/keys.ts';
import type { Item } from '../../../shared/db/table.ts';
import { getFile, replaceFileOnly } from '../../../shared/product-files/product-file-repository.ts';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { type Market, type Marketplace, openMarketplace, startMarket } from '../../support/scenes/marketplace.ts';
import { bringRelease } from '../../support/scenes/releases/market-releases.ts';

jest.setTimeout(120_000);

type Json = Record<string, any>;
const asAdmin = { 'X-User-ID': 'reviewer', 'X-User-Email': 'admin@example.com' };
const asAlice = { 'X-User-ID': 'alice' };

let market: Market;
let scene: Marketplace;
beforeAll(async () => {
  market = await startMarket();
  scene = await openMarketplace(market, { REVIEW_DUE_HOURS: '5' });
});
afterAll(() => market.stop());

const get = async (path: string, headers: Record<string, string> = asAdmin) => (await scene.call('GET', path, { headers })).json;
const apply = (user: string, email = '') =>
  scene.call('POST', '/v1/sellers', {
    headers: { 'X-User-ID': user, 'X-User-Email': email },
    body: { display_name: 'Dora', contact_email: 'd@example.com', support_email: 'd@example.com', site_url: 'https://dora.example' },
  });

describe('the queue', () => {
  test('shows each kind with its name, its seller, until when it is due, and why nobody can decide', async () => {
    const { call, own, other, addFile } = scene;
    await apply('dora');
    const seller = await get('/v1/sellers/me', { 'X-User-ID': 'dora' });
    const edit = { ...productRequest, name: own.product.slug, price_amount: 77 };
    await call('PATCH', `/v1/products/${own.product.id}`, { headers: asAlice, body: edit });
    await call('POST', `/v1/products/${own.product.id}/submit-review`, { headers: asAlice });
    const releaseId = await bringRelease(scene, own, 'pending_review', '1.0.0');
    const infected = await addFile(other.product, { hashStatus: 'verified', scanStatus: 'infected', fileName: 'bad.zip' });
    const failed = await addFile(other.product, { hashStatus: 'mismatch', purpose: 'image', fileName: 'bad.png' });
    const due = (since: unknown) => new Date(Date.parse(String(since)) + 5 * 3600_000).toISOString();
    const item = (kind: string, target_id: string, since: unknown, more: Json) => ({
      kind,
      target_id,
      ...more,
      since,
      due_at: due(since),
      own: false,
    });
    const ofAlice = { product_id: own.product.id, seller_id: own.seller.id, seller_name: 'Example Shop', ready: true };
    const ofBob = { product_id: other.product.id, seller_id: other.seller.id, seller_name: 'Example Shop' };
    const { items } = await get('/v1/admin/queue');
    expect(items).toEqual([
      item('file', own.file.id, own.file.uploadedAt, { ...ofAlice, title: 'setup.zip', ready: false, blocked_by: 'hash' }),
      item('file', other.file.id, other.file.uploadedAt, { ...ofBob, title: 'setup.zip', ready: false, blocked_by: 'hash' }),
      item('file', infected.id, infected.uploadedAt, { ...ofBob, title: 'bad.zip', ready: false, blocked_by: 'infected' }),
      item('file', failed.id, failed.uploadedAt, { ...ofBob, title: 'bad.png', ready: true }),
      item('release', releaseId, scene.at, { ...ofAlice, title: '1.0.0' }),
      item('revision', own.product.id, scene.at, { ...ofAlice, title: own.product.name }),
      item('seller', seller.id, scene.at, { seller_id: seller.id, seller_name: 'Dora', title: 'Dora', ready: true }),
    ]);
    for (const kind of ['seller', 'product', 'revision', 'file', 'release']) {
      const ofKind = await get(`/v1/admin/queue?kind=${kind}&limit=1`);
      expect(ofKind.items).toEqual(items.filter((one: Json) => one['kind'] === kind).slice(0, 1));
    }
    // The longest waiting is the oldest of what is counted.
    const { queue } = await get('/v1/admin/overview');
    expect(queue).toEqual({
      seller: { count: 1, oldest_since: scene.at },
      product: { count: 0 },
      revision: { count: 1, oldest_since: scene.at },
      file: { count: 4, oldest_since: own.file.uploadedAt },
      release: { count: 1, oldest_since: scene.at },
    });
  });

  test('blocks a release by its files, and those of a suspended seller or product stay', async () => {
    const { call, own, table } = scene;
    const release = (await get('/v1/admin/queue?kind=release')).items[0];
    const { items: releases } = await get('/v1/admin/releases');
    const file = await getFile(table, own.product.id, releases[0].artifacts[0].file_id);
    await table.write(replaceFileOnly(file, { ...file, scanStatus: 'not_scanned', scanTrustedClean: false, scanTrustSource: 'none' }));
    await call('PATCH', `/v1/admin/products/${own.product.id}/review`, { headers: asAdmin, body: { decision: 'suspend' } });
    await call('PATCH', `/v1/admin/sellers/${own.seller.id}/review`, { headers: asAdmin, body: { decision: 'suspend' } });
    const { items } = await get('/v1/admin/queue');
    const ofAlice = items.filter(({ seller_id }: Json) => seller_id === own.seller.id);
    // The revision of a suspended product cannot be decided on.
    expect(ofAlice.map(({ kind }: Json) => kind)).toEqual(['file', 'release']);
    expect(ofAlice[1]).toEqual({ ...release, ready: false, blocked_by: 'scan' });
  });

  test('tells what is one’s own, by account and by address', async () => {
    await apply('reviewer');
    await apply('emil', 'admin@example.com');
    const { items } = await get('/v1/admin/queue?kind=seller');
    expect(items.map(({ own }: Json) => own)).toEqual([false, true, true]);
    for (const { own, target_id } of items) expect((await get(`/v1/admin/sellers/${target_id}`)).own).toBe(own);
  });

  test('takes two requests for a page, however much was decided', async () => {
    scene.takeRequestCounts();
    await get('/v1/admin/queue');
    expect(scene.takeRequestCounts()).toEqual({ Query: 1, BatchGetItem: 1 });
    await get('/v1/admin/overview');
    // The queue, dead jobs, late jobs, bounced mails.
    expect(scene.takeRequestCounts()).toEqual({ Query: 25 });
  });
});

describe('a product to decide on', () => {
  beforeAll(async () => {
    scene = await openMarketplace(market);
  });
  const read = (id: string) => get(`/v1/admin/products/${id}`);
  const review = (id: string, body: Json) => scene.call('PATCH', `/v1/admin/products/${id}/review`, { headers: asAdmin, body });
  const written = { ...productRequest, name: 'Sketchbook', tokushoho_seller_name: 'Alice', features: ['pro'], price_amount: 500 };

  async function handedIn(): Promise<string> {
    const { call } = scene;
    const { id } = (await call('POST', '/v1/products', { headers: asAlice, body: written })).json;
    await call('POST', `/v1/products/${id}/submit-review`, { headers: asAlice });
    return id;
  }
  let id: string;

  test('has no last decision before the first, and its files, newest first, in every state', async () => {
    const { own } = scene;
    id = await handedIn();
    expect(await read(id)).toMatchObject({ id, own: false, status: 'pending_review', files: [] });
    expect(await read(id)).not.toHaveProperty('last_decision');
    const shown = await read(own.product.id);
    expect(shown.files.map(({ file_id, status }: Json) => [file_id, status])).toEqual([
      [own.downloadable.id, 'approved'],
      [own.file.id, 'pending_review'],
    ]);
    expect(shown.seller).toEqual((await get('/v1/admin/sellers')).items[0]);
  });

  test('keeps what was rejected and why, then what was approved, with the seller’s fields of then', async () => {
    const { call, at } = scene;
    await review(id, { decision: 'reject', rejection_reason: 'No.', note: 'of admins alone' });
    const { last_decision: rejected, ...product } = await read(id);
    expect(rejected).toEqual({ decision: 'reject', at, by: 'reviewer', reason: 'No.', values: expect.any(Object) });
    // Every field that the seller writes, as it is shown, and no other.
    expect(rejected.values).toEqual(Object.fromEntries(Object.keys(rejected.values).map((name) => [name, product[name]])));
    expect(Object.keys(rejected.values)).toEqual(expect.arrayContaining([...Object.keys(written), 'updates_days', 'offline_days']));
    expect(rejected.values).not.toHaveProperty('slug');

    await call('PATCH', `/v1/products/${id}`, { headers: asAlice, body: { ...written, price_amount: 600 } });
    expect((await read(id)).last_decision).toEqual(rejected);
    await call('POST', `/v1/products/${id}/submit-review`, { headers: asAlice });
    await review(id, { decision: 'approve' });
    const { last_decision: approved } = await read(id);
    expect(approved).toEqual({ decision: 'approve', at, by: 'reviewer', values: { ...rejected.values, price_amount: 600 } });
  });

  test('keeps of a revision what would be live, whether it was approved or rejected', async () => {
    const { call } = scene;
    const edit = async (price_amount: number, more: Json = {}) => {
      await call('PATCH', `/v1/products/${id}`, { headers: asAlice, body: { ...written, price_amount, ...more } });
      await call('POST', `/v1/products/${id}/submit-review`, { headers: asAlice });
    };
    await edit(700, { name: 'Sketchbook Two' });
    await review(id, { decision: 'reject', rejection_reason: 'Too dear.' });
    const rejected = await read(id);
    expect(rejected).toMatchObject({ price_amount: 600, pending: { status: 'rejected' } });
    expect(rejected.last_decision).toMatchObject({
      decision: 'reject',
      values: { name: 'Sketchbook Two', price_amount: 700, features: ['pro'] },
    });
    await edit(650);
    await review(id, { decision: 'approve' });
    expect((await read(id)).last_decision).toMatchObject({ decision: 'approve', values: { price_amount: 650 } });
  });

  test('keeps it through repeats, a suspension and its end', async () => {
    const { last_decision } = await read(id);
    for (const decision of ['approve', 'suspend', 'suspend', 'approve', 'approve'])
      await review(id, { decision, rejection_reason: 'Other' });
    scene.takeRequestCounts();
    expect(await read(id)).toMatchObject({ status: 'approved', last_decision });
    expect(scene.takeRequestCounts()).toEqual({ BatchGetItem: 1, GetItem: 1, Query: 1 });
  });
});

test.each<[object, number, string]>([
  [{ job_id: 'hash-file:prd_1/fil_1' }, 404, 'job_not_found'],
  [{ job_id: 'x' }, 404, 'job_not_found'],
  [{ job_id: ' ' }, 400, 'invalid_request'],
  [{ job_id: 'x'.repeat(501) }, 400, 'invalid_request'],
])('a job that is not there cannot be done: %j', async (body, status, code) => {
  const before = await scene.readAll();
  const reply = await scene.call('POST', '/v1/admin/jobs/redrive', { headers: asAdmin, body });
  expect([reply.status, reply.json.code]).toEqual([status, code]);
  expect(await scene.readAll()).toEqual(before);
});

describe('a long queue', () => {
  /** More than one request of it reads, and at its end one seller. */
  const count = 1100;
  beforeAll(async () => {
    const { table, own } = scene;
    const fileName = 'x'.repeat(1000);
    const items = Array.from({ length: count }, (_, number): Item => {
      const id = `fil_${String(number).padStart(26, '0')}`;
      const since = new Date(Date.parse('2025-01-01T00:00:00.000Z') + number).toISOString();
      const place = queueKey('file', since, id);
      return {
        pk: `PRODUCT#${own.product.id}`,
        sk: `FILE#${id}`,
        ...place,
        id,
        productId: own.product.id,
        sellerId: own.seller.id,
        fileName,
      };
    });
    for (let start = 0; start < count; start += 100)
      await table.transact(items.slice(start, start + 100).map((Item) => ({ put: { Item } })));
    await apply('dora');
  });

  test('gives full pages of a kind that comes late in it, with a cursor that ends', async () => {
    scene.takeRequestCounts();
    const sellers = await get('/v1/admin/queue?kind=seller');
    expect(sellers).toMatchObject({ items: [{ kind: 'seller' }] });
    expect(sellers.next_cursor).toBeUndefined();
    expect(scene.takeRequestCounts()).toEqual({ Query: 2, BatchGetItem: 1 });
    const ids: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await get(`/v1/admin/queue?kind=file&limit=100${cursor}`);
      expect(page.items).toHaveLength(100);
      ids.push(...page.items.map(({ target_id }: Json) => target_id));
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(new Set(ids).size).toBe(300);
    expect(ids).toEqual(ids.toSorted());
  });

  test('is counted to 999', async () => {
    const { queue } = await get('/v1/admin/overview');
    expect(queue).toMatchObject({ file: { count: 999, oldest_since: '2025-01-01T00:00:00.000Z' }, seller: { count: 1 } });
  });

  test('neither hides nor repeats what stays when what was shown is decided', async () => {
    const { table, own } = scene;
    const first = await get('/v1/admin/queue?limit=3');
    for (const { target_id } of first.items)
      await table.write({ delete: { Key: { pk: `PRODUCT#${own.product.id}`, sk: `FILE#${target_id}` } } });
    const second = await get(`/v1/admin/queue?limit=3&cursor=${first.next_cursor}`);
    const numbers = [...first.items, ...second.items].map(({ target_id }: Json) => Number(target_id.slice(4)));
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test.each(['queue?kind=order', 'queue?kind=', 'queue?cursor=x', 'jobs?state=done', 'jobs?cursor=x'])('refuses %s', async (query) => {
    const { status, json } = await scene.call('GET', `/v1/admin/${query}`, { headers: asAdmin });
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });
});
