import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { getProduct, replaceProduct } from '../../../shared/products/product-repository.ts';
import { type CatalogHarness, createCatalogHarness, type Owner, productRequest } from '../../support/scenes/catalog-harness.ts';

type Json = Record<string, unknown>;
const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const features = ['export', 'batch'];
const labels = { export: { en: 'Export' }, batch: { ja: '一括処理' } };

let catalog: CatalogHarness;
let owner: Owner;
let other: Owner;
beforeAll(async () => {
  catalog = await createCatalogHarness({ RATE_LIMIT_CHECKOUT: '0' });
  [owner, other] = [await catalog.newSeller(), await catalog.newSeller()];
});

describe('an edit of a product on sale', () => {
  test.each(['approved', 'published'] as const)('that is %s waits, and all that is live stays', async (status) => {
    const live = await owner.offered({}, status);
    const before = await catalog.shown(live.slug);
    const changes = { price_amount: 9900, description: 'Edits more photos.' };
    const { json } = await owner.patch(live.id, changes);
    const { updated_at } = json;
    const pending = { status: 'draft', changes, updated_at };
    expect(json).toEqual({ ...live, pending, revision: live.revision + 1, updated_at: dateTime });
    expect(updated_at > live.updated_at).toBe(true);
    expect(await owner.read(live.id)).toEqual(json);
    expect(await catalog.shown(live.slug)).toEqual(before);
  });

  test('of nothing changes nothing, whether something is pending or not', async () => {
    const live = await owner.offered({ features, feature_labels: labels, tokushoho_contact: 'By mail.' });
    expect((await owner.patch(live.id, {})).json).toEqual(live);
    await owner.patch(live.id, { price_amount: 9900, features });
    await owner.submit(live.id);
    const waiting = await owner.read(live.id);
    catalog.takeRequestCounts();
    const again = await owner.call('PATCH', `/v1/products/${live.id}`, {
      body: { ...productRequest, name: live.name, price_amount: 9900 },
    });
    expect(again.json).toEqual(waiting);
    expect(catalog.takeRequestCounts()).not.toHaveProperty('TransactWriteItems');
  });

  test('builds on what is pending: optional fields left out keep the pending value', async () => {
    const live = await owner.offered({ activation_limit: 1, features });
    const kept = { tokushoho_address: 'Tokyo', features: ['export'] };
    await owner.patch(live.id, { activation_limit: 7, ...kept });
    const { pending, activation_limit } = (await owner.patch(live.id, { description: 'Other.' })).json;
    expect([pending.changes, activation_limit]).toEqual([{ activation_limit: 7, ...kept, description: 'Other.' }, 1]);
    expect((await owner.patch(live.id, { activation_limit: 1 })).json.pending.changes).toEqual(kept);
  });

  test('says with empty labels that the labels go', async () => {
    const live = await owner.offered({ features, feature_labels: labels });
    const { json } = await owner.patch(live.id, { feature_labels: {} });
    expect([json.feature_labels, json.pending.changes]).toEqual([labels, { feature_labels: {} }]);
    expect((await owner.patch(live.id, {})).json).toEqual(json);
    expect((await owner.patch(live.id, { features: [] })).json.pending.changes).toEqual({ features: [], feature_labels: {} });
    expect(await owner.goLive(live.id)).not.toHaveProperty('feature_labels');
    expect(await catalog.shown(live.slug)).not.toHaveProperty('feature_labels');
  });
});

