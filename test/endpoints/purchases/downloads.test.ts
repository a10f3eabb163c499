import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { compose as composePurchases } from '../../../functions/purchases/compose.ts';
import { routes as purchaseRoutes } from '../../../functions/purchases/routes.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { fileKey, type Key, licenseKey, orderKey } from '../../../shared/db/keys.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { type FileId, newId, type OrderId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { testBucket } from '../../support/engines/test-object-store.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { type FileHarness, sha256Hex, startFileHarness } from '../../support/scenes/file-harness.ts';
import { createProjectionHarness, type ProjectionHarness, testKeyring } from '../../support/scenes/projection-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const hour = 3600_000;
const error = (status: number, code: string) => ({ status, json: { code } });

let harness: FileHarness;
let sales: ProjectionHarness;
let post: ReturnType<typeof createCaller>;
let order: Order;
let fileId: FileId;
/** Runs before each transaction of the purchases' table, once. */
let meanwhile: (() => Promise<unknown>) | undefined;
const logged: string[] = [];

beforeAll(async () => {
  harness = await startFileHarness();
  sales = await createProjectionHarness({ table: harness.table, now: harness.now });
  const table: Table = {
    ...harness.table,
    async transact(writes) {
      const change = meanwhile;
      meanwhile = undefined;
      await change?.();
      return harness.table.transact(writes);
    },
  };
  const { settings, queue, now } = sales;
  const logger = createLogger({}, (line) => logged.push(line));
  post = createCaller(composePurchases({ settings, logger, table, store: harness.store, sender: queue, now }), purchaseRoutes);
});
afterAll(() => harness.stop());

beforeEach(async () => {
  order = await sales.addOrder({ productId: harness.product.id, sellerId: harness.product.sellerId });
  await sales.deliver(sessionEvent(order, 'completed'));
  fileId = await harness.offerFile(bytes);
});
afterEach(() => harness.withdraw(fileId));

const tokenOf = (id: OrderId = order.id, lifetime = hour, keys = sales.settings.TOKEN_KEYS) =>
  mintCompletionToken({ orderId: id, use: 'mail', expiresAt: new Date(harness.now().getTime() + lifetime) }, harness.now(), keys);
const download = async (file: string = fileId, token?: string) =>
  post('POST', `/v1/purchases/files/${file}/download-intent`, { body: { token: token ?? (await tokenOf()) } });
const complete = async (id?: OrderId) => post('POST', '/v1/purchases/complete', { body: { token: await tokenOf(id) } });
const listed = async (id?: OrderId) => (await complete(id)).json.files.map((file: { file_id: FileId }) => file.file_id);
const notAvailable = error(403, 'file_not_available');

/** Changes attributes of a stored item, and nothing else; those without a value are removed. */
async function change(key: Key, changes: Item): Promise<void> {
  await harness.table.write({ put: { Item: { ...(await harness.table.get(key)), ...changes } } });
}
const changeFile = (changes: Item) => change(fileKey(harness.product.id, fileId), changes);
const keyOfLicense = async () => licenseKey((await sales.show(order.id)).license?.lookup ?? '');

/** Tries each of these changes of an item, after which it is as before. */
async function inTurn<Case>(key: Key, cases: readonly Case[], attempt: (one: Case) => Promise<void>): Promise<void> {
  const before = await harness.table.get(key);
  for (const one of cases) {
    await attempt(one);
    await harness.table.write({ put: { Item: { ...before } } });
  }
}

describe('a file that was approved', () => {
  // Which files are is a matter of the model of files; here that both ask.
  test('is neither listed nor given out while nobody vouches for it, or it is bound to no version', async () => {
    expect(await listed()).toEqual([fileId]);
    await inTurn(fileKey(harness.product.id, fileId), [{ scanTrustedClean: false }, { versionId: undefined }], async (fault) => {
      await changeFile(fault);
      expect(await listed()).toEqual([]);
      expect(await download()).toMatchObject(notAvailable);
    });
  });

  test('is not given out, nor recorded as given out, when one thing becomes wrong with it at the same moment', async () => {
    const { versionId = '' } = await harness.file(fileId);
    const infected = {
      versionId,
      engine: 'clamav',
      trusted: true,
      verdict: 'infected',
      summary: 'x',
      at: harness.now().toISOString(),
    } as const;
    const faults = [
      ...['upload_pending', 'pending_review', 'rejected', 'disabled'].map((status) => ({ status })),
      ...['unverified', 'mismatch', 'error'].map((hashStatus) => ({ hashStatus })),
      ...[{ visibility: 'private' }, { scanTrustedClean: false }, { versionId: 'another' }],
    ];
    await inTurn(fileKey(harness.product.id, fileId), [...faults, infected], async (fault) => {
      meanwhile = () => ('verdict' in fault ? recordScan(harness.c, { productId: harness.product.id, fileId }, fault) : changeFile(fault));
      expect([fault, await download()]).toMatchObject([fault, notAvailable]);
    });
    const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
    expect(items.filter(({ action }) => action === 'product_file.download')).toEqual([]);
  });

  test.each([
    ['product', 'suspended', false],
    ['product', 'draft', true],
    ['product', 'rejected', true],
    ['product', 'unpublished', true],
    ['seller', 'suspended', false],
    ['seller', 'rejected', true],
    ['seller', 'approved_limited', true],
  ] as const)('while its %s is %s: can be downloaded is %s', async (whose, status, can) => {
    await harness.change(whose === 'product' ? { product: { status } } : { seller: { internalReviewStatus: status as 'suspended' } });
    expect(await listed()).toEqual(can ? [fileId] : []);
    expect(await download()).toMatchObject(can ? { status: 200 } : notAvailable);
    await harness.change(whose === 'product' ? { product: { status: 'approved' } } : { seller: { internalReviewStatus: 'approved' } });
  });

  test('is neither listed nor found with the purchase of another product', async () => {
    const { id: productId, sellerId } = await harness.addProduct();
    const other = await sales.addOrder({ productId, sellerId });
    await sales.deliver(sessionEvent(other, 'completed'));
    expect(await listed(other.id)).toEqual([]);
    expect(await download(fileId, await tokenOf(other.id))).toMatchObject(error(404, 'file_not_found'));
  });
});

describe('the license of a purchase', () => {
  const past = '2026-01-01T00:00:00.000Z';
  const statuses: [string, Item, { files: boolean; key: boolean }][] = [
    ['active', {}, { files: true, key: true }],
    ['suspended', { suspendedAt: past }, { files: false, key: true }],
    ['expired', { expiresAt: past }, { files: false, key: true }],
    ['refunded', { paymentHold: 'refunded' }, { files: false, key: false }],
    ['disputed', { paymentHold: 'disputed' }, { files: false, key: false }],
    ['revoked', { revokedAt: past }, { files: false, key: false }],
  ];
  test.each(statuses)('that is %s opens this much: %j', async (status, facts, { files, key }) => {
    await change(await keyOfLicense(), facts);
    const { license, files: shown } = (await complete()).json;
    expect([license.status, 'license_key' in license, shown.length > 0]).toEqual([status, key, files]);
    const body = { buyer_email: 'buyer@example.com', completion_token: await tokenOf() };
    const flat = (await post('POST', '/v1/purchases/complete', { body })).json;
    expect([flat.license_status, 'license_key' in flat]).toEqual([status, key]);
    expect(await download()).toMatchObject(files ? { status: 200 } : error(403, 'license_not_usable'));
  });

  test('that is not there yet opens nothing', async () => {
    await change(orderKey(order.id), { licenseId: undefined });
    const page = await complete();
    expect(page.json).toMatchObject({ order: { status: 'paid' }, files: [] });
    expect(page.json).not.toHaveProperty('license');
    expect(await download()).toMatchObject(error(403, 'license_not_usable'));
  });
});

test('download-intent checks the token, the order, the file, the license and the file’s state, in this order', async () => {
  const unknown = newId('file');
  const unpaid = await sales.addOrder({ productId: harness.product.id, sellerId: harness.product.sellerId });
  await changeFile({ status: 'disabled' });
  await change(await keyOfLicense(), { revokedAt: '2026-01-01T00:00:00.000Z' });
  expect(await download(unknown, await tokenOf(unpaid.id, hour, testKeyring()))).toMatchObject(error(403, 'completion_token_invalid'));
  expect(await download(unknown, await tokenOf(unpaid.id, -1000))).toMatchObject(error(403, 'completion_token_expired'));
  expect(await download(unknown, await tokenOf(newId('order')))).toMatchObject(error(404, 'order_not_found'));
  expect(await download(unknown, await tokenOf(unpaid.id))).toMatchObject(error(403, 'order_not_paid'));
  expect(await download(unknown)).toMatchObject(error(404, 'file_not_found'));
  expect(await download()).toMatchObject(error(403, 'license_not_usable'));
  await change(await keyOfLicense(), { revokedAt: undefined });
  expect(await download()).toMatchObject(notAvailable);
  await changeFile({ status: 'approved' });
  expect((await download()).status).toBe(200);
});

describe('a download URL', () => {
  test('names the version that was vouched for, whatever is put over it', async () => {
    const { storageKey, versionId } = await harness.file(fileId);
    await harness.client.send(new PutObjectCommand({ Bucket: testBucket, Key: storageKey, Body: 'something else' }));
    const { json } = await download();
    expect(new URL(json.download_url).searchParams.get('versionId')).toBe(versionId);
    expect(Buffer.from(await (await fetch(json.download_url)).arrayBuffer())).toEqual(bytes);
  });

  test('is given for the older form of credentials too, and recorded, but kept nowhere', async () => {
    const body = { buyer_email: 'BUYER@example.com', completion_token: await tokenOf() };
    const { json } = await post('POST', `/v1/purchases/files/${fileId}/download-intent`, { body });
    const { items } = await listAudit(harness.table, { targetId: fileId, limit: 1 });
    expect(items).toMatchObject([{ actor: 'buyer', action: 'product_file.download', after: { orderId: order.id } }]);
    const stored = await harness.table.query({ partition: `PRODUCT#${harness.product.id}` });
    const kept = [JSON.stringify([items, stored]), ...logged, ...harness.logged].join('\n');
    expect(kept).not.toContain(new URL(json.download_url).searchParams.get('X-Amz-Signature'));
    expect(kept).not.toContain('X-Amz-');
  });

  test('gives the very bytes under their name, for five minutes, and lets nothing be cached or shown inline', async () => {
    const named = await harness.offerFile(bytes, { filename: 'アプリ "α" 1.0.zip' });
    const { status, json, headers } = await download(named);
    expect([status, Object.keys(json), headers['cache-control']]).toEqual([200, ['download_url', 'expires_at'], 'no-store']);
    const url = new URL(json.download_url);
    expect(url.searchParams.get('X-Amz-Expires')).toBe('300');
    const reply = await fetch(url);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-disposition': `attachment; filename="___ ___ 1.0.zip"; filename*=UTF-8''%E3%82%A2%E3%83%97%E3%83%AA%20_%CE%B1_%201.0.zip`,
      'content-type': 'application/zip',
      'cache-control': 'private, no-store',
    });
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
    harness.pass(290);
    expect((await fetch(url)).status).toBe(200);
    harness.pass(11);
    expect((await fetch(url)).status).toBe(403);
    await harness.withdraw(named);
  });
});

test('finalize refuses an object with other bytes, length, type or encoding, whatever the seller says of it', async () => {
  const other = Buffer.from(bytes).fill('X', 0, 1);
  const checksum = (content: Uint8Array) => ({ ChecksumSHA256: Buffer.from(sha256Hex(content), 'hex').toString('base64') });
  const stored = { Body: bytes, ContentType: 'application/zip' };
  for (const object of [
    { ...stored, Body: other, ...checksum(other) },
    // Without a checksum that the store knows.
    stored,
    { ...stored, Body: Buffer.concat([bytes, bytes]) },
    { ...stored, ContentType: 'text/html', ...checksum(bytes) },
    { ...stored, ContentEncoding: 'gzip', ...checksum(bytes) },
  ]) {
    const { json } = await harness.intend(harness.declare(bytes));
    const { storageKey } = await harness.file(json.product_file_id);
    await harness.client.send(new PutObjectCommand({ Bucket: testBucket, Key: storageKey, ...object }));
    expect(await harness.finalize(json.product_file_id, bytes)).toMatchObject(error(409, 'file_mismatch'));
    expect(await harness.file(json.product_file_id)).toMatchObject({ status: 'upload_pending' });
  }
});
