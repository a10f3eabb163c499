import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogHarness, createCatalogHarness, type Owner, productRequest } from '../../support/scenes/catalog-harness.ts';

let catalog: CatalogHarness;
let owner: Owner;
beforeAll(async () => {
  catalog = await createCatalogHarness();
  owner = await catalog.newSeller();
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

  test('is looked at after ownership, the seller and a suspension, and before the state and the slug', async () => {
    const stale = { expected_revision: 9 };
    const suspended = await createIn('suspended');
    for (const attempt of [owner.patch(suspended.id, stale), submit(suspended.id, stale)])
      expect(outcomeOf(await attempt)).toEqual([403, 'product_suspended']);
    const stranger = await catalog.newSeller();
    const { id } = await owner.create();
    const body = { ...productRequest, ...stale };
    expect(outcomeOf(await stranger.call('PATCH', `/v1/products/${id}`, { body }))).toEqual([403, 'forbidden']);
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
