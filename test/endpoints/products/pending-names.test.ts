import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';

type Call = Awaited<ReturnType<CatalogHarness['newSeller']>>['call'];

let catalog: CatalogHarness;
let call: Call;

beforeAll(async () => {
  catalog = await createCatalogHarness();
  ({ call } = await catalog.newSeller());
});

const post = (path: string, body: unknown = undefined) => call('POST', `/v1/products${path}`, { body });
const rename = (id: string, name: string, by: Call = call, fields = {}) =>
  by('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...fields } });
const approve = (id: string) => catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body: { decision: 'approve' } });
async function goLive(id: string, by: Call = call) {
  await by('POST', `/v1/products/${id}/submit-review`);
  expect((await approve(id)).json.status).toBe('approved');
}
async function offered(name: string, by: Call = call): Promise<string> {
  const made = await by('POST', '/v1/products', { body: { ...productRequest, name } });
  expect(made.status).toBe(201);
  await goLive(made.json.id, by);
  return made.json.id;
}
/** What anyone gets at a slug: the product's present slug, or an error; and what a checkout there says. */
async function found(slug: string) {
  // Checkouts of one address are limited by the minute.
  catalog.pass(60);
  const page = await catalog.publicCall('GET', `/v1/public/products/${slug}`);
  const checkout = await catalog.publicCall('POST', `/v1/public/products/${slug}/checkout`);
  return [page.json.slug ?? page.json.code, checkout.json.code];
}
const nowhere = ['product_not_found', 'product_not_found'];
/** The sellers here have no payment account: a checkout of what is on sale gets as far as that. */
const leadsTo = (slug: string) => [slug, 'checkout_not_available'];

