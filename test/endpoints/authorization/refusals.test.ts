import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tokenScopes } from '../../../shared/audit/caller.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { rateLimitsOf } from '../../../shared/http/endpoint.ts';
import { type IdKind, newId } from '../../../shared/ids.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { type Market, type Marketplace, openMarketplace, type Shop, startMarket } from '../../support/scenes/marketplace.ts';
import { interfaceAccess, pageAccess } from './access.ts';
import { endpoints, type Found, type Headers, headersOf, prepare } from './endpoints.ts';

let market: Market;
let scene: Marketplace;
beforeAll(async () => {
  market = await startMarket();
  scene = await openMarketplace(market);
});
afterAll(() => market.stop());

test('every endpoint has its row, and every row its endpoint', () => {
  expect(Object.keys({ ...interfaceAccess, ...pageAccess }).sort()).toEqual(endpoints.map(({ name }) => name).sort());
});

test.each(endpoints)('$name has the limits of its row', ({ endpoint, access }) => {
  expect(rateLimitsOf(endpoint)).toEqual(access.limits);
});

const owner = headersOf('alice');
const admin = headersOf('admin');
/** With another seller, and with none. */
const [stranger, outsider] = [headersOf('bob'), headersOf('outsider')];
const of = (audience: string) => endpoints.filter(({ access }) => access.audience === audience);
const paramsOf = ({ endpoint }: Found) => [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id);
const isOwned = (found: Found) => paramsOf(found).some((id) => id === 'product_id' || id === 'order_id');

/** Nothing is even tried to be written meanwhile, nor queued. */
async function changingNothing(act: () => Promise<void>): Promise<void> {
  const sent = scene.queue.sent.length;
  scene.takeRequestCounts();
  await act();
  const writes = Object.keys(scene.takeRequestCounts()).filter((name) => !['GetItem', 'BatchGetItem', 'Query'].includes(name));
  expect([writes, scene.queue.sent.length]).toEqual([[], sent]);
}

async function expectRefusals(found: Found, callers: readonly Headers[], status: number, code: string): Promise<void> {
  const { send } = await prepare(found, scene.own, scene);
  await changingNothing(async () => {
    for (const caller of callers) {
      const { headers, ...reply } = await send(caller);
      const json = { code, message: expect.any(String), request_id: headers['x-request-id'] };
      expect({ caller, ...reply }).toMatchObject({ caller, status, json });
      expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    }
  });
}

test.each(of('admin'))('$name is for admins alone', (found) => expectRefusals(found, [{}, outsider, stranger, owner], 403, 'forbidden'));

test.each(of('seller'))('$name is for who has signed in', (found) => expectRefusals(found, [{}], 401, 'unauthenticated'));

test.each(of('seller').filter(isOwned))('$name is for the owner alone', (found) =>
  expectRefusals(found, [outsider, stranger, admin], 403, 'forbidden'),
);

describe('an API token', () => {
  let shop: Shop;
  const tokens = new Map<string, Headers>();
  beforeAll(async () => {
    shop = await scene.openShop('keeper');
    for (const scope of tokenScopes) {
      const body = { name: 'CI', scopes: [scope], expires_in_days: 1 };
      const { json } = await scene.call('POST', '/v1/api-tokens', { headers: headersOf(shop.userId), body });
      tokens.set(scope, { Authorization: `Bearer ${json.token}` });
    }
  });

  // Last, as nothing else could be asked of what they delete.
  const deletes = ({ name }: Found) => Number(name.endsWith('/delete'));
  const inTurn = [...of('seller'), ...of('admin')].sort((a, b) => deletes(a) - deletes(b));
  test.each(inTurn)('opens $name with its scopes alone', async (found) => {
    const { scopes, audience } = found.access;
    const { send, status: success } = await prepare(found, shop, scene);
    const refusal = [403, audience === 'admin' ? 'forbidden' : 'token_scope_insufficient'];
    for (const [scope, token] of tokens) {
      const { status, json } = await send(token);
      if (scopes.includes(scope)) expect([scope, status]).toEqual([scope, success]);
      else expect([scope, status, json.code]).toEqual([scope, ...refusal]);
    }
  });

  test('is whom audit records name', async () => {
    const byTokens = (await readContents(scene))
      .filter(({ actor }) => String(actor).startsWith('token:'))
      .map(({ action }) => String(action));
    expect([...new Set(byTokens)].sort()).toEqual([
      'discount.create',
      'discount.end',
      'license.change_limit',
      'license.issue_test_key',
      'license.reinstate',
      'license.release_activation',
      'license.revoke',
      'license.suspend',
      'order.request_email_correction',
      'order.resend_link',
      'order.search',
      'product.submit',
      'product.update',
      'product.withdraw',
      'product_file.finalize',
      'product_file.withdraw',
      'release.create',
      'release.delete',
      'release.publish',
      'release.submit',
      'release.update',
      'release.withdraw',
      'release.yank',
      'webhook_endpoint.create',
      'webhook_endpoint.delete',
      'webhook_endpoint.replay',
      'webhook_endpoint.rotate_secret',
      'webhook_endpoint.update',
    ]);
  });
});

