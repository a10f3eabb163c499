import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ProductId } from '../../../shared/ids.ts';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';

type Json = Record<string, unknown>;
const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const features = ['export', 'batch'];
const labels = { export: { en: 'Export' }, batch: { ja: '一括処理' } };
const onSale = ['approved', 'published'];

let catalog: CatalogHarness;
let call: Awaited<ReturnType<CatalogHarness['newSeller']>>['call'];
let seller: Awaited<ReturnType<CatalogHarness['newSeller']>>['seller'];
let names = 0;

beforeAll(async () => {
  catalog = await createCatalogHarness();
  ({ call, seller } = await catalog.newSeller());
});

const read = async (id: string) => (await call('GET', `/v1/products/${id}`)).json;
const submit = (id: string) => call('POST', `/v1/products/${id}/submit-review`);
const withdraw = (id: string) => call('POST', `/v1/products/${id}/publish`, { body: { publish: false } });
const review = (id: string, body: Json, headers = {}) => catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body, headers });
const patch = async (id: string, fields: Json) => {
  const { name } = await read(id);
  return call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...fields } });
};
const shown = async (slug: string) => (await catalog.publicCall('GET', `/v1/public/products/${slug}`)).json;
const auditOf = async (id: string) => (await catalog.audit.listAudit({ targetId: id, limit: 100 })).items;

/** A new product on sale, as its seller sees it. No way leads to published, so that is written. */
async function offered(fields: Json = {}, status = 'approved') {
  names += 1;
  const { id } = (await call('POST', '/v1/products', { body: { ...productRequest, name: `Offered ${names}`, ...fields } })).json;
  await submit(id);
  expect((await review(id, { decision: 'approve' })).json.status).toBe('approved');
  if (status === 'published') {
    const product = await catalog.products.getProduct(id);
    await catalog.table.transact(catalog.products.replaceProduct(product, { ...product, status, revision: product.revision + 1 }));
  }
  catalog.pass(60);
  return read(id);
}

/** The same with a pending revision of this status, which has a price of its own. */
async function edited(pendingStatus: string, status?: string, fields: Json = {}) {
  const { id } = await offered({}, status);
  await patch(id, { price_amount: 9900, ...fields });
  if (pendingStatus !== 'draft') await submit(id);
  if (pendingStatus === 'rejected') await review(id, { decision: 'reject', rejection_reason: 'Too dear.' });
  catalog.pass(60);
  const product = await read(id);
  expect([product.status, product.pending.status]).toEqual([status ?? 'approved', pendingStatus]);
  return product;
}

