import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogHarness, createCatalogHarness, type Owner } from '../../support/scenes/catalog-harness.ts';

let catalog: CatalogHarness;
let owner: Owner;
let other: Owner;
beforeAll(async () => {
  catalog = await createCatalogHarness({ RATE_LIMIT_CHECKOUT: '0' });
  [owner, other] = [await catalog.newSeller(), await catalog.newSeller()];
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
