import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { createFileDownload, listDownloadable } from '../../../shared/product-files/file-downloads.ts';
import { findProductAndSeller } from '../../../shared/products/product-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { decoded, jpeg, png } from '../../support/samples/pictures.ts';
import { type FileHarness, servedAsUploaded, sha256Hex, startFileHarness } from '../../support/scenes/file-harness.ts';

const asPng = { filename: 'screen.png', content_type: 'image/png', purpose: 'image' };
const asJpeg = { ...asPng, content_type: 'image/jpeg' };

let store: TestTable;
let harness: FileHarness;
beforeAll(async () => {
  store = await createTestTable();
  harness = await startFileHarness({ table: store.table, encodePicture: servedAsUploaded, product: { slug: 'pictured' } });
});
afterAll(() => harness.stop());

const get = (path: string, method = 'GET') => harness.service(method, path);
const images = async (): Promise<{ url: string; width: number; height: number }[]> =>
  (await get('/v1/public/products/pictured')).json.images ?? [];
const firstPath = async () => new URL((await images())[0]?.url ?? '').pathname;
const statusOf = async (path: string) => (await get(path)).status;
const gone = { status: 404, json: { code: 'file_not_found' } };

describe('pictures of a product', () => {
  test('are listed and served once they are approved, and gone when they are not', async () => {
    const fileId = await harness.handIn(png(20, 10), asPng);
    await harness.drain();
    const { picture } = await harness.file(fileId);
    const path = `/images/${harness.product.id}/${fileId}/${picture?.sha256Hex}.png`;
    expect(await images()).toEqual([]);
    expect(await get(path)).toMatchObject(gone);
    await harness.review(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Seen.' });
    await harness.review(fileId, { decision: 'approve' });
    expect(await images()).toEqual([{ url: `http://127.0.0.1:3000${path}`, width: 20, height: 10 }]);
    const reply = await get(path);
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=3600',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      },
    });
    expect(sha256Hex(reply.bytes)).toBe(picture?.sha256Hex);
    expect(decoded(reply.bytes)).toMatchObject({ width: 20, height: 10 });
    for (const [leave, enter] of [
      [() => harness.review(fileId, { decision: 'disable' }), () => harness.review(fileId, { decision: 'approve' })],
      [
        () => harness.review(fileId, { decision: 'approve', visibility: 'private' }),
        () => harness.review(fileId, { decision: 'approve', visibility: 'buyer_visible' }),
      ],
      [() => harness.change({ product: { status: 'suspended' } }), () => harness.change({ product: { status: 'approved' } })],
      [() => harness.change({ product: { status: 'draft' } }), () => harness.change({ product: { status: 'approved' } })],
      [
        () => harness.change({ seller: { internalReviewStatus: 'suspended' } }),
        () => harness.change({ seller: { internalReviewStatus: 'approved' } }),
      ],
      [() => harness.withdraw(fileId), undefined],
    ] as const) {
      await leave();
      expect(await images()).toEqual([]);
      expect(await get(path)).toMatchObject(gone);
      await enter?.();
      if (enter) expect(await statusOf(path)).toBe(200);
    }
  });

  test.each(['reject', 'infected'] as const)('are gone when they are rejected, or found infected: %s', async (end) => {
    const fileId = await harness.offerFile(jpeg(20, 10), asJpeg);
    const path = await firstPath();
    expect((await get(path)).headers['content-type']).toBe('image/jpeg');
    if (end === 'reject') await harness.review(fileId, { decision: 'reject', rejected_reason: 'Not of the product.' });
    else {
      const { versionId = '' } = await harness.file(fileId);
      const result = { versionId, engine: 'clamav', trusted: true, verdict: 'infected', at: harness.now().toISOString() } as const;
      await recordScan(harness.c, { productId: harness.product.id, fileId }, result);
    }
    expect(await images()).toEqual([]);
    expect(await get(path)).toMatchObject(gone);
  });

  test('are found at their own address alone', async () => {
    const fileId = await harness.offerFile(png(20, 10), asPng);
    const path = await firstPath();
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
    const [fileId, download] = [await harness.offerFile(png(20, 10), asPng), await harness.offerFile(Buffer.from('an installer'))];
    const { id: productId, sellerId } = harness.product;
    const offered = await listDownloadable(harness.c, await findProductAndSeller(harness.table, { productId, sellerId }));
    expect(offered.map((file) => file.fileId)).toEqual([download]);
    const entitlement = { orderId: 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV', licenseId: 'lic_01ARZ3NDEKTSV4RRFFQ69G5FAV' } as never;
    const given = createFileDownload(harness.c, await harness.file(fileId), entitlement);
    await expect(given).rejects.toMatchObject({ code: 'file_not_available' });
    expect(await statusOf(`/images/${productId}/${download}/${sha256Hex(Buffer.from('an installer'))}.png`)).toBe(404);
    expect(await images()).toHaveLength(1);
    for (const id of [fileId, download]) await harness.withdraw(id);
  });

  test('are shown oldest first, the first eight, in one request more to the table', async () => {
    const ids = [];
    for (let width = 1; width <= 9; width += 1) ids.push(await harness.offerFile(png(width, 5), asPng));
    const widths = async () => (await images()).map(({ width }) => width);
    expect(await widths()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    store.takeRequestCounts();
    await images();
    expect(store.takeRequestCounts()).toEqual({ BatchGetItem: 2 });
    await harness.withdraw(ids[0] ?? '');
    expect(await widths()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    const path = await firstPath();
    store.takeRequestCounts();
    await get(path);
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 1 });
    const head = await get(path, 'HEAD');
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'image/png']);
  });
});