describe('an edit of a product on sale', () => {
  test.each(onSale)('that is %s waits, and all that is live stays', async (status) => {
    const live = await offered({}, status);
    const before = await shown(live.slug);
    const reply = await patch(live.id, { price_amount: 9900, description: 'Edits more photos.' });
    expect(reply.status).toBe(200);
    const changes = { price_amount: 9900, description: 'Edits more photos.' };
    const { updated_at } = reply.json;
    expect(reply.json).toEqual({
      ...live,
      pending: { status: 'draft', changes, updated_at },
      revision: live.revision + 1,
      updated_at: dateTime,
    });
    expect(updated_at > live.updated_at).toBe(true);
    expect(await read(live.id)).toEqual(reply.json);
    expect(await shown(live.slug)).toEqual(before);
  });

  test('can change every field, and names none that stays', async () => {
    const live = await offered({ features, feature_labels: labels });
    const changes = {
      name: `Every Field ${live.id}`,
      description: 'Other.',
      price_amount: 0,
      currency: 'usd',
      support_email: 'other@example.com',
      refund_policy: 'Never.',
      software_operating_environment: 'Any',
      tokushoho_seller_name: 'Shop K.K.',
      tokushoho_contact: '',
      tokushoho_address: 'Tokyo',
      forbidden_category_acknowledged: true,
      license_issuance_mode: 'imported_csv',
      license_key_prefix: 'OTHER',
      activation_limit: 5,
      features: ['export'],
      feature_labels: { export: { ja: '書き出し' } },
      deactivation_allowed: false,
      offline_days: 0,
      offline_file_days: 30,
    };
    expect((await patch(live.id, changes)).json.pending.changes).toEqual(changes);
    await submit(live.id);
    const { json } = await review(live.id, { decision: 'approve' });
    expect(json).toMatchObject(changes);
    expect(json).not.toHaveProperty('pending');
    for (const [name, value] of Object.entries(changes)) {
      const { id } = await offered({ features, feature_labels: labels });
      const alone = name === 'features' ? { features: value, feature_labels: { export: labels.export } } : { [name]: value };
      const sent = name === 'feature_labels' ? { features: ['export', 'batch'], feature_labels: value } : { [name]: value };
      const fields = name === 'name' ? { name: `${value} alone` } : sent;
      expect((await patch(id, fields)).json.pending.changes).toEqual(name === 'name' ? fields : alone);
    }
  });

  test('of nothing changes nothing, whether something is pending or not', async () => {
    const live = await offered({ features, feature_labels: labels, tokushoho_contact: 'By mail.' });
    expect((await patch(live.id, {})).json).toEqual(live);
    const { json: pending } = await patch(live.id, { price_amount: 9900, features });
    await submit(live.id);
    const waiting = await read(live.id);
    expect(waiting.revision).toBe(pending.revision + 1);
    catalog.takeRequestCounts();
    const again = await call('PATCH', `/v1/products/${live.id}`, { body: { ...productRequest, name: live.name, price_amount: 9900 } });
    expect(again.json).toEqual(waiting);
    expect(catalog.takeRequestCounts()).not.toHaveProperty('TransactWriteItems');
  });

  test('builds on what is pending: optional fields left out keep the pending value', async () => {
    const live = await offered({ activation_limit: 1, features });
    await patch(live.id, { activation_limit: 7, tokushoho_address: 'Tokyo', features: ['export'] });
    const { pending, activation_limit } = (await patch(live.id, { description: 'Other.' })).json;
    expect(pending.changes).toEqual({ activation_limit: 7, tokushoho_address: 'Tokyo', features: ['export'], description: 'Other.' });
    expect(activation_limit).toBe(1);
    const back = await patch(live.id, { activation_limit: 1 });
    expect(back.json.pending.changes).toEqual({ tokushoho_address: 'Tokyo', features: ['export'] });
  });

  test('back to what is live leaves nothing pending, in every state of the revision', async () => {
    for (const pendingStatus of ['draft', 'pending_review', 'rejected']) {
      const product = await edited(pendingStatus, 'approved', { description: 'Other.' });
      const { pending: _, ...live } = product;
      const reply = await patch(product.id, {});
      expect(reply.json).toEqual({ ...live, revision: product.revision + 1, updated_at: dateTime });
      expect(await read(product.id)).toEqual(reply.json);
      const nothing = await review(product.id, { decision: 'reject' });
      expect([nothing.status, nothing.json.code]).toEqual([400, 'invalid_state_transition']);
    }
  });

  test('takes a revision under review back to draft, and a rejected one with its reason', async () => {
    const waiting = await edited('pending_review');
    expect((await patch(waiting.id, { price_amount: 9901 })).json.pending).toMatchObject({
      status: 'draft',
      changes: { price_amount: 9901 },
    });
    const refused = await edited('rejected');
    const { json } = await patch(refused.id, { price_amount: 100 });
    expect(json.pending).toMatchObject({ status: 'draft', changes: { price_amount: 100 }, rejection_reason: 'Too dear.' });
    expect((await submit(refused.id)).json.pending).not.toHaveProperty('rejection_reason');
  });

  test('says with empty labels that the labels go', async () => {
    const live = await offered({ features, feature_labels: labels });
    const { json } = await patch(live.id, { feature_labels: {} });
    expect(json).toMatchObject({ feature_labels: labels, pending: { changes: { feature_labels: {} } } });
    expect(Object.keys(json.pending.changes)).toEqual(['feature_labels']);
    expect((await patch(live.id, {})).json).toEqual(json);
    const unlisted = await patch(live.id, { features: [] });
    expect(unlisted.json.pending.changes).toEqual({ features: [], feature_labels: {} });
    await submit(live.id);
    expect((await review(live.id, { decision: 'approve' })).json).not.toHaveProperty('feature_labels');
    expect(await shown(live.slug)).not.toHaveProperty('feature_labels');
  });

  test('is refused for a label of a feature that is not pending', async () => {
    const live = await offered({ features, feature_labels: labels });
    await patch(live.id, { features: ['export'] });
    const reply = await patch(live.id, { feature_labels: labels });
    expect([reply.status, reply.json.message]).toEqual([400, expect.stringMatching(/^feature_labels: /)]);
    expect((await patch(live.id, { features, feature_labels: labels })).json).not.toHaveProperty('pending');
  });

  test('is validated like any other, and a refusal leaves what is pending', async () => {
    const product = await edited('pending_review');
    for (const fields of [{ price_amount: -1 }, { currency: 'EUR' }, { name: ' ' }, { description: null }, { features: [''] }]) {
      expect((await patch(product.id, fields)).status).toBe(400);
    }
    const { name: _, ...nameless } = productRequest;
    expect((await call('PATCH', `/v1/products/${product.id}`, { body: nameless })).status).toBe(400);
    expect(await read(product.id)).toEqual(product);
  });

  test('is not for others, nor for a seller who is suspended or rejected', async () => {
    const owner = await catalog.newSeller();
    const stranger = await catalog.newSeller();
    names += 1;
    const body = { ...productRequest, name: `Owned ${names}` };
    const { id } = (await owner.call('POST', '/v1/products', { body })).json;
    await owner.call('POST', `/v1/products/${id}/submit-review`);
    await review(id, { decision: 'approve' });
    const before = (await owner.call('PATCH', `/v1/products/${id}`, { body: { ...body, price_amount: 9900 } })).json;
    const moves = [
      ['PATCH', '', { ...body, price_amount: 1 }],
      ['PATCH', '', body],
      ['POST', '/submit-review', undefined],
      ['POST', '/publish', { publish: false }],
    ] as const;
    const refusals = async (caller: typeof call) => {
      const codes = new Set<string>();
      for (const [method, path, sent] of moves) {
        const reply = await caller(method, `/v1/products/${id}${path}`, { body: sent });
        codes.add(`${reply.status} ${reply.json.code}`);
      }
      return [...codes];
    };
    expect(await refusals(stranger.call)).toEqual(['403 forbidden']);
    expect(await refusals(catalog.asUser('without-seller'))).toEqual(['403 forbidden']);
    expect(await refusals(catalog.asUser(''))).toEqual(['401 unauthenticated']);
    expect((await stranger.call('GET', `/v1/products/${id}`)).text).not.toContain('pending');
    for (const status of ['suspended', 'rejected'] as const) {
      await catalog.setSellerStatus(owner.seller.id, status);
      expect(await refusals(owner.call)).toEqual(['403 seller_not_eligible']);
      expect((await owner.call('GET', `/v1/products/${id}`)).json).toEqual(before);
    }
  });
});

