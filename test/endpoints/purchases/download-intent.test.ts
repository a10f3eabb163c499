import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ProductId } from '../../../shared/ids.ts';
import { mintCompletionToken } from '../../../shared/orders/completion-token.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createObjectStore } from '../../../shared/product-files/object-store.ts';
import { startTestObjectStore, type TestObjectStore, testBucket } from '../../support/engines/test-object-store.ts';
import { refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const error = (status: number, code: string) => ({ status, json: { code } });

describe('download-intent', () => {
  let objectStore: TestObjectStore;
  let salesHarness: SalesHarness;
  let fileHarness: FileHarness;
  let order: Order;
  let fileId: Awaited<ReturnType<FileHarness['offerFile']>>;

  beforeAll(async () => {
    objectStore = await startTestObjectStore();
    salesHarness = await startSalesHarness({ fileStore: createObjectStore({ bucketName: testBucket, client: objectStore.client }) });
  });
  afterAll(async () => {
    await salesHarness.fakeProvider.stop();
    await objectStore.stop();
  });
  beforeEach(async () => {
    fileHarness = await startFileHarness({ table: salesHarness.table, objectStore });
    order = await buy(fileHarness.product.id);
    fileId = await fileHarness.offerFile(bytes, { filename: 'アプリ "α" 1.0.zip' });
  });

  async function buy(productId: ProductId): Promise<Order> {
    const made = await salesHarness.addOrder({ productId });
    await salesHarness.deliver(sessionEvent(made, 'completed'));
    return made;
  }
  const tokenOf = ({ id }: Order) =>
    mintCompletionToken({ orderId: id, use: 'mail', expiresAt: new Date(Date.now() + 3_600_000) }, new Date(), salesHarness.tokenKeys);
  const intend = async (file: string = fileId, by = order) =>
    salesHarness.purchaseCall('POST', `/v1/purchases/files/${file}/download-intent`, { body: { token: await tokenOf(by) } });
  const listed = async () =>
    (await salesHarness.purchaseCall('POST', '/v1/purchases/complete', { body: { token: await tokenOf(order) } })).json.files;

  test('gives a URL to the very bytes, as an attachment under their name, for five minutes', async () => {
    const reply = await intend();
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json)).toEqual(['download_url', 'expires_at']);
    expect(reply.headers['cache-control']).toBe('no-store');
    const lives = Date.parse(reply.json.expires_at) - Date.now();
    expect(lives).toBeGreaterThan(290_000);
    expect(lives).toBeLessThanOrEqual(300_000);

    const download = await fetch(reply.json.download_url);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes);
    expect(download.headers.get('content-disposition')).toBe(
      `attachment; filename="___ ___ 1.0.zip"; filename*=UTF-8''%E3%82%A2%E3%83%97%E3%83%AA%20_%CE%B1_%201.0.zip`,
    );
    expect(download.headers.get('content-type')).toBe('application/zip');

    objectStore.pass(301);
    expect((await fetch(reply.json.download_url)).status).toBe(403);
    objectStore.pass(-301);
  });

  test('takes the older form of credentials, and leaves an audit record', async () => {
    const body = { buyer_email: 'BUYER@example.com', completion_token: await tokenOf(order) };
    const reply = await salesHarness.purchaseCall('POST', `/v1/purchases/files/${fileId}/download-intent`, { body });
    expect(reply.status).toBe(200);
    const { items } = await fileHarness.audit.listAudit({ targetId: fileId, limit: 1 });
    expect(items).toMatchObject([{ actor: 'buyer', action: 'product_file.download', after: { orderId: order.id } }]);
    expect(JSON.stringify(items)).not.toContain('X-Amz');
  });

  test('names the version that was vouched for, whatever is put over it', async () => {
    const { storageKey, versionId } = await fileHarness.file(fileId);
    const { PutObjectCommand } = await import('@aws-sdk/client-s3');
    await fileHarness.client.send(new PutObjectCommand({ Bucket: testBucket, Key: storageKey, Body: 'something else' }));
    const { json } = await intend();
    expect(new URL(json.download_url).searchParams.get('versionId')).toBe(versionId);
    expect(Buffer.from(await (await fetch(json.download_url)).arrayBuffer())).toEqual(bytes);
  });

  test('the completion page lists what can be downloaded', async () => {
    await fileHarness.handIn(bytes);
    expect(await listed()).toEqual([
      {
        file_id: fileId,
        file_name: 'アプリ _α_ 1.0.zip',
        content_type: 'application/zip',
        size_bytes: bytes.length,
        sha256_hex: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    await fileHarness.change({ product: { status: 'suspended' } });
    expect(await listed()).toEqual([]);
  });

  test('a file of another product is not found', async () => {
    const other = await startFileHarness({ table: salesHarness.table, objectStore });
    const foreign = await other.offerFile(bytes);
    expect(await intend(foreign)).toMatchObject(error(404, 'file_not_found'));
    expect(await intend(fileId, await buy(other.product.id))).toMatchObject(error(404, 'file_not_found'));
    expect(await intend('nonsense')).toMatchObject(error(404, 'file_not_found'));
    expect(await intend('..%2F..%2Fx')).toMatchObject(error(404, 'file_not_found'));
  });

  test('a license that is not active opens nothing, at once', async () => {
    await salesHarness.deliver(refundEvent(order, order.amount));
    expect(await intend()).toMatchObject(error(403, 'license_not_usable'));
    expect(await intend('fil_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject(error(404, 'file_not_found'));
    const unpaid = await salesHarness.addOrder({ productId: fileHarness.product.id });
    expect(await intend(fileId, unpaid)).toMatchObject(error(403, 'order_not_paid'));
  });

  describe('gives no URL', () => {
    const takenAway: [string, () => Promise<unknown>][] = [
      ['for a disabled file', () => fileHarness.review(fileId, { decision: 'disable' })],
      ['for a rejected file', () => fileHarness.review(fileId, { decision: 'reject', rejected_reason: 'no' })],
      ['for a private file', () => fileHarness.review(fileId, { decision: 'approve', visibility: 'private' })],
      ['for a withdrawn file', () => fileHarness.withdraw(fileId)],
      ['while the product is suspended', () => fileHarness.change({ product: { status: 'suspended' } })],
      ['while the seller is suspended', () => fileHarness.change({ seller: { internalReviewStatus: 'suspended' } })],
    ];
    test.each(takenAway)('%s', async (_, takeAway) => {
      expect((await intend()).status).toBe(200);
      await takeAway();
      expect(await intend()).toMatchObject(error(403, 'file_not_available'));
    });

    test('for a file that waits for review', async () => {
      expect(await intend(await fileHarness.handIn(bytes))).toMatchObject(error(403, 'file_not_available'));
    });
  });

  test('of a file that is disabled meanwhile, no URL is given after that', async () => {
    const replies = await Promise.all([
      ...Array.from({ length: 10 }, () => intend()),
      fileHarness.review(fileId, { decision: 'disable' }),
      ...Array.from({ length: 10 }, () => intend()),
    ]);
    const disabled = replies.splice(10, 1)[0];
    expect(disabled?.status).toBe(200);
    const { items } = await fileHarness.audit.listAudit({ targetId: fileId, limit: 100 });
    const given = replies.filter(({ status }) => status === 200).length;
    expect(items.filter(({ action }) => action === 'product_file.download')).toHaveLength(given);
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toMatchObject(error(403, 'file_not_available'));
    expect(await intend()).toMatchObject(error(403, 'file_not_available'));
  });

  test('is limited by the caller’s address', async () => {
    const limited = await startSalesHarness({ downloadsAMinute: 2 });
    const call = () => limited.purchaseCall('POST', `/v1/purchases/files/${fileId}/download-intent`, { body: {} });
    expect([(await call()).status, (await call()).status]).toEqual([400, 400]);
    const third = await call();
    expect(third).toMatchObject(error(429, 'rate_limited'));
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    await limited.fakeProvider.stop();
  });

  test('no log line and no record holds a signed URL', async () => {
    const { json } = await intend();
    const signature = new URL(json.download_url).searchParams.get('X-Amz-Signature') ?? '?';
    const stored = JSON.stringify([
      await salesHarness.table.query({ partition: `PRODUCT#${fileHarness.product.id}` }),
      await salesHarness.table.query({ partition: `AUDIT#${fileId}` }),
    ]);
    for (const text of [stored, ...fileHarness.logged, ...salesHarness.logged]) {
      expect(text).not.toContain(signature);
      expect(text).not.toContain('X-Amz-');
    }
  });
});