describe('a new name of a product on sale', () => {
  test('leads nowhere until it is live; the old one leads to the product all the while', async () => {
    const id = await offered('Before One');
    const { json } = await rename(id, 'After One');
    expect(json).toMatchObject({ name: 'Before One', slug: 'before-one', pending: { changes: { name: 'After One' } } });
    for (const move of [() => Promise.resolve(), () => post(`/${id}/submit-review`)]) {
      await move();
      expect(await found('before-one')).toEqual(leadsTo('before-one'));
      expect(await found('after-one')).toEqual(nowhere);
    }
    expect((await approve(id)).json).toMatchObject({ name: 'After One', slug: 'after-one' });
    expect(await found('before-one')).toEqual(leadsTo('after-one'));
    expect(await found('after-one')).toEqual(leadsTo('after-one'));
  });

  test('is reserved at once, and stays reserved and unseen when the edit is taken back or rejected', async () => {
    const id = await offered('Kept Name');
    await rename(id, 'Wanted Name');
    await rename(id, 'Kept Name');
    const other = await catalog.newSeller();
    const taken = await other.call('POST', '/v1/products', { body: { ...productRequest, name: 'Wanted Name' } });
    expect([taken.status, taken.json.code]).toEqual([409, 'slug_reserved']);
    expect(await found('wanted-name')).toEqual(nowhere);

    await rename(id, 'Wanted Name');
    await rename(id, 'Other Name');
    await goLive(id);
    expect(await found('wanted-name')).toEqual(nowhere);
    expect(await found('other-name')).toEqual(leadsTo('other-name'));
    expect(await found('kept-name')).toEqual(leadsTo('other-name'));

    await rename(id, 'Wanted Name');
    await goLive(id);
    for (const slug of ['wanted-name', 'other-name', 'kept-name']) expect(await found(slug)).toEqual(leadsTo('wanted-name'));
  });

  test('that the product had before leads to it all the while', async () => {
    const id = await offered('First Name');
    await rename(id, 'Second Name');
    await goLive(id);
    await rename(id, 'First Name');
    expect(await found('first-name')).toEqual(leadsTo('second-name'));
    await goLive(id);
    expect(await found('second-name')).toEqual(leadsTo('first-name'));
  });

  test('of the same slug changes the name alone', async () => {
    const id = await offered('Same Slug');
    expect((await rename(id, 'SAME   slug')).json.pending.changes).toEqual({ name: 'SAME   slug' });
    expect(await found('same-slug')).toEqual(leadsTo('same-slug'));
    await goLive(id);
    expect((await catalog.publicCall('GET', '/v1/public/products/same-slug')).json).toMatchObject({
      name: 'SAME   slug',
      slug: 'same-slug',
    });
  });

  test('of another product is refused, and nothing of the edit is kept', async () => {
    const other = await catalog.newSeller();
    const theirs = await offered('Theirs', other.call);
    await rename(theirs, 'Theirs Soon', other.call);
    const id = await offered('Ours');
    const before = (await call('GET', `/v1/products/${id}`)).json;
    for (const name of ['Theirs', 'Theirs Soon']) {
      const reply = await rename(id, name, call, { price_amount: 1 });
      expect([reply.status, reply.json.code]).toEqual([409, 'slug_reserved']);
    }
    expect((await call('GET', `/v1/products/${id}`)).json).toEqual(before);
  });

  test('counts among the ten slugs of the product, also when it never went live', async () => {
    const id = await offered('Tenth 0');
    for (let index = 1; index < 10; index += 1) expect((await rename(id, `Tenth ${index}`)).status).toBe(200);
    const waiting = (await call('GET', `/v1/products/${id}`)).json;
    const refused = await rename(id, 'Tenth 10');
    expect([refused.status, refused.json.code]).toEqual([400, 'too_many_slugs']);
    expect((await call('GET', `/v1/products/${id}`)).json).toEqual(waiting);
    expect((await rename(id, 'Tenth 3')).json.pending.changes).toEqual({ name: 'Tenth 3' });
    for (let index = 1; index < 10; index += 1) expect(await found(`tenth-${index}`)).toEqual(nowhere);
    await goLive(id);
    const live = await Promise.all([1, 3, 9].map((index) => found(`tenth-${index}`)));
    expect(live).toEqual([nowhere, leadsTo('tenth-3'), nowhere]);
  });

  test('is the name of the draft when the product is withdrawn, and leads to it once that is on sale', async () => {
    const id = await offered('Withdrawn Name');
    await rename(id, 'Never Live');
    await rename(id, 'Drafted Name');
    const { json } = await post(`/${id}/publish`, { publish: false });
    expect(json).toMatchObject({ name: 'Drafted Name', slug: 'drafted-name', status: 'draft' });
    expect(await found('drafted-name')).toEqual(['product_not_found', 'checkout_not_available']);
    await goLive(id);
    expect(await found('drafted-name')).toEqual(leadsTo('drafted-name'));
    expect(await found('withdrawn-name')).toEqual(leadsTo('drafted-name'));
    expect(await found('never-live')).toEqual(nowhere);

    await post(`/${id}/publish`, { publish: false });
    await rename(id, 'Never Live');
    await goLive(id);
    expect(await found('never-live')).toEqual(leadsTo('never-live'));
  });

  test('leads nowhere while the product is suspended, and when it is reinstated', async () => {
    const id = await offered('Suspended Name');
    await rename(id, 'Suspended Wish');
    await catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body: { decision: 'suspend' } });
    expect(await found('suspended-wish')).toEqual(nowhere);
    await approve(id);
    expect(await found('suspended-wish')).toEqual(nowhere);
    expect(await found('suspended-name')).toEqual(leadsTo('suspended-name'));
  });
});

test('the public reply is the same to the byte while an edit waits, and shows nothing of it', async () => {
  const id = await offered('Quiet Product');
  const get = (headers = {}) => catalog.publicCall('GET', '/v1/public/products/quiet-product', { headers });
  const before = await get();
  await rename(id, 'Loud Product', call, { price_amount: 1, description: 'Wait for it.', features: ['soon'] });
  for (const move of ['', '/submit-review']) {
    if (move) await post(`/${id}${move}`);
    const after = await get();
    expect([after.text, after.headers['etag']]).toEqual([before.text, before.headers['etag']]);
    expect((await get({ 'If-None-Match': before.headers['etag'] ?? '' })).status).toBe(304);
  }
  catalog.takeRequestCounts();
  await get();
  expect(catalog.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
});
