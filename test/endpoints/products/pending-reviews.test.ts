import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { ProductId } from '../../../shared/ids.ts';
import { getProduct, replaceProduct } from '../../../shared/products/product-repository.ts';
import { createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';
import { openProductDesk, type ProductDesk } from '../../support/scenes/products/product-scene.ts';

type Json = Record<string, unknown>;
const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let desk: ProductDesk;
beforeAll(async () => {
  desk = await openProductDesk();
});

const auditOf = async (targetId: string) => (await listAudit(desk.catalog.table, { targetId, limit: 100 })).items;

describe('the review of a pending revision', () => {
  test.each(['published'])('puts it on sale at once when it is approved: %s', async (status) => {
    const product = await desk.edited('pending_review', status, { description: 'Other.' });
    const { pending, ...live } = product;
    const reply = await desk.review(product.id, { decision: 'approve', expected_revision: product.revision });
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        ...live,
        ...pending.changes,
        reviewed_by: 'the-admin',
        reviewed_at: reply.json.updated_at,
        updated_at: dateTime,
        revision: product.revision + 1,
      },
    ]);
    expect(reply.json.reviewed_at > product.reviewed_at).toBe(true);
    expect(await desk.read(product.id)).toEqual(reply.json);
    expect(await desk.shown(product.slug)).toMatchObject({ price_amount: 9900, description: 'Other.' });
  });

  test.each(['approved'])('leaves what is live when it is rejected, with the reason, once: %s', async (status) => {
    const product = await desk.edited('pending_review', status);
    const before = await desk.shown(product.slug);
    const reply = await desk.review(product.id, { decision: 'reject', rejection_reason: 'Too dear.' });
    const { updated_at } = reply.json;
    const { review_due_at: _, ...pending } = product.pending;
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        ...product,
        pending: { ...pending, status: 'rejected', rejection_reason: 'Too dear.', updated_at },
        revision: product.revision + 1,
        updated_at: dateTime,
      },
    ]);
    expect(updated_at > product.updated_at).toBe(true);
    expect(await desk.shown(product.slug)).toEqual(before);
    const again = await desk.review(product.id, { decision: 'reject', rejection_reason: 'Another.' });
    expect([again.status, again.json]).toEqual([200, reply.json]);
  });

  test('counts only for the revision that was looked at', async () => {
    const product = await desk.edited('pending_review');
    await desk.patch(product.id, { price_amount: 1 });
    await desk.submit(product.id);
    for (const decision of ['approve', 'reject']) {
      const stale = await desk.review(product.id, { decision, expected_revision: product.revision });
      expect([stale.status, stale.json.code]).toEqual([400, 'stale_review']);
    }
    const now = await desk.read(product.id);
    expect(now.pending).toMatchObject({ status: 'pending_review', changes: { price_amount: 1 } });
    expect((await desk.review(product.id, { decision: 'approve', expected_revision: now.revision })).json.price_amount).toBe(1);
  });
});

