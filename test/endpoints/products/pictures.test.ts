import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { compose as composePictures } from '../../../functions/pictures/compose.ts';
import { settingNames as pictureSettings } from '../../../functions/pictures/declaration.ts';
import { routes as pictureRoutes } from '../../../functions/pictures/routes.ts';
import { compose as composeStorefront } from '../../../functions/storefront/compose.ts';
import { settingNames as storefrontSettings } from '../../../functions/storefront/declaration.ts';
import { routes as storefrontRoutes } from '../../../functions/storefront/routes.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { createFileDownload, listDownloadable } from '../../../shared/product-files/file-downloads.ts';
import { findProductAndSeller } from '../../../shared/products/product-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { decoded, jpeg, png } from '../../support/samples/pictures.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { type FileHarness, sha256Hex, startFileHarness } from '../../support/scenes/file-harness.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';

const asPng = { filename: 'screen.png', content_type: 'image/png', purpose: 'image' };
const asJpeg = { ...asPng, content_type: 'image/jpeg' };

let harness: FileHarness;
let takeRequestCounts: Awaited<ReturnType<typeof createTestTable>>['takeRequestCounts'];
let fetchPicture: ReturnType<typeof createCaller>;
let storefront: ReturnType<typeof createCaller>;

beforeAll(async () => {
  const made = await createTestTable();
  ({ takeRequestCounts } = made);
  harness = await startFileHarness({ table: made.table, product: { slug: 'pictured' } });
  const common = { logger: silentLogger, table: made.table, store: harness.store };
  fetchPicture = createCaller(composePictures({ ...common, settings: sampleSettings(pictureSettings) }), pictureRoutes);
  const settings = sampleSettings(storefrontSettings, { PUBLIC_BASE_URL: 'http://127.0.0.1:3000' });
  const provider = createStripeClient({ secretKey: 'sk_test_unused', apiBase: 'http://127.0.0.1:9' });
  storefront = createCaller(composeStorefront({ ...common, settings, provider }), storefrontRoutes);
});
afterAll(() => harness.stop());

const images = async (): Promise<{ url: string; width: number; height: number }[]> =>
  (await storefront('GET', '/v1/public/products/pictured')).json.images ?? [];
const pathOf = ({ url = '' } = {}) => new URL(url).pathname;
const statusOf = async (path: string) => (await fetchPicture('GET', path)).status;
const gone = { status: 404, json: { code: 'file_not_found' } };

