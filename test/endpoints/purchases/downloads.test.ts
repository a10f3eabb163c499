import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { compose as composePurchases } from '../../../functions/purchases/compose.ts';
import { routes as purchaseRoutes } from '../../../functions/purchases/routes.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { fileKey, licenseKey, orderKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
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
let order: Order;
let fileId: FileId;
/** Runs before each transaction of the purchases' table, once. */
let meanwhile: (() => Promise<unknown>) | undefined;
let post: ReturnType<typeof createCaller>;
let logged: string[];

beforeEach(async () => {
  harness = await startFileHarness();
  sales = await createProjectionHarness({ table: harness.table });
  order = await sales.addOrder({ productId: harness.product.id, sellerId: harness.product.sellerId });
  await sales.deliver(sessionEvent(order, 'completed'));
  fileId = await harness.offerFile(bytes);
  meanwhile = undefined;
  const table: Table = {
    ...harness.table,
    async transact(writes) {
      const change = meanwhile;
      meanwhile = undefined;
      await change?.();
      return harness.table.transact(writes);
    },
  };
  const { settings, queue } = sales;
  logged = [];
  const logger = createLogger({}, (line) => logged.push(line));
  post = createCaller(composePurchases({ settings, logger, table, store: harness.store, sender: queue }), purchaseRoutes);
});
afterEach(() => harness.stop());

const tokenOf = (id: OrderId = order.id, lifetime = hour, keys = sales.settings.TOKEN_KEYS) =>
  mintCompletionToken({ orderId: id, use: 'mail', expiresAt: new Date(Date.now() + lifetime) }, new Date(), keys);
const download = async (file: string = fileId, token?: string) =>
  post('POST', `/v1/purchases/files/${file}/download-intent`, { body: { token: token ?? (await tokenOf()) } });
const complete = async () => post('POST', '/v1/purchases/complete', { body: { token: await tokenOf() } });
const listed = async () => (await complete()).json.files.map((file: { file_id: FileId }) => file.file_id);

/** Changes attributes of a stored item, and nothing else; those without a value are removed. */
async function change(key: { pk: string; sk: string }, changes: Record<string, unknown>): Promise<void> {
  const item = await harness.table.get(key);
  await harness.table.write({ put: { Item: { ...item, ...changes } } });
}

async function changeFile(changes: Record<string, unknown>): Promise<void> {
  await change(fileKey(harness.product.id, fileId), changes);
}
async function changeLicense(changes: Record<string, unknown>): Promise<void> {
  const { license } = await sales.show(order.id);
  await change(licenseKey(license?.lookup ?? ''), changes);
}

/** Each makes one thing wrong with a file that could be downloaded. */
const faults: [string, Record<string, unknown>][] = [
  ['it waits for its upload', { status: 'upload_pending' }],
  ['it waits for review', { status: 'pending_review' }],
  ['it was rejected', { status: 'rejected' }],
  ['it is disabled', { status: 'disabled' }],
  ['it is private', { visibility: 'private' }],
  ['its hash is not verified', { hashStatus: 'unverified' }],
  ['its hash differs', { hashStatus: 'mismatch' }],
  ['its object could not be read', { hashStatus: 'error' }],
  ['nobody vouches for it', { scanTrustedClean: false }],
];

describe('a file that was approved', () => {
  // Which files are is a matter of the model of files; here that both ask.
  test.each(faults.slice(-1))('is neither listed nor given out while %s', async (_, fault) => {
    expect(await listed()).toEqual([fileId]);
    await changeFile(fault);
    expect(await listed()).toEqual([]);
    expect(await download()).toMatchObject(error(403, 'file_not_available'));
  });

  test('is neither listed nor given out while it is bound to no version', async () => {
    const { versionId: _, ...unbound } = await harness.file(fileId);
    await harness.table.write({ put: { Item: { ...fileKey(harness.product.id, fileId), ...unbound } } });
    expect(await listed()).toEqual([]);
    expect(await download()).toMatchObject(error(403, 'file_not_available'));
  });

  test.each([...faults, ['it is bound to another version', { versionId: 'another' }] as const])(
    'is not given out, nor recorded as given out, when at the same moment %s',
    async (_, fault) => {
      meanwhile = () => changeFile(fault);
      expect(await download()).toMatchObject(error(403, 'file_not_available'));
      const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
      expect(items.filter(({ action }) => action === 'product_file.download')).toEqual([]);
    },
  );

  test('is not given out when it is found infected at the same moment', async () => {
    const { versionId = '' } = await harness.file(fileId);
    const at = new Date().toISOString();
    meanwhile = () =>
      recordScan(
        harness.c,
        { productId: harness.product.id, fileId },
        { versionId, engine: 'clamav', trusted: true, verdict: 'infected', summary: 'x', at },
      );
    expect(await download()).toMatchObject(error(403, 'file_not_available'));
    expect(await listed()).toEqual([]);
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
    expect(await download()).toMatchObject(can ? { status: 200 } : error(403, 'file_not_available'));
  });
});