describe('a suspension', () => {
  test.each(['rejected'])('keeps a revision that is %s, which needs an approval of its own', async (pendingStatus) => {
    const product = await desk.edited(pendingStatus);
    const suspended = (await desk.review(product.id, { decision: 'suspend' })).json;
    expect(suspended).toMatchObject({ status: 'suspended', price_amount: 4800, pending: product.pending });
    expect((await desk.catalog.publicCall('GET', `/v1/public/products/${product.slug}`)).status).toBe(404);
    for (const attempt of [
      await desk.patch(product.id, {}),
      await desk.patch(product.id, { price_amount: 1 }),
      await desk.submit(product.id),
    ]) {
      expect([attempt.status, attempt.json.code]).toEqual([403, 'product_suspended']);
    }
    const rejected = await desk.review(product.id, { decision: 'reject' });
    expect([rejected.status, rejected.json.code]).toEqual([400, 'invalid_state_transition']);
    expect((await desk.withdraw(product.id)).json).toEqual(suspended);

    const reinstated = (await desk.review(product.id, { decision: 'approve' })).json;
    expect(reinstated).toMatchObject({ status: 'approved', price_amount: 4800, pending: product.pending });
    expect(await desk.shown(product.slug)).toMatchObject({ price_amount: 4800 });
    if (pendingStatus !== 'pending_review') await desk.submit(product.id);
    expect((await desk.review(product.id, { decision: 'approve' })).json).toMatchObject({ status: 'approved', price_amount: 9900 });
  });

  test('that is lifted puts no draft on sale, however often its product was approved', async () => {
    const product = await desk.offered();
    for (const step of [
      () => desk.withdraw(product.id),
      () => desk.patch(product.id, { price_amount: 7 }),
      () => desk.submit(product.id),
      () => desk.review(product.id, { decision: 'suspend' }),
      () => desk.withdraw(product.id),
    ]) {
      expect((await step()).status).toBe(200);
    }
    const lifted = await desk.review(product.id, { decision: 'approve' });
    expect(lifted).toMatchObject({ status: 200, json: { status: 'draft', review_status: 'draft', price_amount: 7 } });
    expect((await desk.catalog.publicCall('GET', `/v1/public/products/${product.slug}`)).status).toBe(404);
    await desk.submit(product.id);
    await desk.review(product.id, { decision: 'approve' });
    expect(await desk.shown(product.slug)).toMatchObject({ price_amount: 7 });
  });
});

describe('a withdrawal', () => {
  test.each([['published', 'pending_review']])(
    'of a product that is %s makes a revision that is %s its draft',
    async (status = '', pendingStatus = '') => {
      const product = await desk.edited(pendingStatus, status, { activation_limit: 9, name: `Withdrawn ${status} ${pendingStatus}` });
      const { pending, ...live } = product;
      const reply = await desk.withdraw(product.id);
      expect(reply.json).toEqual({
        ...live,
        ...pending.changes,
        slug: `withdrawn-${status}-${pendingStatus.replace('_', '-')}`,
        url: expect.stringMatching(/\/p\/withdrawn-/),
        sale_blockers: ['payment_not_ready', 'not_approved'],
        status: 'draft',
        review_status: 'draft',
        updated_at: dateTime,
        revision: product.revision + 1,
      });
      expect(await desk.read(product.id)).toEqual(reply.json);
      await desk.submit(product.id);
      await desk.review(product.id, { decision: 'approve' });
      expect(await desk.shown(reply.json.slug)).toMatchObject({ price_amount: 9900, activation_limit: 9 });
      expect(await desk.shown(product.slug)).toMatchObject({ id: product.id, slug: reply.json.slug });
    },
  );
});

describe('the lists of products', () => {
  test('show admins what waits for review, also where it is a pending revision alone', async () => {
    const scene = await createCatalogHarness();
    const shop = await scene.newSeller();
    const ids: Record<string, string> = {};
    for (const kind of ['live', 'draft', 'waiting', 'rejected', 'new']) {
      const { id } = (await shop.call('POST', '/v1/products', { body: { ...productRequest, name: `Listed ${kind}` } })).json;
      ids[kind] = id;
      await shop.call('POST', `/v1/products/${id}/submit-review`);
      const approve = (decision: string) => scene.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body: { decision } });
      if (kind === 'new') continue;
      await approve('approve');
      if (kind === 'live') continue;
      await shop.call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name: `Listed ${kind}`, price_amount: 1 } });
      if (kind === 'draft') continue;
      await shop.call('POST', `/v1/products/${id}/submit-review`);
      if (kind === 'rejected') await approve('reject');
      scene.pass(1);
    }
    const listed = async (query: string) => {
      const { status, json } = await scene.adminCall('GET', `/v1/admin/products?${query}`);
      expect(status).toBe(200);
      return json.items.map((item: Json) => Object.keys(ids).find((kind) => ids[kind] === item['id'])).sort();
    };
    const all = ['draft', 'live', 'new', 'rejected', 'waiting'];
    expect(await listed('')).toEqual(all);
    expect(await listed('review_status=pending_review')).toEqual(['new', 'waiting']);
    expect(await listed(`review_status=pending_review&seller_id=${shop.seller.id}`)).toEqual(['new', 'waiting']);
    expect(await listed('review_status=pending_review&status=approved')).toEqual(['waiting']);
    expect(await listed('status=pending_review')).toEqual(['new']);
    expect(await listed('review_status=approved')).toEqual(['draft', 'live', 'rejected', 'waiting']);
    expect(await listed('review_status=rejected')).toEqual([]);
    expect(await listed('review_status=draft')).toEqual([]);

    const waiting = (await scene.adminCall('GET', '/v1/admin/products?review_status=pending_review&status=approved')).json.items;
    expect(waiting[0]).toMatchObject({ price_amount: 4800, pending: { status: 'pending_review', changes: { price_amount: 1 } } });
    const own = (await shop.call('GET', '/v1/products?status=approved')).json.items;
    expect(Object.fromEntries(own.map((item: any) => [item.id, item.pending?.status]))).toEqual({
      [ids['live'] ?? '']: undefined,
      [ids['draft'] ?? '']: 'draft',
      [ids['waiting'] ?? '']: 'pending_review',
      [ids['rejected'] ?? '']: 'rejected',
    });
  });
});