describe('an API token of some products', () => {
  const scopes = ['products:read', 'products:write', 'orders:read', 'orders:write'];
  let some: Headers;
  let all: Headers;
  beforeAll(async () => {
    const make = async (body: object): Promise<Headers> => {
      const { json } = await scene.call('POST', '/v1/api-tokens', {
        headers: owner,
        body: { name: 'CI', scopes, expires_in_days: 1, ...body },
      });
      return { Authorization: `Bearer ${json.token}` };
    };
    [some, all] = [await make({ product_ids: [scene.own.csvProduct.id] }), await make({})];
  });
  const insufficient = [403, 'token_scope_insufficient'];
  const found = async (caller: Headers, method: string, path: string, body?: object) => {
    const { status, json } = await scene.call(method, path, { headers: caller, ...(body && { body }) });
    return json.items ? json.items.map(({ id }: { id: string }) => id) : [status, json.code];
  };

  test('lists those alone, and makes none', async () => {
    const { product, csvProduct } = scene.own;
    expect(await found(some, 'GET', '/v1/products')).toEqual([csvProduct.id]);
    expect(await found(all, 'GET', '/v1/products')).toEqual([csvProduct.id, product.id]);
    const fields = { description: 'Edits.', refund_policy: 'None.', software_operating_environment: 'Any', support_email: 'a@b.example' };
    const draft = { ...fields, name: 'By a token', price_amount: 500, currency: 'JPY' };
    expect(await found(some, 'POST', '/v1/products', draft)).toEqual(insufficient);
    expect(await found(some, 'GET', `/v1/products/${product.id}`)).toEqual(insufficient);
  });

  test('lists the orders of one that it names, and neither finds nor opens others', async () => {
    const { own, other } = scene;
    const of = (id: string) => `/v1/orders?product_id=${id}`;
    expect(await found(some, 'GET', of(own.csvProduct.id))).toEqual([]);
    for (const path of ['/v1/orders', of(own.product.id), of(other.product.id)])
      expect([path, await found(some, 'GET', path)]).toEqual([path, insufficient]);
    expect(await found(all, 'GET', of(own.product.id))).toContain(own.order.id);
    expect(await found(all, 'GET', '/v1/orders')).toContain(own.order.id);
    for (const term of [{ order_id: own.order.id }, { license_key: own.key }, { buyer_email: own.buyerEmail }]) {
      expect(await found(some, 'POST', '/v1/orders/search', term)).toEqual([]);
      expect(await found(all, 'POST', '/v1/orders/search', term)).toContain(own.order.id);
    }
    for (const [caller, id] of [
      [some, own.order.id],
      [some, other.order.id],
      [all, other.order.id],
    ] as const) {
      expect(await found(caller, 'GET', `/v1/orders/${id}`)).toEqual(insufficient);
      expect(await found(caller, 'PATCH', `/v1/orders/${id}/license`, { activation_limit: 2 })).toEqual(insufficient);
    }
    expect(await found(some, 'GET', `/v1/orders/${newId('order')}`)).toEqual([404, 'order_not_found']);
  });
});

describe('who sells nothing', () => {
  const personal = of('seller').filter(
    (found) => !isOwned(found) && !['createSeller', 'getMe', 'getOverview'].includes(found.endpoint.operationId),
  );
  const isFirst = ({ name }: Found) => /^POST \/v1\/(products|api-tokens|webhook-endpoints)$/.test(name);
  test.each(personal)('finds nothing at $name, and writes nothing', async (found) => {
    const { send } = await prepare(found, scene.own, scene);
    await changingNothing(async () => {
      for (const caller of [outsider, admin]) {
        const { status, json } = await send(caller);
        if (status === 200) expect(json).toEqual({ items: [] });
        else expect([status, json.code]).toEqual(isFirst(found) ? [400, 'seller_required'] : [404, expect.stringMatching(/_not_found$/)]);
      }
    });
  });
});