describe('handing in a pending revision', () => {
  test.each(onSale.flatMap((status) => ['draft', 'rejected'].map((pendingStatus) => [status, pendingStatus])))(
    'of a product that is %s, from %s, sends it to review without its old reason',
    async (status = '', pendingStatus = '') => {
      const product = await edited(pendingStatus, status);
      const reply = await submit(product.id);
      const { rejection_reason: _, ...pending } = product.pending;
      expect([reply.status, reply.json]).toEqual([
        200,
        {
          ...product,
          pending: { ...pending, status: 'pending_review', updated_at: reply.json.updated_at },
          revision: product.revision + 1,
          updated_at: dateTime,
        },
      ]);
      expect(reply.json.updated_at > product.updated_at).toBe(true);
    },
  );

  test('again changes nothing', async () => {
    const product = await edited('pending_review');
    const reply = await submit(product.id);
    expect([reply.status, reply.json]).toEqual([200, product]);
    expect(await read(product.id)).toEqual(product);
  });

  test.each(onSale)('is refused where a product that is %s has none', async (status) => {
    const { id } = await offered({}, status);
    const reply = await submit(id);
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_state_transition']);
  });
});

describe('the review of a pending revision', () => {
  test.each(onSale)('puts it on sale at once when it is approved: %s', async (status) => {
    const product = await edited('pending_review', status, { description: 'Other.' });
    const { pending, ...live } = product;
    const reply = await review(product.id, { decision: 'approve', expected_revision: product.revision });
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
    expect(await read(product.id)).toEqual(reply.json);
    expect(await shown(product.slug)).toMatchObject({ price_amount: 9900, description: 'Other.' });
  });

  test.each(onSale)('leaves what is live when it is rejected, with the reason, once: %s', async (status) => {
    const product = await edited('pending_review', status);
    const before = await shown(product.slug);
    const reply = await review(product.id, { decision: 'reject', rejection_reason: 'Too dear.' });
    const { updated_at } = reply.json;
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        ...product,
        pending: { ...product.pending, status: 'rejected', rejection_reason: 'Too dear.', updated_at },
        revision: product.revision + 1,
        updated_at: dateTime,
      },
    ]);
    expect(updated_at > product.updated_at).toBe(true);
    expect(await shown(product.slug)).toEqual(before);
    const again = await review(product.id, { decision: 'reject', rejection_reason: 'Another.' });
    expect([again.status, again.json]).toEqual([200, reply.json]);
  });

  test('may be rejected without a reason', async () => {
    const product = await edited('rejected');
    await submit(product.id);
    const { pending } = (await review(product.id, { decision: 'reject' })).json;
    expect(pending).toMatchObject({ status: 'rejected' });
    expect(pending).not.toHaveProperty('rejection_reason');
  });

  test.each([
    ['draft', 'approved', 'approve', 'same'],
    ['draft', 'approved', 'reject', 'refused'],
    ['draft', 'published', 'approve', 'refused'],
    ['draft', 'published', 'reject', 'refused'],
    ['rejected', 'approved', 'approve', 'same'],
    ['rejected', 'published', 'approve', 'refused'],
  ])('is about the product while the revision is %s: a product that is %s, %s: %s', async (pendingStatus, status, decision, outcome) => {
    const product = await edited(pendingStatus, status);
    const reply = await review(product.id, { decision });
    if (outcome === 'same') expect([reply.status, reply.json]).toEqual([200, product]);
    else expect([reply.status, reply.json.code]).toEqual([400, 'invalid_state_transition']);
    expect(await read(product.id)).toEqual(product);
  });

  test('counts only for the revision that was looked at', async () => {
    const product = await edited('pending_review');
    await patch(product.id, { price_amount: 1 });
    await submit(product.id);
    for (const decision of ['approve', 'reject']) {
      const stale = await review(product.id, { decision, expected_revision: product.revision });
      expect([stale.status, stale.json.code]).toEqual([400, 'stale_review']);
    }
    const now = await read(product.id);
    expect(now.pending).toMatchObject({ status: 'pending_review', changes: { price_amount: 1 } });
    expect((await review(product.id, { decision: 'approve', expected_revision: now.revision })).json.price_amount).toBe(1);
  });

  test('is not for the seller, nor for whoever is no admin', async () => {
    const product = await edited('pending_review');
    const { ownerUserId } = seller;
    for (const headers of [
      { 'X-User-ID': ownerUserId, 'X-User-Email': '' },
      { 'X-User-Email': 'other@example.com' },
      { 'X-User-ID': '' },
    ]) {
      const reply = await review(product.id, { decision: 'approve' }, headers);
      expect([reply.status, reply.json.code]).toEqual([403, 'forbidden']);
    }
    expect(await read(product.id)).toEqual(product);
  });

  test('refuses an admin whose own product it is', async () => {
    const { seller: mine, call: own } = await catalog.newSeller();
    names += 1;
    const body = { ...productRequest, name: `Self ${names}` };
    const { id } = (await own('POST', '/v1/products', { body })).json;
    await own('POST', `/v1/products/${id}/submit-review`);
    await review(id, { decision: 'approve' });
    await own('PATCH', `/v1/products/${id}`, { body: { ...body, price_amount: 1 } });
    await own('POST', `/v1/products/${id}/submit-review`);
    const reply = await review(id, { decision: 'approve' }, { 'X-User-ID': mine.ownerUserId });
    expect([reply.status, reply.json.code]).toEqual([403, 'self_review_forbidden']);
    expect((await shown((await own('GET', `/v1/products/${id}`)).json.slug)).price_amount).toBe(4800);
  });
});