describe('pictures of a product', () => {
  test('are listed and served once they are approved, and gone when they are not', async () => {
    const fileId = await harness.handIn(png(20, 10), asPng);
    await harness.drain();
    const { picture } = await harness.file(fileId);
    const path = `/images/${harness.product.id}/${fileId}/${picture?.sha256Hex}.png`;
    expect(await images()).toEqual([]);
    expect(await fetchPicture('GET', path)).toMatchObject(gone);

    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject({ status: 409, json: { code: 'file_not_trusted_clean' } });
    await harness.review(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Seen.' });
    await harness.review(fileId, { decision: 'approve' });
    expect(await images()).toEqual([{ url: `http://127.0.0.1:3000${path}`, width: 20, height: 10 }]);
    const reply = await fetchPicture('GET', path);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'strict-transport-security': expect.any(String),
    });
    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(sha256Hex(reply.bytes)).toBe(picture?.sha256Hex);
    expect(decoded(reply.bytes)).toMatchObject({ width: 20, height: 10 });

    for (const [leave, enter] of [
      [{ decision: 'disable' }, { decision: 'approve' }],
      [
        { decision: 'approve', visibility: 'private' },
        { decision: 'approve', visibility: 'buyer_visible' },
      ],
    ]) {
      await harness.review(fileId, leave ?? {});
      expect(await images()).toEqual([]);
      expect(await fetchPicture('GET', path)).toMatchObject(gone);
      await harness.review(fileId, enter ?? {});
      expect(await statusOf(path)).toBe(200);
    }
    await harness.withdraw(fileId);
    expect(await images()).toEqual([]);
    expect(await fetchPicture('GET', path)).toMatchObject(gone);
  });

  test('are gone when they are rejected, or found infected', async () => {
    for (const end of ['reject', 'infected'] as const) {
      const fileId = await harness.offerFile(jpeg(20, 10), asJpeg);
      const [shown] = await images();
      expect((await fetchPicture('GET', pathOf(shown))).headers['content-type']).toBe('image/jpeg');
      if (end === 'reject') await harness.review(fileId, { decision: 'reject', rejected_reason: 'Not of the product.' });
      else {
        const { versionId = '' } = await harness.file(fileId);
        const at = new Date().toISOString();
        const result = { versionId, engine: 'clamav', trusted: true, verdict: 'infected', at } as const;
        await recordScan(harness.c, { productId: harness.product.id, fileId }, result);
      }
      expect(await images()).toEqual([]);
      expect(await fetchPicture('GET', pathOf(shown))).toMatchObject(gone);
    }
  });

  test('are gone with their product and with their seller', async () => {
    const fileId = await harness.offerFile(png(20, 10), asPng);
    const [shown] = await images();
    const path = pathOf(shown);
    for (const status of ['suspended', 'draft'] as const) {
      await harness.change({ product: { status } });
      expect(await statusOf(path)).toBe(404);
      await harness.change({ product: { status: 'approved' } });
      expect(await statusOf(path)).toBe(200);
    }
    await harness.change({ seller: { internalReviewStatus: 'suspended' } });
    expect(await statusOf(path)).toBe(404);
    await harness.change({ seller: { internalReviewStatus: 'approved' } });
    expect(await statusOf(path)).toBe(200);
    await harness.withdraw(fileId);
  });

  test('are found at their own address alone', async () => {
    const fileId = await harness.offerFile(png(20, 10), asPng);
    const path = pathOf((await images())[0]);
    const other = await harness.addProduct();
    const wrong = [
      path.replace('.png', '.jpg'),
      path.replace('.png', ''),
      path.replace(/[0-9a-f]{64}/, 'a'.repeat(64)),
      path.replace(/[0-9a-f]{64}/, (name) => name.toUpperCase()),
      path.replace(harness.product.id, other.id),
      path.replace(fileId, 'fil_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
      path.replace(fileId, '..%2F..'),
      path.replace(harness.product.id, '%00'),
    ];
    for (const address of wrong) expect({ address, status: await statusOf(address) }).toEqual({ address, status: 404 });
    await harness.withdraw(fileId);
  });

  test('are never downloads: no buyer is given their upload', async () => {
    const fileId = await harness.offerFile(png(20, 10), asPng);
    const download = await harness.offerFile(Buffer.from('an installer'));
    const { id: productId, sellerId } = harness.product;
    const found = await findProductAndSeller(harness.table, { productId, sellerId });
    const offered = await listDownloadable(harness.c, found);
    expect(offered.map((file) => file.fileId)).toEqual([download]);
    const entitlement = { orderId: 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV', licenseId: 'lic_01ARZ3NDEKTSV4RRFFQ69G5FAV' } as never;
    await expect(createFileDownload(harness.c, await harness.file(fileId), entitlement)).rejects.toMatchObject({
      code: 'file_not_available',
    });
    const download404 = `/images/${harness.product.id}/${download}/${sha256Hex(Buffer.from('an installer'))}.png`;
    expect(await statusOf(download404)).toBe(404);
    expect(await images()).toHaveLength(1);
    for (const id of [fileId, download]) await harness.withdraw(id);
  });

  test('are shown oldest first, the first eight, in one request more to the table', async () => {
    const ids = [];
    for (let width = 1; width <= 9; width += 1) ids.push(await harness.offerFile(png(width, 5), asPng));
    expect((await images()).map(({ width }) => width)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    takeRequestCounts();
    await images();
    expect(takeRequestCounts()).toEqual({ BatchGetItem: 2 });
    await harness.withdraw(ids[0] ?? '');
    expect((await images()).map(({ width }) => width)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    takeRequestCounts();
    await fetchPicture('GET', pathOf((await images())[0]));
    expect(takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 3 });
    for (const id of ids.slice(1)) await harness.withdraw(id);
  });

  test('answer HEAD as GET without body', async () => {
    const fileId = await harness.offerFile(png(20, 10), asPng);
    const reply = await fetchPicture('HEAD', pathOf((await images())[0]));
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([200, '', 'image/png']);
    await harness.withdraw(fileId);
  });
});