describe('an id in a path', () => {
  /** Those that name a thing; updaters prove for which product they ask, and are told nothing at all of another. */
  const positions = endpoints
    .filter(({ functionName }) => functionName !== 'updates')
    .flatMap((found) => paramsOf(found).flatMap((id) => (id === 'slug' || id.endsWith('_id') ? [{ ...found, id }] : [])));
  const callerOf = ({ access }: Found) => (access.audience === 'admin' ? admin : owner);
  const codeFor = (id: string, { functionName, endpoint }: Found) => {
    if (functionName === 'pictures') return 'file_not_found';
    if (endpoint.operationId === 'decideEmailRequest') return 'request_not_found';
    return id === 'slug' ? 'product_not_found' : `${id.replace('_id', '')}_not_found`;
  };
  const unknown = (id: string) => (id === 'slug' ? 'no-such-product' : newId(id.replace('_id', '') as IdKind));

  test.each(positions)('that names nothing, or something of another kind, is not found: $id of $name', async ({ id, ...found }) => {
    const { send } = await prepare(found, scene.own, scene);
    await changingNothing(async () => {
      for (const value of [unknown(id), scene.own.order.id.replace('ord_', 'xxx_'), 'nonsense', '\0', '..', '#', '%']) {
        const { status, json, text } = await send(callerOf(found), { [id]: value });
        expect([value, status]).toEqual([value, 404]);
        if (found.functionName === 'pages') expect(text).toContain('<html');
        else expect(json.code).toBe(codeFor(id, found));
      }
    });
  });

  const pairs = positions.filter(
    (found) =>
      paramsOf(found).length > 1 ||
      found.functionName === 'purchases' ||
      (found.access.audience === 'seller' && /^(product|order|endpoint|token)_id$/.test(found.id)),
  );
  test.each(pairs)('that is another seller’s does not go with one’s own: $id of $name', async ({ id, ...found }) => {
    const { send } = await prepare(found, scene.own, scene);
    const { ids } = await prepare(found, scene.other, scene);
    await changingNothing(async () => {
      const { status, json } = await send(callerOf(found), { [id]: ids[id] ?? '' });
      const isNotOwn = found.access.audience === 'seller' && (id === 'product_id' || id === 'order_id');
      expect([status, json.code]).toEqual(isNotOwn ? [403, 'forbidden'] : [404, codeFor(paramsOf(found).at(-1) ?? '', found)]);
    });
  });
});

const ask = (caller: Headers, path: string) => scene.call('GET', path, { headers: caller });

describe('an id that is another seller’s', () => {
  test('filters nothing into a list', async () => {
    const { own, other } = scene;
    const empty = { status: 200, json: { items: [] } };
    for (const { id } of [other.product, own.csvProduct]) expect(await ask(owner, `/v1/orders?product_id=${id}`)).toMatchObject(empty);
    for (const list of ['products', 'orders', 'product-files']) {
      const { items } = (await ask(admin, `/v1/admin/${list}?seller_id=${other.seller.id}`)).json;
      expect([...new Set(items.map(({ seller_id }: { seller_id: string }) => seller_id))]).toEqual([other.seller.id]);
    }
  });

  test('of a product has no license under a key of one’s own', async () => {
    const { own, other } = scene;
    await changingNothing(async () => {
      for (const verb of ['validate', 'activate', 'deactivate']) {
        const body = { product_id: other.product.id, license_key: own.key, device_fingerprint: own.device };
        const { json } = await scene.call('POST', `/v1/licenses/${verb}`, { body });
        expect(json).toEqual({ valid: false, code: 'license_not_found', checked_at: scene.at });
      }
    });
  });
});

test('a token is looked for, and that of no order opens nothing', async () => {
  const { at, settings } = scene;
  const expiresAt = new Date(Date.parse(at) + 60_000);
  const token = await mintCompletionToken({ orderId: newId('order'), use: 'mail', expiresAt }, new Date(at), settings.TOKEN_KEYS);
  await changingNothing(async () => {
    for (const path of ['complete', 'devices', 'replace-key', 'releases']) {
      const { status, json } = await scene.call('POST', `/v1/purchases/${path}`, { body: { token } });
      expect([path, status, json.code]).toEqual([path, 404, 'order_not_found']);
    }
  });
});

describe('a cursor', () => {
  test('does not lead on in the audit of another', async () => {
    const { own, other } = scene;
    for (const { license, activationId } of [own, other]) {
      await scene.call('POST', `/v1/admin/licenses/${license.id}/activations/${activationId}/release`, { headers: admin });
      await scene.call('POST', `/v1/admin/licenses/${license.id}/revoke`, { headers: admin });
    }
    const auditOf = ({ license }: Shop, cursor = '') => ask(admin, `/v1/admin/audit?limit=1&target_id=${license.id}${cursor}`);
    const { items, next_cursor } = (await auditOf(own)).json;
    expect(items).toMatchObject([{ target_id: own.license.id }]);
    expect((await auditOf(own, `&cursor=${next_cursor}`)).json.items).toMatchObject([{ target_id: own.license.id }]);
    expect(await auditOf(other, `&cursor=${next_cursor}`)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  test('of a seller’s list lists nothing of another’s', async () => {
    const { own, other } = scene;
    const { items, next_cursor } = (await ask(owner, '/v1/products?limit=1')).json;
    expect(items).toMatchObject([{ id: own.csvProduct.id }]);
    const lists = ['products', 'orders', `products/${other.product.id}/files`, `products/${other.csvProduct.id}/code-batches`];
    for (const list of lists) {
      const reply = await ask(stranger, `/v1/${list}?cursor=${next_cursor}`);
      expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    }
  });
});