describe('a pending revision', () => {
  test('that was rejected is handed in again without its old reason', async () => {
    const product = await owner.edited('rejected', 'published');
    const { status, json } = await owner.submit(product.id);
    const { rejection_reason: _, ...before } = product.pending;
    const { updated_at } = json;
    const review_due_at = new Date(Date.parse(updated_at) + 72 * 3_600_000).toISOString();
    const pending = { ...before, status: 'pending_review', submitted_at: updated_at, review_due_at, updated_at };
    expect([status, json]).toEqual([200, { ...product, pending, revision: product.revision + 1, updated_at: dateTime }]);
    expect(updated_at > product.updated_at).toBe(true);
  });

  test('is on sale at once when it is approved', async () => {
    const product = await owner.edited('pending_review', 'published', { description: 'Other.' });
    const { pending, ...live } = product;
    const { json } = await catalog.review(product.id, { decision: 'approve', expected_revision: product.revision });
    const reviewed = { reviewed_by: 'the-admin', reviewed_at: json.updated_at, updated_at: dateTime, revision: product.revision + 1 };
    expect(json).toEqual({ ...live, ...pending.changes, ...reviewed });
    expect(json.reviewed_at > product.reviewed_at).toBe(true);
    expect(await owner.read(product.id)).toEqual(json);
    expect(await catalog.shown(product.slug)).toMatchObject({ price_amount: 9900, description: 'Other.' });
  });

  test('leaves what is live when it is rejected, with the reason, once', async () => {
    const product = await owner.edited('pending_review');
    const before = await catalog.shown(product.slug);
    const { json } = await catalog.review(product.id, { decision: 'reject', rejection_reason: 'Too dear.' });
    const { review_due_at: _, ...waiting } = product.pending;
    const pending = { ...waiting, status: 'rejected', rejection_reason: 'Too dear.', updated_at: json.updated_at };
    expect(json).toEqual({ ...product, pending, revision: product.revision + 1, updated_at: dateTime });
    expect(await catalog.shown(product.slug)).toEqual(before);
    expect((await catalog.review(product.id, { decision: 'reject', rejection_reason: 'Another.' })).json).toEqual(json);
  });
});

test('lists show admins what waits for review, also where it is a pending revision alone', async () => {
  const shop = await catalog.newSeller();
  const ids: Record<string, string> = {
    live: (await shop.offered()).id,
    draft: (await shop.edited('draft')).id,
    waiting: (await shop.edited('pending_review')).id,
    rejected: (await shop.edited('rejected')).id,
    new: (await shop.create()).id,
  };
  await shop.submit(ids['new'] ?? '');
  const list = async (query: string) =>
    (await catalog.adminCall('GET', `/v1/admin/products?seller_id=${shop.seller.id}&${query}`)).json.items;
  const kindOf = (id: unknown) => Object.keys(ids).find((kind) => ids[kind] === id) ?? '';
  for (const [query, kinds] of [
    ['review_status=pending_review', ['new', 'waiting']],
    ['review_status=pending_review&status=approved', ['waiting']],
    ['status=pending_review', ['new']],
    ['review_status=approved', ['draft', 'live', 'rejected', 'waiting']],
    ['review_status=rejected', []],
  ] as const)
    expect([query, (await list(query)).map(({ id }: Json) => kindOf(id)).sort()]).toEqual([query, kinds]);
  expect((await catalog.adminCall('GET', '/v1/admin/products?review_status=pending_review')).json.items).toEqual(
    expect.arrayContaining(await list('review_status=pending_review')),
  );
  const own: Json[] = (await shop.call('GET', '/v1/products?status=approved')).json.items;
  expect(Object.fromEntries(own.map(({ id, pending }: any) => [kindOf(id), pending?.status]))).toEqual({
    live: undefined,
    draft: 'draft',
    waiting: 'pending_review',
    rejected: 'rejected',
  });

  const [former, present] = [(await shop.read(ids['live'] ?? '')).slug, 'Ｎｅｗ 名前'];
  await shop.patch(ids['live'] ?? '', { name: present });
  for (const [query, kinds] of [
    [`slug=${former}`, ['live']],
    ['slug=new-%E5%90%8D%E5%89%8D', ['live']],
    [`slug=${former}&status=approved&review_status=approved`, ['live']],
    [`slug=${former}&status=draft`, []],
    [`slug=${former.slice(0, -1)}`, []],
    ['slug=New-%E5%90%8D%E5%89%8D', []],
    ['slug=%2F', []],
  ] as const)
    expect([query, (await list(query)).map(({ id }: Json) => kindOf(id))]).toEqual([query, kinds]);
  const other = (await catalog.newSeller()).seller.id;
  const bySlug = async (query: string) => (await catalog.adminCall('GET', `/v1/admin/products?slug=${former}&${query}`)).json;
  expect([await bySlug(`seller_id=${other}`), (await bySlug('cursor=abc')).code]).toEqual([{ items: [] }, 'invalid_request']);
});

