import { beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../functions/admin/routes.ts';
import { compose } from '../../functions/api-tokens/compose.ts';
import { settingNames } from '../../functions/api-tokens/declaration.ts';
import { routes } from '../../functions/api-tokens/routes.ts';
import { compose as composeMail } from '../../functions/mail-sender/compose.ts';
import { settingNames as mailSettings } from '../../functions/mail-sender/declaration.ts';
import { compose as composeFiles } from '../../functions/product-files/compose.ts';
import { settingNames as fileSettings } from '../../functions/product-files/declaration.ts';
import { routes as fileRoutes } from '../../functions/product-files/routes.ts';
import { compose as composeReleases } from '../../functions/releases/compose.ts';
import { settingNames as releaseSettings } from '../../functions/releases/declaration.ts';
import { routes as releaseRoutes } from '../../functions/releases/routes.ts';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { isAdmin } from '../../shared/http/callers/authenticate.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import type { OutgoingMail } from '../../shared/mail/sending/mail-client.ts';
import { getLiveFiles } from '../../shared/product-files/live-file-repository.ts';
import { createFile } from '../../shared/product-files/product-file-repository.ts';
import { createCaller, type RequestOptions } from '../support/http/http-event.ts';
import { sampleFile } from '../support/samples/sample-file.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../support/scenes/catalog-harness.ts';
import { createTestQueue } from '../support/scenes/projection-harness.ts';

const error = (status: number, code: string) => ({ status, json: { code } });
const insufficient = error(403, 'token_scope_insufficient');
const day = 24 * 3600;
const oidc = { AUTH_MODE: 'oidc', OIDC_ISSUER: 'http://127.0.0.1:9/', OIDC_AUDIENCE: 'console' } as const;
/** Its last 43 characters, `_` perhaps among them. */
const secretOf = (token: string) => token.slice(-43);
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describe('API tokens', () => {
  let catalog: CatalogHarness;
  const queue = createTestQueue();
  let desk: ReturnType<typeof createCaller>;
  let files: ReturnType<typeof createCaller>;
  let filesOfIssuer: ReturnType<typeof createCaller>;
  let releases: ReturnType<typeof createCaller>;
  let names = 0;

  beforeAll(async () => {
    catalog = await createCatalogHarness();
    const common = { table: catalog.table, logger: createLogger({}, (line) => catalog.logged.push(line)), now: catalog.now };
    desk = createCaller(compose({ settings: sampleSettings(settingNames), sender: queue, ...common }), routes);
    const filesWith = (settings: object) =>
      composeFiles({ settings: sampleSettings(fileSettings, settings), sender: queue, store: undefined, partStore: undefined, ...common });
    files = createCaller(filesWith({}), fileRoutes);
    filesOfIssuer = createCaller(filesWith(oidc), fileRoutes);
    releases = createCaller(composeReleases({ settings: sampleSettings(releaseSettings), ...common }), releaseRoutes);
  });

  const request = { name: 'CI', scopes: ['releases:read'], expires_in_days: 30 };

  /** A seller with a product, and what its owner does with tokens. */
  async function openShop(fields: Parameters<CatalogHarness['newSeller']>[0] = {}) {
    const { seller, call } = await catalog.newSeller(fields);
    const { json: product } = await call('POST', '/v1/products', { body: { ...productRequest, name: `App ${++names}` } });
    const as = { headers: { 'X-User-ID': seller.ownerUserId } };
    return {
      seller,
      call,
      product,
      listOf: (productId: string) => `/v1/products/${productId}/files`,
      create: (change: object = {}) => desk('POST', '/v1/api-tokens', { ...as, body: { ...request, ...change } }),
      list: async (query = '') => (await desk('GET', `/v1/api-tokens${query}`, as)).json,
      revoke: (id: string) => desk('POST', `/v1/api-tokens/${id}/revoke`, as),
    };
  }

  test('open what their scope says until they are revoked, and lie in the table as a hash', async () => {
    const { seller, product, create, list, revoke, listOf } = await openShop();
    catalog.takeRequestCounts();
    const made = await create();
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 3, PutItem: 1, TransactWriteItems: 1 });
    expect(made).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    const { token, ...shown } = made.json;
    expect(token).toMatch(new RegExp(`^lst_${shown.id.slice('tok_'.length)}_[\\w-]{43}$`));
    expect(await list()).toEqual({ items: [shown] });
    const use = (options: RequestOptions = bearer(token), call = files) => call('GET', listOf(product.id), options);
    catalog.takeRequestCounts();
    expect(await use()).toMatchObject({ status: 200, json: { items: [] } });
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 3, UpdateItem: 1, Query: 1 });
    expect(await use({ headers: { ...bearer(token).headers, 'X-User-ID': 'a-stranger' } })).toMatchObject({ status: 200 });
    expect(await use(bearer(token), filesOfIssuer)).toMatchObject({ status: 200 });
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 6, Query: 2 });
    const usedAt = catalog.now().toISOString();
    catalog.pass(59);
    await use();
    expect((await list()).items[0].last_used_at).toBe(usedAt);
    catalog.pass(1);
    await use();
    expect((await list()).items[0].last_used_at).toBe(catalog.now().toISOString());

    const revoked = await revoke(shown.id);
    expect(revoked).toMatchObject({ status: 200, json: { id: shown.id, revoked_at: catalog.now().toISOString() } });
    expect(await use()).toMatchObject(error(401, 'unauthenticated'));
    catalog.pass(5);
    expect((await revoke(shown.id)).json).toEqual(revoked.json);
    const { items } = await listAudit(catalog.table, { targetId: shown.id, limit: 10 });
    expect(items.map(({ actor, action }) => [actor, action])).toEqual([
      [seller.ownerUserId, 'api_token.revoke'],
      [seller.ownerUserId, 'api_token.create'],
    ]);
    const secret = secretOf(token);
    expect(JSON.stringify([await catalog.readAll(), catalog.logged, queue.sent])).not.toContain(secret);
  });

  test('are refused in any other form, whatever else is sent', async () => {
    const { seller, product, create, listOf } = await openShop();
    const [{ token }, { token: other }] = [(await create()).json, (await create()).json];
    const [[prefix, id], secret] = [token.split('_'), secretOf(token)];
    const wrong = [
      `${prefix}_${id}_${secretOf(other)}`,
      `${prefix}_${id}_${secret.slice(1)}`,
      `${token}A`,
      `${token} `.trimEnd().toLowerCase(),
      `${token},${token}`,
      `${token} x`,
      'lst_',
      `lst_${'A'.repeat(100_000)}`,
      `lst_${id.toLowerCase()}_${secret}`,
    ];
    for (const text of wrong) {
      for (const call of [files, filesOfIssuer]) {
        const headers = { ...bearer(text).headers, 'X-User-ID': seller.ownerUserId };
        expect(await call('GET', listOf(product.id), { headers })).toMatchObject(error(401, 'unauthenticated'));
      }
    }
  });

  test('open the products that they name, and nothing of other sellers', async () => {
    const [own, foreign] = [await openShop(), await openShop()];
    const { json: second } = await own.call('POST', '/v1/products', { body: { ...productRequest, name: `App ${++names}` } });
    const { token } = (await own.create({ product_ids: [own.product.id] })).json;
    const { token: ofAll } = (await own.create()).json;
    const see = (text: string, productId: string) => files('GET', own.listOf(productId), bearer(text));
    expect(await see(token, own.product.id)).toMatchObject({ status: 200 });
    expect(await see(token, second.id)).toMatchObject(insufficient);
    expect(await see(ofAll, second.id)).toMatchObject({ status: 200 });
    for (const text of [token, ofAll]) {
      expect(await see(text, foreign.product.id)).toMatchObject(insufficient);
      expect(await see(text, 'prd_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject(error(404, 'product_not_found'));
    }
  });

  test('bring files of releases alone', async () => {
    const { product, create, listOf } = await openShop();
    const { token } = (await create({ scopes: ['releases:write'] })).json;
    const path = listOf(product.id);
    expect(await files('GET', path, bearer(token))).toMatchObject(insufficient);
    const file = { filename: 'a.zip', content_type: 'application/zip', size_bytes: 10, sha256_hex: 'a'.repeat(64) };
    for (const purpose of [undefined, 'download']) {
      expect(await files('POST', `${path}/upload-intent`, { ...bearer(token), body: { ...file, purpose } })).toMatchObject(insufficient);
    }
    const upload = sampleFile({ productId: product.id, sellerId: product.seller_id });
    const { table, now } = catalog;
    await table.transact(createFile(upload, await getLiveFiles(table, product.id), now()));
    const finalize = { ...bearer(token), body: { size_bytes: 10, sha256_hex: 'a'.repeat(64) } };
    expect(await files('POST', `${path}/${upload.id}/finalize`, finalize)).toMatchObject(insufficient);
  });

  test('hand in what its approval publishes only if they may publish', async () => {
    const { product, create } = await openShop();
    const tokenWith = async (...scopes: string[]) => (await create({ scopes })).json.token;
    const [writes, publishes] = [await tokenWith('releases:write'), await tokenWith('releases:write', 'releases:publish')];
    const path = `/v1/products/${product.id}/releases`;
    const call = (token: string, target: string, body: object) => releases('POST', `${path}${target}`, { ...bearer(token), body });
    const draft = { version: '1.0.0', channel: 'stable', notes: 'New' };
    expect(await call(writes, '', { ...draft, publish_on_approval: true })).toMatchObject(insufficient);
    expect(await call(writes, '', draft)).toMatchObject({ status: 201 });
    const { json } = await call(publishes, '', { version: '1.0.0', publish_on_approval: true });
    for (const [target, body] of [
      ['', { version: '1.0.0', notes: 'Other' }],
      [`/${json.id}/submit`, { expected_revision: 99 }],
    ] as const) {
      expect(await call(writes, target, body)).toMatchObject(insufficient);
    }
    expect(await call(publishes, `/${json.id}/submit`, {})).toMatchObject(error(400, 'release_incomplete'));
    expect(await call(publishes, '', { version: '1.0.0', publish_on_approval: false })).toMatchObject({ status: 200 });
    expect(await call(writes, '', { version: '1.0.0', notes: 'Other' })).toMatchObject({ status: 200 });
    expect(await call(writes, `/${json.id}/publish`, {})).toMatchObject(insufficient);
  });

  test('make nobody an admin, and no token', async () => {
    const { seller, create } = await openShop();
    const { id, token } = (await create({ scopes: ['releases:read', 'releases:write', 'releases:publish'] })).json;
    const settings = sampleSettings(adminSettings, { ADMIN_ALLOWLIST: `sub:${seller.ownerUserId}` });
    const { table, now } = catalog;
    const logger = createLogger({}, () => undefined);
    const admin = createCaller(composeAdmin({ settings, table, now, sender: queue, store: undefined, logger }), adminRoutes);
    const asOwner = { 'X-User-ID': seller.ownerUserId };
    expect(await admin('GET', '/v1/admin/sellers', { headers: asOwner })).toMatchObject({ status: 200 });
    for (const text of [token, 'lst_x']) {
      const headers = { ...bearer(text).headers, ...asOwner };
      expect(await admin('GET', '/v1/admin/sellers', { headers })).toMatchObject(error(403, 'forbidden'));
    }
    expect(isAdmin({ userId: 'root', token: { id, scopes: [] } }, ['sub:root'])).toBe(false);
    expect(await desk('POST', '/v1/api-tokens', { ...bearer(token), body: request })).toMatchObject(insufficient);
    // Before the body is looked at.
    expect(await desk('POST', '/v1/api-tokens', { ...bearer(token), body: '{' })).toMatchObject(insufficient);
    expect(await desk('POST', `/v1/api-tokens/${id}/revoke`, bearer(token))).toMatchObject(insufficient);
  });

  test('are twenty at most that live, however many are made at once; those that expired give their places back', async () => {
    const { create, revoke, list } = await openShop();
    const made = await Promise.all(Array.from({ length: 25 }, (_, index) => create({ expires_in_days: index < 3 ? 1 : 2 })));
    expect(made.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(5).fill(400)]);
    expect(made.filter(({ status }) => status === 400).map(({ json }) => json.code)).toEqual(Array(5).fill('too_many_tokens'));
    const [first] = made.filter(({ status }) => status === 201);
    await revoke(first?.json.id);
    expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject(error(400, 'too_many_tokens'));
    catalog.pass(2 * day);
    expect((await create()).status).toBe(201);
    const { items, next_cursor } = await list('?limit=2');
    expect(items).toHaveLength(2);
    expect((await list(`?limit=100&cursor=${next_cursor}`)).items).toHaveLength(20);
  });

  test('open nothing once they expired, and show for 90 days more', async () => {
    const { product, create, list, revoke, listOf } = await openShop();
    const { id, token } = (await create({ expires_in_days: 1 })).json;
    const early = (await create({ expires_in_days: 366 })).json.id;
    await revoke(early);
    const use = async () => (await files('GET', listOf(product.id), bearer(token))).status;
    catalog.pass(day - 1);
    expect(await use()).toBe(200);
    catalog.pass(1);
    expect(await use()).toBe(401);
    const ids = async () => (await list()).items.map((item: { id: string }) => item.id);
    catalog.pass(89 * day);
    expect(await ids()).toEqual([id]);
    catalog.pass(day - 1);
    expect(await revoke(id)).toMatchObject({ status: 200 });
    expect(await ids()).toEqual([id]);
    catalog.pass(1);
    expect(await ids()).toEqual([]);
    expect(await revoke(id)).toMatchObject(error(404, 'token_not_found'));
    const ttls = Object.values(await catalog.readAll()).filter((item) => item['id'] === id);
    expect(ttls.map(({ ttl }) => ttl)).toEqual(Array(2).fill(catalog.now().getTime() / 1000));
  });

  test('are made by sellers who may change something, and revoked by all', async () => {
    const { seller, product, create, revoke, list, listOf } = await openShop();
    const { id, token } = (await create()).json;
    for (const status of ['suspended', 'rejected'] as const) {
      await catalog.setSellerStatus(seller.id, status);
      expect(await create()).toMatchObject(error(403, 'seller_not_eligible'));
    }
    expect(await files('GET', listOf(product.id), bearer(token))).toMatchObject({ status: 200 });
    expect((await list()).items).toHaveLength(1);
    expect(await (await openShop()).revoke(id)).toMatchObject(error(404, 'token_not_found'));
    expect(await revoke(id)).toMatchObject({ status: 200 });
  });

  test.each([
    ['name is missing', { name: undefined }],
    ['name must not be blank', { name: ' ' }],
    ['name must be at most 100 characters long', { name: 'n'.repeat(101) }],
    ['scopes must name at least one scope', { scopes: [] }],
    ['scopes.1 must be one of releases:read, releases:write, releases:publish', { scopes: ['releases:read', 'all'] }],
    ['product_ids must name at least one product, or be left out', { product_ids: [] }],
    ['product_ids must be a list of at most 20', { product_ids: Array(21).fill('prd_x') }],
    ['product_ids must name products of your own', { product_ids: ['prd_01ARZ3NDEKTSV4RRFFQ69G5FAV'] }],
    ['expires_in_days must be at least 1', { expires_in_days: 0 }],
    ['expires_in_days must be at most 366', { expires_in_days: 367 }],
  ])('are refused: %s', async (message, change) => {
    const { create } = await openShop();
    expect((await create(change)).json).toMatchObject({ code: 'invalid_request', message });
  });

  test('are for no product of another seller', async () => {
    const [own, foreign] = [await openShop(), await openShop()];
    expect(await own.create({ product_ids: [own.product.id, foreign.product.id] })).toMatchObject(error(400, 'invalid_request'));
  });

  test('are told to their seller, in both languages and once, without their text', async () => {
    const { create } = await openShop({ displayName: '株式会社みなと', contactEmail: 'owner@example.jp' });
    queue.take();
    const { id, token, expires_at } = (await create({ name: 'Build <1>', scopes: ['releases:read', 'releases:write'] })).json;
    const mails: OutgoingMail[] = [];
    const { table, now } = catalog;
    const send = async (mail: OutgoingMail) => void mails.push(mail);
    const logger = createLogger({}, () => undefined);
    const worker = composeMail({ settings: sampleSettings(mailSettings), table, logger, sender: createTestQueue(), send, now });
    const messages = queue.take();
    await worker(messages);
    catalog.pass(61);
    await worker(messages);
    expect(mails).toMatchObject([{ to: 'owner@example.jp', subject: 'APIトークンが作成されました / An API token was made' }]);
    const { text, html } = mails[0]!;
    expect(text).toMatch(/名前: Build <1>[\s\S]*スコープ: releases:read, releases:write[\s\S]*Name: Build <1>/);
    for (const said of [id, expires_at, `http://127.0.0.1:3000/v1/api-tokens/${id}/revoke`]) expect(text).toContain(said);
    expect(text + html).not.toContain(secretOf(token));
  });
});
