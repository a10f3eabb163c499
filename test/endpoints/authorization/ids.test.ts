import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readContents } from '../../support/engines/table-contents.ts';
import { type Market, type Marketplace, openMarketplace, type Shop, startMarket } from '../../support/scenes/marketplace.ts';
import { rows } from './all-rows.ts';
import { audienceOf, type Caller, endpoints, type Found, headersOf, prepare, sceneOfRefusals } from './matrix.ts';
import { unknownIds } from './rows.ts';

let market: Market;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market.stop());

test('every endpoint has a row, and every row an endpoint', () => {
  expect(Object.keys(rows).sort()).toEqual(endpoints.map(({ name }) => name).sort());
});

/** Positions of an id in a path that must fit the rest of the request. */
const positions = endpoints.flatMap((found) =>
  [...found.endpoint.path.matchAll(/\{(\w+)\}/g)].flatMap(([, id = '']) => (id in unknownIds ? [{ ...found, id }] : [])),
);
/** Updaters prove for which product they ask: of another one they are told nothing at all. */
const isProven = ({ name }: Found) => name.startsWith('updates:');
const callerOf = (found: Found): Caller => (audienceOf(found) === 'admin' ? 'admin' : 'owner');
/** An address of a picture is there or not, as a whole. */
const codeFor = (id: string, name: string) => {
  if (name.startsWith('pictures:')) return 'file_not_found';
  if (name === 'admin: decideEmailRequest') return 'request_not_found';
  return id === 'slug' ? 'product_not_found' : `${id.replace('_id', '')}_not_found`;
};