test('every move of a pending revision is audited with its status, and no text of it', async () => {
  const { id, revision } = await owner.offered();
  const auditOf = async () => (await listAudit(catalog.table, { targetId: id, limit: 100 })).items;
  const before = (await auditOf()).length;
  const secret = 'A text that only the product holds.';
  for (const act of [
    () => owner.patch(id, { description: secret }),
    () => owner.patch(id, { description: `${secret} And more.` }),
    () => owner.submit(id),
    () => catalog.review(id, { decision: 'reject', rejection_reason: 'Too dark.', note: 'Looked at it.' }),
    () => owner.submit(id),
    () => catalog.review(id, { decision: 'approve' }),
    () => owner.patch(id, { description: 'Other.' }),
    () => owner.patch(id, { description: `${secret} And more.` }),
    () => owner.patch(id, { description: 'Other.' }),
    () => owner.withdraw(id),
    () => owner.submit(id),
    () => owner.patch(id, { price_amount: 1 }),
  ]) {
    expect((await act()).status).toBe(200);
    catalog.pass(1);
  }
  const records = (await auditOf()).toReversed().slice(before);
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
    ['product.withdraw', state(9, 'draft'), state(10, undefined, { status: 'draft' })],
    ['product.submit', state(10, undefined, { status: 'draft' }), state(11, undefined, { status: 'pending_review' })],
    ['product.update', state(11, undefined, { status: 'pending_review' }), state(12, undefined, { status: 'draft' })],
  ]);
  expect(records.map(({ note }) => note).filter(Boolean)).toEqual(['Looked at it.']);
  expect(JSON.stringify(records)).not.toContain(secret);
});

test('a product that was stored before there were pending revisions is edited and reviewed like any other', async () => {
  const { id } = await owner.offered();
  const { termsRevision: _, ...old } = await getProduct(catalog.table, id);
  await catalog.table.transact(replaceProduct(old, { ...old, revision: old.revision + 1 }));
  expect(await getProduct(catalog.table, id)).toEqual({ ...old, revision: old.revision + 1 });
  expect((await owner.patch(id, { price_amount: 9900 })).json.pending).toMatchObject({ status: 'draft' });
  expect(await owner.goLive(id)).toMatchObject({ status: 'approved', price_amount: 9900 });
});

/** A product that came as far as this. */
const createIn = async (status: string) => {
  const { id } = await owner.create();
  if (status !== 'draft') await owner.submit(id);
  if (status === 'approved') await catalog.review(id, { decision: 'approve' });
  if (status === 'suspended') await catalog.review(id, { decision: 'suspend' });
  return owner.read(id);
};
const submit = (id: string, body: unknown, type = 'application/json') =>
  owner.call('POST', `/v1/products/${id}/submit-review`, { body, headers: { 'content-type': type } });
const outcomeOf = ({ status, json }: { status: number; json: any }) => [status, json.code ?? json.revision];

