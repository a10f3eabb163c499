import { beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeMail } from '../../functions/mail-sender/compose.ts';
import { settingNames as mailSettings } from '../../functions/mail-sender/declaration.ts';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { tokenScopes } from '../../shared/audit/caller.ts';
import { releaseKey } from '../../shared/db/keys.ts';
import { isAdmin } from '../../shared/http/callers/authenticate.ts';
import type { OutgoingMail } from '../../shared/mail/sending/mail-client.ts';
import { getLiveFiles } from '../../shared/product-files/live-file-repository.ts';
import { createFile } from '../../shared/product-files/product-file-repository.ts';
import type { Call } from '../support/http/service.ts';
import { sampleFile } from '../support/samples/sample-file.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';
import { type CatalogHarness, createCatalogHarness } from '../support/scenes/catalog-harness.ts';
import { createTestQueue, silentLogger } from '../support/scenes/projection-harness.ts';

const error = (status: number, code: string) => ({ status, json: { code } });
const insufficient = error(403, 'token_scope_insufficient');
const unauthenticated = error(401, 'unauthenticated');
const day = 24 * 3600;
/** Its last 43 characters, `_` perhaps among them. */
const secretOf = (token: string) => token.slice(-43);
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const filesOf = (productId: string) => `/v1/products/${productId}/files`;

let catalog: CatalogHarness;
let call: Call;
/** Where users have tokens of an issuer. */
let callWithIssuer: Call;
beforeAll(async () => {
  catalog = await createCatalogHarness();
  call = catalog.publicCall;
  callWithIssuer = catalog.open({ AUTH_MODE: 'oidc', OIDC_ISSUER: 'http://127.0.0.1:9/', OIDC_AUDIENCE: 'console' });
});

const request = { name: 'CI', scopes: ['releases:read'], expires_in_days: 30 };

/** A seller with a product, and what its owner does with tokens. */
async function openShop(fields: Parameters<CatalogHarness['newSeller']>[0] = {}) {
  const owner = await catalog.newSeller(fields);
  const product = await owner.create();
  const make = (change: object = {}) => owner.call('POST', '/v1/api-tokens', { body: { ...request, ...change } });
  return {
    ...owner,
    product,
    make,
    token: async (change: object = {}) => (await make(change)).json as { id: string; token: string; expires_at: string },
    list: async (query = '') => (await owner.call('GET', `/v1/api-tokens${query}`)).json,
    revoke: (id: string) => owner.call('POST', `/v1/api-tokens/${id}/revoke`),
    /** What is answered to whoever lists the files of the product with it. */
    use: async (token: string, productId: string = product.id) => (await call('GET', filesOf(productId), bearer(token))).status,
  };
}