test('every move of a pending revision is audited with its status, and no text of it', async () => {
  const { id, revision } = await desk.offered();
  const before = (await auditOf(id)).length;
  const secret = 'A text that only the product holds.';
  for (const act of [
    () => desk.patch(id, { description: secret }),
    () => desk.patch(id, { description: `${secret} And more.` }),
    () => desk.submit(id),
    () => desk.review(id, { decision: 'reject', rejection_reason: 'Too dark.', note: 'Looked at it.' }),
    () => desk.submit(id),
    () => desk.review(id, { decision: 'approve' }),
    () => desk.patch(id, { description: 'Other.' }),
    () => desk.patch(id, { description: `${secret} And more.` }),
    () => desk.patch(id, { description: 'Other.' }),
    () => desk.withdraw(id),
  ]) {
    expect((await act()).status).toBe(200);
    desk.catalog.pass(1);
  }
  const records = (await auditOf(id)).toReversed().slice(before);
  const state = (at: number, pendingStatus?: string, more = {}) => ({
    status: 'approved',
    revision: revision + at,
    ...(pendingStatus && { pendingStatus }),
    ...more,
  });
  expect(records.map(({ action, before: from, after }) => [action, from, after])).toEqual([
    ['product.update', state(0), state(1, 'draft')],
    ['product.submit', state(2, 'draft'), state(3, 'pending_review')],
    ['product.reject', state(3, 'pending_review'), state(4, 'rejected', { decision: 'reject', rejectionReason: 'Too dark.' })],
    ['product.submit', state(4, 'rejected'), state(5, 'pending_review')],
    ['product.approve', state(5, 'pending_review'), state(6, undefined, { decision: 'approve' })],
    ['product.update', state(6), state(7, 'draft')],
    ['product.update', state(7, 'draft'), state(8)],
    ['product.update', state(8), state(9, 'draft')],
    ['product.withdraw', state(9, 'draft'), { status: 'draft', revision: revision + 10 }],
  ]);
  expect(records.map(({ note }) => note).filter(Boolean)).toEqual(['Looked at it.']);
  expect(JSON.stringify(records)).not.toContain(secret);
});

test('a product that was stored before there were pending revisions is edited and reviewed like any other', async () => {
  const { id } = await desk.offered();
  const { termsRevision: _, ...old } = await getProduct(desk.catalog.table, id as ProductId);
  await desk.catalog.table.transact(replaceProduct(old, { ...old, revision: old.revision + 1 }));
  expect(await getProduct(desk.catalog.table, id as ProductId)).toEqual({ ...old, revision: old.revision + 1 });
  expect((await desk.patch(id, { price_amount: 9900 })).json.pending).toMatchObject({ status: 'draft' });
  await desk.submit(id);
  expect((await desk.review(id, { decision: 'approve' })).json).toMatchObject({ status: 'approved', price_amount: 9900 });
});