describe('a revision that is expected', () => {
  test.each(['draft', 'approved'])('must be that of one that is %s, also where nothing would change', async (status) => {
    const before = await createIn(status);
    const { id, revision } = before;
    for (const expected_revision of [revision - 1, revision + 1]) {
      for (const fields of [{}, { price_amount: 1 }])
        expect(outcomeOf(await owner.patch(id, { ...fields, expected_revision }))).toEqual([409, 'stale_revision']);
      expect(outcomeOf(await submit(id, { expected_revision }))).toEqual([400, 'stale_revision']);
    }
    expect(await owner.read(id)).toEqual(before);
    expect(outcomeOf(await owner.patch(id, { expected_revision: revision }))).toEqual([200, revision]);
    expect(outcomeOf(await owner.patch(id, { price_amount: 1, expected_revision: revision }))).toEqual([200, revision + 1]);
    expect(outcomeOf(await submit(id, { expected_revision: revision + 1 }, 'Application/JSON; charset=utf-8'))).toEqual([
      200,
      revision + 2,
    ]);
    expect(outcomeOf(await submit(id, { expected_revision: revision + 1 }))).toEqual([400, 'stale_revision']);
    expect(outcomeOf(await submit(id, { expected_revision: revision + 2 }))).toEqual([200, revision + 2]);
  });

  test('is looked at after the seller and a suspension, and before the state and the slug', async () => {
    const stale = { expected_revision: 9 };
    const suspended = await createIn('suspended');
    for (const attempt of [owner.patch(suspended.id, stale), submit(suspended.id, stale)])
      expect(outcomeOf(await attempt)).toEqual([403, 'product_suspended']);
    const stranger = await catalog.newSeller();
    const { id } = await owner.create();
    const theirs = await stranger.create();
    await catalog.setSellerStatus(stranger.seller.id, 'rejected');
    expect(outcomeOf(await stranger.patch(theirs.id, stale))).toEqual([403, 'seller_not_eligible']);
    expect(outcomeOf(await owner.patch(id, { ...stale, name: theirs.name }))).toEqual([409, 'stale_revision']);
    expect(outcomeOf(await submit((await createIn('approved')).id, { expected_revision: 1 }))).toEqual([400, 'stale_revision']);
  });

  test('is a whole number from 0, and no field of a new product', async () => {
    const { id, revision } = await owner.create();
    for (const expected_revision of [-1, 1.5, '1', null]) {
      for (const { status, json } of [await owner.patch(id, { expected_revision }), await submit(id, { expected_revision })])
        expect([status, json.message]).toEqual([400, expect.stringMatching(/^expected_revision /)]);
    }
    const made = await owner.send({ expected_revision: 'x' });
    expect([made.status, made.headers['x-ignored-fields']]).toEqual([201, 'expected_revision']);
    expect((await owner.patch(id, { expected_revision: revision })).headers).not.toHaveProperty('x-ignored-fields');
  });

  test.each([
    ['text/plain', '{"expected_revision": 9}', 200],
    ['application/vnd.api+json', '{"expected_revision": 9}', 200],
    ['application/jsonx', '{', 200],
    ['application/json', '', 200],
    ['', 'null', 200],
    ['application/json', '{', 'invalid_json'],
    ['application/json', 'null', 'invalid_request'],
  ])('is read of what is handed in only where it comes as JSON: %j %j', async (type, body, outcome) => {
    const { status, json, headers } = await submit((await owner.create()).id, body, type);
    expect([json.code ?? status, headers['x-ignored-fields']]).toEqual([outcome, undefined]);
  });
});

const rename = (id: string, name: string, fields = {}) => owner.patch(id, { name, ...fields });
const offered = async (name: string): Promise<string> => (await owner.offered({ name })).id;
/** What anyone gets at a slug: the product's present slug, or an error; and what a checkout there says. */
async function found(slug: string) {
  const checkout = await catalog.publicCall('POST', `/v1/public/products/${slug}/checkout`);
  const shown = await catalog.shown(slug);
  return [shown.slug ?? shown.code, checkout.json.code];
}
const nowhere = ['product_not_found', 'product_not_found'];
/** The sellers here have no payment account: a checkout of what is on sale gets as far as that. */
const leadsTo = (slug: string) => [slug, 'checkout_not_available'];
async function expectFound(expected: Record<string, string[]>) {
  for (const [slug, outcome] of Object.entries(expected)) expect([slug, await found(slug)]).toEqual([slug, outcome]);
}