describe('a suspension', () => {
  test.each(['draft', 'pending_review', 'rejected'])(
    'keeps a revision that is %s, which needs an approval of its own',
    async (pendingStatus) => {
      const product = await edited(pendingStatus);
      const suspended = (await review(product.id, { decision: 'suspend' })).json;
      expect(suspended).toMatchObject({ status: 'suspended', price_amount: 4800, pending: product.pending });
      expect((await catalog.publicCall('GET', `/v1/public/products/${product.slug}`)).status).toBe(404);
      for (const attempt of [await patch(product.id, {}), await patch(product.id, { price_amount: 1 }), await submit(product.id)]) {
        expect([attempt.status, attempt.json.code]).toEqual([403, 'product_suspended']);
      }
      const rejected = await review(product.id, { decision: 'reject' });
      expect([rejected.status, rejected.json.code]).toEqual([400, 'invalid_state_transition']);
      expect((await withdraw(product.id)).json).toEqual(suspended);

      const reinstated = (await review(product.id, { decision: 'approve' })).json;
      expect(reinstated).toMatchObject({ status: 'approved', price_amount: 4800, pending: product.pending });
      expect(await shown(product.slug)).toMatchObject({ price_amount: 4800 });
      if (pendingStatus !== 'pending_review') await submit(product.id);
      expect((await review(product.id, { decision: 'approve' })).json).toMatchObject({ status: 'approved', price_amount: 9900 });
    },
  );
});

