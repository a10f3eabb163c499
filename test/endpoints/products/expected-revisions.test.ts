import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';

let names = 0;
/** A request with a name that no other product has. */
const request = (fields: Record<string, unknown> = {}) => ({ ...productRequest, name: `Product ${++names}`, ...fields });

let catalog: CatalogHarness;
let call: Awaited<ReturnType<CatalogHarness['newSeller']>>['call'];
beforeAll(async () => {
  catalog = await createCatalogHarness();
  ({ call } = await catalog.newSeller());
});
const create = async (fields: Record<string, unknown> = {}) => (await call('POST', '/v1/products', { body: request(fields) })).json;
const decisions: Record<string, string> = { approved: 'approve', rejected: 'reject', suspended: 'suspend' };
const createIn = async (status: string) => {
  const { id } = await create();
  if (status !== 'draft') await call('POST', `/v1/products/${id}/submit-review`);
  const decision = decisions[status];
  if (decision) await catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body: { decision } });
  return id;
};

describe('a revision that is expected', () => {
  const patch = (id: string, body: object) => call('PATCH', `/v1/products/${id}`, { body });
  const submit = (id: string, body: unknown, type = 'application/json') =>
    call('POST', `/v1/products/${id}/submit-review`, { body, headers: { 'content-type': type } });
  const outcomeOf = ({ status, json }: { status: number; json: any }) => [status, json.code ?? json.revision];

  test.each(['draft', 'pending_review', 'rejected', 'approved'])(
    'must be that of one that is %s, also where nothing would change',
    async (status) => {
      const id = await createIn(status);
      const before = (await call('GET', `/v1/products/${id}`)).json;
      const { name, revision } = before;
      const same = { ...productRequest, name };
      const other = { ...same, price_amount: 1 };
      for (const expected_revision of [revision - 1, revision + 1]) {
        for (const body of [same, other])
          expect(outcomeOf(await patch(id, { ...body, expected_revision }))).toEqual([409, 'stale_revision']);
        expect(outcomeOf(await submit(id, { expected_revision }))).toEqual([400, 'stale_revision']);
      }
      expect((await call('GET', `/v1/products/${id}`)).json).toEqual(before);
      expect(outcomeOf(await patch(id, { ...same, expected_revision: revision }))).toEqual([200, revision]);
      expect(outcomeOf(await patch(id, { ...other, expected_revision: revision }))).toEqual([200, revision + 1]);
      expect(outcomeOf(await patch(id, { ...other, expected_revision: revision }))).toEqual([409, 'stale_revision']);
      expect(outcomeOf(await submit(id, { expected_revision: revision + 1 }, 'Application/JSON; charset=utf-8'))).toEqual([
        200,
        revision + 2,
      ]);
      expect(outcomeOf(await submit(id, { expected_revision: revision + 1 }))).toEqual([400, 'stale_revision']);
      expect(outcomeOf(await submit(id, { expected_revision: revision + 2 }))).toEqual([200, revision + 2]);
    },
  );

  test('is looked at after ownership, the seller and a suspension, and before the state and the slug', async () => {
    const stale = { ...request(), expected_revision: 9 };
    const suspended = await createIn('suspended');
    expect(outcomeOf(await patch(suspended, stale))).toEqual([403, 'product_suspended']);
    expect(outcomeOf(await submit(suspended, stale))).toEqual([403, 'product_suspended']);
    const stranger = await catalog.newSeller();
    const { id } = await create();
    expect(outcomeOf(await stranger.call('PATCH', `/v1/products/${id}`, { body: stale }))).toEqual([403, 'forbidden']);
    const theirs = (await stranger.call('POST', '/v1/products', { body: request() })).json.id;
    await catalog.setSellerStatus(stranger.seller.id, 'rejected');
    expect(outcomeOf(await stranger.call('PATCH', `/v1/products/${theirs}`, { body: stale }))).toEqual([403, 'seller_not_eligible']);
    expect(outcomeOf(await patch(id, { ...stale, name: (await create()).name }))).toEqual([409, 'stale_revision']);
    expect(outcomeOf(await submit(await createIn('approved'), { expected_revision: 1 }))).toEqual([400, 'stale_revision']);
  });

  test('is a whole number from 0, and no field of a new product', async () => {
    const { id, revision } = await create();
    for (const expected_revision of [-1, 1.5, '1', null, true, 2 ** 60]) {
      const replies = [await patch(id, { ...request(), expected_revision }), await submit(id, { expected_revision })];
      for (const { status, json } of replies)
        expect([status, json.code, json.message]).toEqual([400, 'invalid_request', expect.stringMatching(/^expected_revision /)]);
    }
    const made = await call('POST', '/v1/products', { body: request({ expected_revision: 'x' }) });
    expect([made.status, made.headers['x-ignored-fields']]).toEqual([201, 'expected_revision']);
    expect((await patch(id, { ...request(), expected_revision: revision })).headers).not.toHaveProperty('x-ignored-fields');
  });

  test('is read of what is handed in only where it comes as JSON', async () => {
    for (const [type, body] of [
      ['text/plain', '{"expected_revision": 9}'],
      ['application/vnd.api+json', '{"expected_revision": 9}'],
      ['application/jsonx', '{'],
      ['application/json', ''],
      ['', 'null'],
    ] as const) {
      const reply = await submit((await create()).id, body, type);
      expect([reply.status, reply.headers['x-ignored-fields']]).toEqual([200, undefined]);
    }
    for (const [body, code] of [
      ['{', 'invalid_json'],
      ['null', 'invalid_request'],
      ['[]', 'invalid_request'],
      [' ', 'invalid_json'],
    ] as const) {
      expect(outcomeOf(await submit((await create()).id, body))).toEqual([400, code]);
    }
    const reply = await submit((await create()).id, { note: 'Ready.' });
    expect([reply.status, reply.headers['x-ignored-fields']]).toEqual([200, 'note']);
  });

  test('lets one of fifty who edit one revision at once win', async () => {
    const { id, name, revision } = await create();
    const edits = Array.from({ length: 50 }, (_, at) =>
      patch(id, { ...productRequest, name, price_amount: at + 1, expected_revision: revision }),
    );
    const outcomes = (await Promise.all(edits)).map(({ status }) => status).toSorted();
    expect(outcomes).toEqual([200, ...Array(49).fill(409)]);
    expect((await call('GET', `/v1/products/${id}`)).json.revision).toBe(revision + 1);
  });
});