describe('a new name of a product on sale', () => {
  test('leads nowhere until it is live; the old one leads to the product all the while', async () => {
    const id = await offered('Before One');
    const { json } = await rename(id, 'After One');
    expect(json).toMatchObject({ name: 'Before One', slug: 'before-one', pending: { changes: { name: 'After One' } } });
    await expectFound({ 'before-one': leadsTo('before-one'), 'after-one': nowhere });
    await owner.submit(id);
    await expectFound({ 'before-one': leadsTo('before-one'), 'after-one': nowhere });
    expect((await catalog.review(id, { decision: 'approve' })).json).toMatchObject({ name: 'After One', slug: 'after-one' });
    await expectFound({ 'before-one': leadsTo('after-one'), 'after-one': leadsTo('after-one') });
    await rename(id, 'Before One');
    await expectFound({ 'before-one': leadsTo('after-one') });
    await owner.goLive(id);
    await expectFound({ 'after-one': leadsTo('before-one') });
  });

  test('is reserved at once, and stays reserved and unseen when the edit is taken back or rejected', async () => {
    const id = await offered('Kept Name');
    await rename(id, 'Wanted Name');
    await rename(id, 'Kept Name');
    expect(await other.send({ name: 'Wanted Name' })).toMatchObject({ status: 409, json: { code: 'slug_reserved' } });
    await expectFound({ 'wanted-name': nowhere });
    await rename(id, 'Wanted Name');
    await rename(id, 'Other Name');
    await owner.goLive(id);
    await expectFound({ 'wanted-name': nowhere, 'other-name': leadsTo('other-name'), 'kept-name': leadsTo('other-name') });
    await rename(id, 'Wanted Name');
    await owner.goLive(id);
    for (const slug of ['wanted-name', 'other-name', 'kept-name']) expect(await found(slug)).toEqual(leadsTo('wanted-name'));
  });

  test('of the same slug changes the name alone', async () => {
    const id = await offered('Same Slug');
    expect((await rename(id, 'SAME   slug')).json.pending.changes).toEqual({ name: 'SAME   slug' });
    await expectFound({ 'same-slug': leadsTo('same-slug') });
    await owner.goLive(id);
    expect(await catalog.shown('same-slug')).toMatchObject({ name: 'SAME   slug', slug: 'same-slug' });
  });

  test('of another product is refused, and nothing of the edit is kept', async () => {
    const theirs = await other.offered({ name: 'Theirs' });
    await other.patch(theirs.id, { name: 'Theirs Soon' });
    const id = await offered('Ours');
    const before = await owner.read(id);
    for (const name of ['Theirs', 'Theirs Soon'])
      expect(await rename(id, name, { price_amount: 1 })).toMatchObject({ status: 409, json: { code: 'slug_reserved' } });
    expect(await owner.read(id)).toEqual(before);
  });

  test('counts among the ten slugs of the product, also when it never went live', async () => {
    const id = await offered('Tenth 0');
    for (let index = 1; index < 10; index += 1) expect((await rename(id, `Tenth ${index}`)).status).toBe(200);
    const waiting = await owner.read(id);
    expect(await rename(id, 'Tenth 10')).toMatchObject({ status: 400, json: { code: 'too_many_slugs' } });
    expect(await owner.read(id)).toEqual(waiting);
    await rename(id, 'Tenth 3');
    await owner.goLive(id);
    await expectFound({ 'tenth-1': nowhere, 'tenth-3': leadsTo('tenth-3'), 'tenth-9': nowhere });
  });

  test('is the name of the draft when the product is withdrawn, and leads to it once that is on sale', async () => {
    const id = await offered('Withdrawn Name');
    await rename(id, 'Never Live');
    await rename(id, 'Drafted Name', { price_amount: 7 });
    const { json } = await owner.withdraw(id);
    expect(json).toMatchObject({ name: 'Drafted Name', slug: 'drafted-name', status: 'draft', price_amount: 7 });
    expect(json).not.toHaveProperty('pending');
    await expectFound({ 'drafted-name': ['product_not_found', 'checkout_not_available'] });
    await owner.goLive(id);
    await expectFound({ 'drafted-name': leadsTo('drafted-name'), 'withdrawn-name': leadsTo('drafted-name'), 'never-live': nowhere });
    await owner.withdraw(id);
    await rename(id, 'Never Live');
    await owner.goLive(id);
    await expectFound({ 'never-live': leadsTo('never-live') });
  });

  test('leads nowhere while the product is suspended, and when it is reinstated', async () => {
    const id = await offered('Suspended Name');
    await rename(id, 'Suspended Wish');
    await catalog.review(id, { decision: 'suspend' });
    await expectFound({ 'suspended-wish': nowhere, 'suspended-name': ['product_not_found', 'checkout_not_available'] });
    await catalog.review(id, { decision: 'approve' });
    await expectFound({ 'suspended-wish': nowhere, 'suspended-name': leadsTo('suspended-name') });
  });
});