describe('the license of a purchase', () => {
  const past = '2026-01-01T00:00:00.000Z';
  const statuses: [string, Record<string, unknown>, { files: boolean; key: boolean }][] = [
    ['active', {}, { files: true, key: true }],
    ['suspended', { suspendedAt: past }, { files: false, key: true }],
    ['expired', { expiresAt: past }, { files: false, key: true }],
    ['refunded', { paymentHold: 'refunded' }, { files: false, key: false }],
    ['disputed', { paymentHold: 'disputed' }, { files: false, key: false }],
    ['revoked', { revokedAt: past }, { files: false, key: false }],
  ];
  test.each(statuses)('that is %s opens this much', async (status, facts, { files, key }) => {
    await changeLicense(facts);
    const page = await complete();
    expect(page.json.license.status).toBe(status);
    expect('license_key' in page.json.license).toBe(key);
    expect(page.json.files.length > 0).toBe(files);
    const flat = await post('POST', '/v1/purchases/complete', {
      body: { buyer_email: 'buyer@example.com', completion_token: await tokenOf() },
    });
    expect(flat.json.license_status).toBe(status);
    expect('license_key' in flat.json).toBe(key);
    expect(await download()).toMatchObject(files ? { status: 200 } : error(403, 'license_not_usable'));
  });

  test('that is not there yet opens nothing', async () => {
    const { licenseId: _, ...waiting } = (await sales.show(order.id)).order;
    await harness.table.write({ put: { Item: { ...orderKey(order.id), ...waiting } } });
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
  await changeLicense({ revokedAt: '2026-01-01T00:00:00.000Z' });
  expect(await download(unknown, await tokenOf(unpaid.id, hour, testKeyring()))).toMatchObject(error(403, 'completion_token_invalid'));
  expect(await download(unknown, await tokenOf(unpaid.id, -1000))).toMatchObject(error(403, 'completion_token_expired'));
  expect(await download(unknown, await tokenOf(newId('order')))).toMatchObject(error(404, 'order_not_found'));
  expect(await download(unknown, await tokenOf(unpaid.id))).toMatchObject(error(403, 'order_not_paid'));
  expect(await download(unknown)).toMatchObject(error(404, 'file_not_found'));
  expect(await download()).toMatchObject(error(403, 'license_not_usable'));
  await changeLicense({ revokedAt: undefined });
  expect(await download()).toMatchObject(error(403, 'file_not_available'));
  await changeFile({ status: 'approved' });
  expect((await download()).status).toBe(200);
});

test('the files of another product are neither listed nor found', async () => {
  const foreign = await startFileHarness({ table: harness.table });
  const theirs = await foreign.offerFile(bytes);
  expect(await listed()).toEqual([fileId]);
  expect(await download(theirs)).toMatchObject(error(404, 'file_not_found'));
  await foreign.stop();
});

describe('a download URL', () => {
  test('gives the very bytes under their name, for five minutes, and lets nothing be cached or shown inline', async () => {
    const named = await harness.offerFile(bytes, { filename: 'アプリ "α" 1.0.zip' });
    const { status, json, headers } = await download(named);
    expect([status, Object.keys(json), headers['cache-control']]).toEqual([200, ['download_url', 'expires_at'], 'no-store']);
    expect(Math.abs(Date.parse(json.expires_at) - Date.now() - 300_000)).toBeLessThan(5000);
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
  });

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
    for (const text of [JSON.stringify([items, stored]), ...logged, ...harness.logged]) {
      expect(text).not.toContain(new URL(json.download_url).searchParams.get('X-Amz-Signature'));
      expect(text).not.toContain('X-Amz-');
    }
  });
});

test('the completion page says of each file what it is', async () => {
  expect((await complete()).json.files).toEqual([
    { file_id: fileId, file_name: 'setup.zip', content_type: 'application/zip', size_bytes: bytes.length, sha256_hex: sha256Hex(bytes) },
  ]);
});

describe('finalize', () => {
  const other = Buffer.from(bytes).fill('X', 0, 1);
  const checksum = (content: Uint8Array) => Buffer.from(sha256Hex(content), 'hex').toString('base64');
  const objects: [string, { Body: Buffer; ContentType: string; ChecksumSHA256?: string; ContentEncoding?: string }][] = [
    ['other bytes of the same length', { Body: other, ContentType: 'application/zip', ChecksumSHA256: checksum(other) }],
    ['no stored checksum', { Body: bytes, ContentType: 'application/zip' }],
    ['another length', { Body: Buffer.concat([bytes, bytes]), ContentType: 'application/zip' }],
    ['another type', { Body: bytes, ContentType: 'text/html', ChecksumSHA256: checksum(bytes) }],
    ['an encoding', { Body: bytes, ContentType: 'application/zip', ChecksumSHA256: checksum(bytes), ContentEncoding: 'gzip' }],
  ];
  test.each(objects)('refuses an object with %s, whatever the seller says of it', async (_, object) => {
    const { json } = await harness.intend(harness.declare(bytes));
    const { storageKey } = await harness.file(json.product_file_id);
    await harness.client.send(new PutObjectCommand({ Bucket: testBucket, Key: storageKey, ...object }));
    expect(await harness.finalize(json.product_file_id, bytes)).toMatchObject(error(409, 'file_mismatch'));
    const { status, versionId } = await harness.file(json.product_file_id);
    expect([status, versionId]).toEqual(['upload_pending', undefined]);
  });
});