describe('a withdrawal', () => {
  test.each(onSale.flatMap((status) => ['draft', 'pending_review', 'rejected'].map((pendingStatus) => [status, pendingStatus])))(
    'of a product that is %s makes a revision that is %s its draft',
    async (status = '', pendingStatus = '') => {
      const product = await edited(pendingStatus, status, { activation_limit: 9, name: `Withdrawn ${status} ${pendingStatus}` });
      const { pending, ...live } = product;
      const reply = await withdraw(product.id);
      expect(reply.json).toEqual({
        ...live,
        ...pending.changes,
        slug: `withdrawn-${status}-${pendingStatus.replace('_', '-')}`,
        status: 'draft',
        review_status: 'draft',
        updated_at: dateTime,
        revision: product.revision + 1,
      });
      expect(await read(product.id)).toEqual(reply.json);
      await submit(product.id);
      await review(product.id, { decision: 'approve' });
      expect(await shown(reply.json.slug)).toMatchObject({ price_amount: 9900, activation_limit: 9 });
      expect(await shown(product.slug)).toMatchObject({ id: product.id, slug: reply.json.slug });
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
  const { id, revision } = await offered();
  const before = (await auditOf(id)).length;
  const secret = 'A text that only the product holds.';
  for (const act of [
    () => patch(id, { description: secret }),
    () => patch(id, { description: `${secret} And more.` }),
    () => submit(id),
    () => review(id, { decision: 'reject', rejection_reason: 'Too dark.', note: 'Looked at it.' }),
    () => submit(id),
    () => review(id, { decision: 'approve' }),
    () => patch(id, { description: 'Other.' }),
    () => patch(id, { description: `${secret} And more.` }),
    () => patch(id, { description: 'Other.' }),
    () => withdraw(id),
  ]) {
    expect((await act()).status).toBe(200);
    catalog.pass(1);
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
  const { id } = await offered();
  const { termsRevision: _, ...old } = await catalog.products.getProduct(id as ProductId);
  await catalog.table.transact(catalog.products.replaceProduct(old, { ...old, revision: old.revision + 1 }));
  expect(await catalog.products.getProduct(id as ProductId)).toEqual({ ...old, revision: old.revision + 1 });
  expect((await patch(id, { price_amount: 9900 })).json.pending).toMatchObject({ status: 'draft' });
  await submit(id);
  expect((await review(id, { decision: 'approve' })).json).toMatchObject({ status: 'approved', price_amount: 9900 });
});