describe('an id in a path', () => {
  const looked = positions.filter((position) => position.name !== 'updates: getUpdateFile');
  test.each(looked)('that names nothing, or something of another kind, is not found: $id of $name', async (position) => {
    const scene = await sceneOfRefusals(market);
    const { send } = await prepare(position, scene.own, scene);
    const before = await readContents(scene);
    for (const value of [unknownIds[position.id]!(), scene.own.order.id.replace('ord_', 'xxx_'), 'nonsense', '\0', '..', '#', '%']) {
      const { status, json, text } = await send(callerOf(position), { [position.id]: value });
      expect([value, status]).toEqual([value, 404]);
      if (position.name.startsWith('pages:')) expect(text).toContain('<html');
      else expect(json.code).toBe(codeFor(position.id, position.name));
    }
    expect(await readContents(scene)).toEqual(before);
  });

  const pairs = positions.filter(
    ({ endpoint, id, name }) =>
      (!isProven({ endpoint, name }) && (endpoint.path.match(/\{/g)?.length ?? 0) > 1) ||
      name.startsWith('purchases:') ||
      (audienceOf({ name, endpoint }) === 'seller' && ['product_id', 'order_id', 'endpoint_id'].includes(id)),
  );
  test.each(pairs)('that is another seller’s does not go with one’s own: $id of $name', async (position) => {
    const scene = await sceneOfRefusals(market);
    const { send } = await prepare(position, scene.own, scene);
    const { ids: foreign } = await prepare(position, scene.other, scene);
    const before = await readContents(scene);
    const reply = await send(callerOf(position), { [position.id]: foreign[position.id]! });
    const notOwn = audienceOf(position) === 'seller' && (position.id === 'product_id' || position.id === 'order_id');
    const last = position.endpoint.path.match(/\{(\w+)\}(?!.*\{)/)?.[1] ?? '';
    const expected = notOwn ? [403, 'forbidden'] : [404, codeFor(last, position.name)];
    expect([reply.status, reply.json.code]).toEqual(expected);
    expect(await readContents(scene)).toEqual(before);
  });
});

describe('an id that is another seller’s', () => {
  let scene: Marketplace;
  beforeAll(async () => {
    scene = await openMarketplace(market);
  });
  const ask = (caller: Caller, path: string) => scene.call('GET', path, { headers: headersOf[caller] });

  test('filters nothing into a list', async () => {
    const { own, other } = scene;
    const empty = { status: 200, json: { items: [] } };
    expect(await ask('owner', `/v1/orders?product_id=${other.product.id}`)).toMatchObject(empty);
    expect(await ask('owner', `/v1/orders?product_id=${own.csvProduct.id}`)).toMatchObject(empty);
    for (const list of ['product-files', 'product-files?status=approved']) {
      const path = `/v1/admin/${list}${list.includes('?') ? '&' : '?'}`;
      expect(await ask('admin', `${path}product_id=${own.product.id}&seller_id=${other.seller.id}`)).toMatchObject(empty);
      const { items } = (await ask('admin', `${path}product_id=${other.product.id}&seller_id=${other.seller.id}`)).json;
      expect(items.map(({ file_id }: { file_id: string }) => file_id)).toEqual([
        list.includes('approved') ? other.downloadable.id : other.file.id,
      ]);
    }
    const products = (await ask('admin', `/v1/admin/products?seller_id=${other.seller.id}`)).json.items;
    expect(products.map(({ id }: { id: string }) => id)).toEqual([other.product.id, other.csvProduct.id]);
    const orders = (await ask('admin', `/v1/admin/orders?seller_id=${other.seller.id}`)).json.items;
    expect(orders.map(({ id }: { id: string }) => id)).toEqual([other.order.id]);
  });

  test('of a product has no license under a key of one’s own', async () => {
    const { own, other } = scene;
    const before = await readContents(scene);
    for (const verb of ['validate', 'activate', 'deactivate']) {
      const body = { product_id: other.product.id, license_key: own.key, device_fingerprint: own.device };
      const { json } = await scene.call('POST', `/v1/licenses/${verb}`, { body });
      expect(json).toEqual({ valid: false, code: 'license_not_found', checked_at: scene.at });
    }
    expect(await readContents(scene)).toEqual(before);
  });

  test('does not open a purchase with an address of one’s own, nor the other way round', async () => {
    const { own, other } = scene;
    const complete = (buyer_email: string, completion_token: string) =>
      scene.call('POST', '/v1/purchases/complete', { body: { buyer_email, completion_token } });
    const refusal = { status: 403, json: { code: 'completion_token_invalid' } };
    expect(await complete('buyer-of-alice@example.com', other.token)).toMatchObject(refusal);
    expect(await complete('buyer-of-bob@example.com', own.token)).toMatchObject(refusal);
    expect((await complete('Buyer-Of-Alice@Example.com', own.token)).json).toEqual({
      order_id: own.order.id,
      order_status: 'paid',
      product_id: own.product.id,
      product_name: 'Sample App',
      license_id: own.license.id,
      license_status: 'active',
      license_key: own.key,
    });
  });

  test('in a cursor does not lead on in the audit of another', async () => {
    const audited = await openMarketplace(market);
    const { own, other } = audited;
    for (const { license, activationId } of [own, other]) {
      await audited.call('POST', `/v1/admin/licenses/${license.id}/activations/${activationId}/release`, { headers: headersOf.admin });
      await audited.call('POST', `/v1/admin/licenses/${license.id}/revoke`, { headers: headersOf.admin });
    }
    const auditOf = (shop: Shop, cursor = '') =>
      audited.call('GET', `/v1/admin/audit?limit=1&target_id=${shop.license.id}${cursor}`, { headers: headersOf.admin });
    const { items, next_cursor } = (await auditOf(own)).json;
    expect(items).toMatchObject([{ target_id: own.license.id }]);
    expect((await auditOf(own, `&cursor=${next_cursor}`)).json.items).toMatchObject([{ target_id: own.license.id }]);
    expect(await auditOf(other, `&cursor=${next_cursor}`)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  test('in a cursor lists nothing of theirs', async () => {
    const { own } = scene;
    const first = await ask('owner', '/v1/products?limit=1');
    expect(first.json.items[0].id).toBe(own.csvProduct.id);
    for (const path of [
      '/v1/products',
      '/v1/orders',
      `/v1/products/${scene.other.product.id}/files`,
      `/v1/products/${scene.other.csvProduct.id}/code-batches`,
    ]) {
      expect(await ask('stranger', `${path}?cursor=${first.json.next_cursor}`)).toMatchObject({
        status: 400,
        json: { code: 'invalid_request' },
      });
    }
  });
});

describe('an admin who sells', () => {
  test.each([
    ['seller', ({ seller }: Shop) => `/v1/admin/sellers/${seller.id}/review`, { decision: 'suspend' }],
    ['product', ({ product }: Shop) => `/v1/admin/products/${product.id}/review`, { decision: 'suspend' }],
    [
      'file',
      ({ product, file }: Shop) => `/v1/admin/products/${product.id}/files/${file.id}/review`,
      { decision: 'manual_clean', manual_scan_clean_reason: 'Looked at it.' },
    ],
  ] as const)('cannot review a %s of their own, and writes nothing', async (_, pathOf, body) => {
    const scene = await openMarketplace(market);
    const before = await readContents(scene);
    const asAlice = { 'X-User-ID': 'alice', 'X-User-Email': 'admin@example.com' };
    const reply = await scene.call('PATCH', pathOf(scene.own), { headers: asAlice, body });
    expect([reply.status, reply.json.code]).toEqual([403, 'self_review_forbidden']);
    expect(await readContents(scene)).toEqual(before);
    expect((await scene.call('PATCH', pathOf(scene.other), { headers: asAlice, body })).status).toBe(200);
  });
});