describe('API tokens', () => {
  test('open what their scope says until they are revoked, and lie in the table as a hash', async () => {
    const { seller, product, make, list, revoke, use } = await openShop();
    catalog.takeRequestCounts();
    const made = await make();
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 3, PutItem: 1, TransactWriteItems: 1 });
    expect(made).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    const { token, ...shown } = made.json;
    expect(token).toMatch(new RegExp(`^lst_${shown.id.slice('tok_'.length)}_[\\w-]{43}$`));
    expect(await list()).toEqual({ items: [shown] });
    catalog.takeRequestCounts();
    expect(await use(token)).toBe(200);
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 3, UpdateItem: 1, Query: 1 });
    const asStranger = { headers: { ...bearer(token).headers, 'X-User-ID': 'a-stranger' } };
    expect((await call('GET', filesOf(product.id), asStranger)).status).toBe(200);
    expect((await callWithIssuer('GET', filesOf(product.id), bearer(token))).status).toBe(200);
    expect(catalog.takeRequestCounts()).toEqual({ GetItem: 6, Query: 2 });
    const lowerCase = { headers: { Authorization: `bearer ${token}` } };
    expect((await call('GET', filesOf(product.id), lowerCase)).status).toBe(200);
    const usedAt = catalog.now().toISOString();
    for (const [seconds, lastUsed] of [
      [59, () => usedAt],
      [1, () => catalog.now().toISOString()],
    ] as const) {
      catalog.pass(seconds);
      await use(token);
      expect((await list()).items[0].last_used_at).toBe(lastUsed());
    }
    const revoked = await revoke(shown.id);
    expect(revoked.json).toMatchObject({ id: shown.id, revoked_at: catalog.now().toISOString() });
    expect(await use(token)).toBe(401);
    catalog.pass(5);
    expect((await revoke(shown.id)).json).toEqual(revoked.json);
    const { items } = await listAudit(catalog.table, { targetId: shown.id, limit: 10 });
    const actor = seller.ownerUserId;
    expect(items).toMatchObject([
      { actor, action: 'api_token.revoke' },
      { actor, action: 'api_token.create' },
    ]);
    expect(JSON.stringify([await catalog.readAll(), catalog.logged, catalog.queue.sent])).not.toContain(secretOf(token));
  });

  test('are refused in any other form, whatever else is sent', async () => {
    const { seller, product, token: make } = await openShop();
    const [{ token }, { token: other }] = [await make(), await make()];
    const [[prefix, id = ''], secret] = [token.split('_'), secretOf(token)];
    const others = [`${prefix}_${id}_${secretOf(other)}`, `${prefix}_${id}_${secret.slice(1)}`, `lst_${id.toLowerCase()}_${secret}`];
    for (const text of [
      ...others,
      `${token}A`,
      token.toLowerCase(),
      `${token},${token}`,
      `${token} x`,
      'lst_',
      `lst_${'A'.repeat(100_000)}`,
    ]) {
      const headers = { ...bearer(text).headers, 'X-User-ID': seller.ownerUserId };
      for (const ask of [call, callWithIssuer]) expect(await ask('GET', filesOf(product.id), { headers })).toMatchObject(unauthenticated);
    }
  });

  test('open the products that they name, and nothing of other sellers', async () => {
    const [own, foreign] = [await openShop(), await openShop()];
    const second = await own.create();
    const { token } = await own.token({ product_ids: [own.product.id] });
    const { token: ofAll } = await own.token();
    const { token: ofBoth } = await own.token({ product_ids: [own.product.id, second.id] });
    expect([await own.use(token), await own.use(token, second.id), await own.use(ofAll, second.id)]).toEqual([200, 403, 200]);
    expect([await own.use(ofBoth), await own.use(ofBoth, second.id)]).toEqual([200, 200]);
    for (const text of [token, ofAll]) {
      expect(await call('GET', filesOf(foreign.product.id), bearer(text))).toMatchObject(insufficient);
      expect(await own.use(text, 'prd_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe(404);
    }
    const both = { product_ids: [own.product.id, foreign.product.id] };
    expect(await own.make(both)).toMatchObject(error(400, 'invalid_request'));
    expect(await own.make({ scopes: ['endpoints:write'] })).toMatchObject({ status: 201 });
  });

  test('bring files of releases alone, or with the scope of products all', async () => {
    const { product, token: make } = await openShop();
    const { token } = await make({ scopes: ['releases:write'] });
    const { token: ofProducts } = await make({ scopes: ['products:write'] });
    const { token: reads } = await make({ scopes: ['products:read'] });
    const path = filesOf(product.id);
    for (const text of [token, ofProducts]) expect(await call('GET', path, bearer(text))).toMatchObject(insufficient);
    const file = { filename: 'a.zip', content_type: 'application/zip', size_bytes: 10, sha256_hex: 'a'.repeat(64) };
    for (const purpose of [undefined, 'download'])
      expect(await call('POST', `${path}/upload-intent`, { ...bearer(token), body: { ...file, purpose } })).toMatchObject(insufficient);
    const upload = sampleFile({ productId: product.id, sellerId: product.seller_id });
    await catalog.table.transact(createFile(upload, await getLiveFiles(catalog.table, product.id), catalog.now()));
    const finalize = { ...bearer(token), body: { size_bytes: 10, sha256_hex: 'a'.repeat(64) } };
    expect(await call('POST', `${path}/${upload.id}/finalize`, finalize)).toMatchObject(insufficient);
    // Neither declared in parts nor uploaded, which only who may see it is told.
    const parts = `${path}/${upload.id}/parts`;
    expect(await call('GET', parts, bearer(token))).toMatchObject(insufficient);
    for (const text of [ofProducts, reads]) expect(await call('GET', parts, bearer(text))).toMatchObject(error(409, 'file_state_conflict'));
    for (const purpose of ['download', 'release'])
      expect(await call('POST', `${path}/upload-intent`, { ...bearer(ofProducts), body: { ...file, purpose } })).toMatchObject({
        status: 201,
      });
    expect(await call('POST', `${path}/${upload.id}/withdraw`, bearer(ofProducts))).toMatchObject({ json: { status: 'disabled' } });
  });

  test('hand in what its approval publishes only if they may publish', async () => {
    const { product, token: make } = await openShop();
    const { token: writes } = await make({ scopes: ['releases:write'] });
    const { token: publishes } = await make({ scopes: ['releases:write', 'releases:publish'] });
    const ask = (token: string, target: string, body: object) =>
      call('POST', `/v1/products/${product.id}/releases${target}`, { ...bearer(token), body });
    const draft = { version: '1.0.0', channel: 'stable', notes: 'New' };
    expect(await ask(writes, '', { ...draft, publish_on_approval: true })).toMatchObject(insufficient);
    expect(await ask(writes, '', draft)).toMatchObject({ status: 201 });
    const { json } = await ask(publishes, '', { version: '1.0.0', publish_on_approval: true });
    expect(await ask(writes, '', { version: '1.0.0', notes: 'Other' })).toMatchObject(insufficient);
    const artifacts = [{ file_id: 'fil_0', platform: 'any', arch: 'any', kind: 'full' }];
    expect(await ask(writes, `/${json.id}/artifacts`, { artifacts })).toMatchObject(insufficient);
    expect(await ask(publishes, `/${json.id}/artifacts`, { artifacts })).toMatchObject(error(404, 'file_not_found'));
    expect(await ask(writes, `/${json.id}/submit`, { expected_revision: 99 })).toMatchObject(insufficient);
    expect(await ask(publishes, `/${json.id}/submit`, {})).toMatchObject(error(400, 'release_incomplete'));
    expect(await ask(publishes, '', { version: '1.0.0', publish_on_approval: false })).toMatchObject({ status: 200 });
    expect(await ask(writes, '', { version: '1.0.0', notes: 'Other' })).toMatchObject({ status: 200 });
    expect(await ask(writes, `/${json.id}/publish`, {})).toMatchObject(insufficient);
    // What is handed in already changes by nobody's asking again.
    const handedIn = {
      UpdateExpression: 'SET #status = :pending, publishOnApproval = :yes',
      ExpressionAttributeNames: { '#status': 'status' },
    };
    const ExpressionAttributeValues = { ':pending': 'pending_review', ':yes': true };
    await catalog.table.write({ update: { Key: releaseKey(product.id, '1.0.0'), ...handedIn, ExpressionAttributeValues } });
    expect(await ask(writes, `/${json.id}/submit`, {})).toMatchObject({ status: 200, json: { status: 'pending_review' } });
  });

  test('make nobody an admin, and no token', async () => {
    const { seller, token: make } = await openShop();
    const { id, token } = await make({ scopes: ['releases:read', 'releases:write', 'releases:publish'] });
    const callAdmin = catalog.open({ ADMIN_ALLOWLIST: `sub:${seller.ownerUserId}` });
    const asOwner = { 'X-User-ID': seller.ownerUserId };
    expect((await callAdmin('GET', '/v1/admin/sellers', { headers: asOwner })).status).toBe(200);
    for (const text of [token, 'lst_x']) {
      const headers = { ...bearer(text).headers, ...asOwner };
      expect(await callAdmin('GET', '/v1/admin/sellers', { headers })).toMatchObject(error(403, 'forbidden'));
    }
    expect(isAdmin({ userId: 'root', token: { id: id as never, scopes: [] } }, ['sub:root'])).toBe(false);
    // Before the body is looked at.
    for (const body of [request, '{']) expect(await call('POST', '/v1/api-tokens', { ...bearer(token), body })).toMatchObject(insufficient);
    expect(await call('POST', `/v1/api-tokens/${id}/revoke`, bearer(token))).toMatchObject(insufficient);
  });

  test('are twenty at most that live, however many are made at once; those that expired give their places back', async () => {
    const { make, revoke, list } = await openShop();
    const made = await Promise.all(Array.from({ length: 25 }, (_, index) => make({ expires_in_days: index < 3 ? 1 : 2 })));
    const outcomes = made.map(({ status, json }) => json.code ?? status).sort();
    expect(outcomes).toEqual([...Array(20).fill(201), ...Array(5).fill('too_many_tokens')]);
    await revoke(made.find(({ status }) => status === 201)?.json.id);
    for (const status of [201, 400]) expect((await make()).status).toBe(status);
    catalog.pass(2 * day);
    expect((await make()).status).toBe(201);
    const { items, next_cursor } = await list('?limit=2');
    expect(items).toHaveLength(2);
    expect((await list(`?limit=100&cursor=${next_cursor}`)).items).toHaveLength(20);
  });

  test('open nothing once they expired, and show for 90 days more', async () => {
    const { token: make, list, revoke, use } = await openShop();
    const { id, token } = await make({ expires_in_days: 1 });
    await revoke((await make({ expires_in_days: 366 })).id);
    const ids = async () => (await list()).items.map((item: { id: string }) => item.id);
    catalog.pass(day - 1);
    expect(await use(token)).toBe(200);
    catalog.pass(1);
    expect(await use(token)).toBe(401);
    catalog.pass(89 * day);
    expect(await ids()).toEqual([id]);
    catalog.pass(day - 1);
    expect([(await revoke(id)).status, await ids()]).toEqual([200, [id]]);
    catalog.pass(1);
    expect(await ids()).toEqual([]);
    expect(await revoke(id)).toMatchObject(error(404, 'token_not_found'));
    const ttls = Object.values(await catalog.readAll()).filter((item) => item['id'] === id);
    expect(ttls.map(({ ttl }) => ttl)).toEqual(Array(2).fill(catalog.now().getTime() / 1000));
  });

  test('are made by sellers who may change something, and revoked by all', async () => {
    const { seller, make, token: made, revoke, list, use } = await openShop();
    const { id, token } = await made();
    for (const status of ['suspended', 'rejected'] as const) {
      await catalog.setSellerStatus(seller.id, status);
      expect(await make()).toMatchObject(error(403, 'seller_not_eligible'));
    }
    expect([await use(token), (await list()).items.length]).toEqual([200, 1]);
    expect(await (await openShop()).revoke(id)).toMatchObject(error(404, 'token_not_found'));
    expect((await revoke(id)).status).toBe(200);
  });

  test.each([
    ['name must not be blank', { name: ' ' }],
    ['name must be at most 100 characters long', { name: 'n'.repeat(101) }],
    ['scopes must name at least one scope', { scopes: [] }],
    [`scopes.1 must be one of ${tokenScopes.join(', ')}`, { scopes: ['releases:read', 'all'] }],
    [
      'scopes must not have endpoints:write beside product_ids: endpoints are sent what happens to every product',
      { scopes: ['releases:read', 'endpoints:write'], product_ids: ['prd_01ARZ3NDEKTSV4RRFFQ69G5FAV'] },
    ],
    ['product_ids must name at least one product, or be left out', { product_ids: [] }],
    ['product_ids must be a list of at most 20', { product_ids: Array(21).fill('prd_x') }],
    ['product_ids must name products of your own', { product_ids: ['prd_01ARZ3NDEKTSV4RRFFQ69G5FAV'] }],
    ['expires_in_days must be at least 1', { expires_in_days: 0 }],
    ['expires_in_days must be at most 366', { expires_in_days: 367 }],
  ])('are refused: %s', async (message, change) => {
    const { make } = await openShop();
    expect((await make(change)).json).toMatchObject({ code: 'invalid_request', message });
  });

  /** Sends the mails of the jobs that were made since. */
  function openMailWorker() {
    const mails: OutgoingMail[] = [];
    const { table, now } = catalog;
    const send = async (mail: OutgoingMail) => void mails.push(mail);
    const settings = sampleSettings(mailSettings);
    const worker = composeMail({ settings, table, logger: silentLogger, sender: createTestQueue(), send, now });
    return { mails, worker };
  }

  test('are told to an applicant without their name, ten in an hour, and of those that wait the latest', async () => {
    const { token: make } = await openShop({ internalReviewStatus: 'pending_review', contactEmail: 'Victim+1@example.jp' });
    catalog.queue.take();
    const ids = [];
    for (let made = 0; made < 13; made += 1) {
      ids.push((await make({ name: 'Win a prize' })).id);
      catalog.pass(1);
    }
    const { mails, worker } = openMailWorker();
    const { Records } = catalog.queue.take();
    for (const message of Records) await worker({ Records: [message] });
    expect(mails.map(({ reference }) => reference)).toEqual(ids.slice(0, 10));
    expect(JSON.stringify(mails)).not.toContain('prize');
    catalog.pass(3600);
    await worker({ Records });
    expect(mails.slice(10).map(({ to, reference }) => [to, reference])).toEqual([['Victim+1@example.jp', ids.at(-1)]]);
  });

  test('are told to their seller, in both languages and once, without their text', async () => {
    const { token: make } = await openShop({ displayName: '株式会社みなと', contactEmail: 'owner@example.jp' });
    catalog.queue.take();
    const { id, token, expires_at } = await make({ name: 'Build <1>', scopes: ['releases:read', 'releases:write'] });
    const { mails, worker } = openMailWorker();
    const messages = catalog.queue.take();
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
