import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { addProduct } from '../../shared/products/product-repository.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { type FileHarness, sha256Hex, startFileHarness } from '../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const error = (status: number, code: string) => ({ status, json: { code } });

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness();
});
afterAll(() => harness.stop());

const filesOf = (productId: string, path = '') => `/v1/products/${productId}/files${path}`;

describe('upload-intent', () => {
  test('records a private file, which is first in the list, and signs one PUT for its bytes', async () => {
    await harness.upload(bytes);
    const before = harness.now().getTime();
    const declared = harness.declare(bytes, { filename: '..\\dir/アプリ:1.zip', sha256_hex: sha256Hex(bytes).toUpperCase() });
    const reply = await harness.intend(declared);
    expect(reply).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    expect(reply.json).toMatchObject({ method: 'PUT', max_size_bytes: 5 * 1024 ** 3, storage_provider: 'objstore' });
    expect(reply.json.required_headers).toEqual({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'x-amz-checksum-sha256': Buffer.from(sha256Hex(bytes), 'hex').toString('base64'),
      'if-none-match': '*',
    });
    const url = new URL(reply.json.upload_url);
    const signed = ['content-length', 'content-type', 'host', 'if-none-match', 'x-amz-checksum-sha256'];
    expect(url.searchParams.get('X-Amz-SignedHeaders')?.split(';')).toEqual(signed);
    expect(url.searchParams.get('X-Amz-Expires')).toBe('900');
    const made = Date.parse(reply.json.expires_at) - 900_000;
    expect([before - 1000 < made, made <= harness.now().getTime()]).toEqual([true, true]);

    const { items } = (await harness.call('GET', filesOf(harness.product.id, '?limit=1'))).json;
    expect(items).toEqual([
      {
        id: reply.json.product_file_id,
        product_id: harness.product.id,
        seller_id: harness.seller.id,
        purpose: 'download',
        file_name: 'アプリ_1.zip',
        content_type: 'application/zip',
        size_bytes: bytes.length,
        sha256_hex: sha256Hex(bytes),
        status: 'upload_pending',
        hash_status: 'unverified',
        scan_status: 'not_scanned',
        scan_trust_source: 'none',
        scan_trusted_clean: false,
        visibility: 'private',
        storage_provider: 'objstore',
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    const stored = JSON.stringify(await harness.table.query({ partition: `PRODUCT#${harness.product.id}` }));
    expect(stored).toContain(reply.json.product_file_id);
    for (const text of [stored, ...harness.logged]) expect(text).not.toContain('X-Amz-');
  });

  test.each([
    [{ filename: '  ' }, 'filename'],
    [{ filename: 'x'.repeat(501) }, 'filename'],
    [{ content_type: 'zip' }, 'content_type'],
    [{ content_type: 'text/plain\r\nX-Evil: 1' }, 'content_type'],
    [{ content_type: 'テキスト/plain' }, 'content_type'],
    [{ size_bytes: 0 }, 'size_bytes'],
    [{ size_bytes: 1e300 }, 'size_bytes'],
    [{ sha256_hex: 'abc' }, 'sha256_hex'],
    [{ sha256_hex: `${'a'.repeat(64)}\n` }, 'sha256_hex'],
  ])('refuses %j', async (change, field) => {
    const { status, json } = await harness.intend({ ...harness.declare(bytes), ...change });
    expect([status, json.message]).toEqual([400, expect.stringContaining(`${field} `)]);
  });

  test('refuses what is larger than one PUT can carry', async () => {
    const most = harness.declare(bytes, { size_bytes: 5 * 1024 ** 3 });
    expect(await harness.intend({ ...most, size_bytes: most.size_bytes + 1 })).toMatchObject(error(400, 'file_too_large'));
    expect((await harness.intend(most)).status).toBe(201);
  });
});

describe('finalize', () => {
  test.each(['text/plain; charset=utf-8', 'multipart/mixed; boundary="a \\"b\\"  c"; x=1', "text/x; title*=UTF-8''a%20b", 'text/plain;'])(
    'takes a file of the media type %s all the way',
    async (content_type) => {
      const content = randomBytes(1024);
      const fileId = await harness.handIn(content, { content_type });
      await harness.drain();
      expect(await harness.file(fileId)).toMatchObject({
        contentType: content_type,
        hashStatus: 'verified',
        verifiedSizeBytes: 1024,
        verifiedSha256Hex: sha256Hex(content),
        verifiedContentType: content_type,
        scanStatus: 'clean',
        scanEngine: 'eicar-only',
        scanTrustedClean: false,
      });
    },
  );

  test('submits the file for review and queues one hash job, however often it is called', async () => {
    const fileId = await harness.upload(bytes);
    const replies = await Promise.all(Array.from({ length: 6 }, () => harness.finalize(fileId, bytes)));
    const submitted = {
      id: fileId,
      status: 'pending_review',
      visibility: 'private',
      hash_status: 'unverified',
      uploaded_at: expect.any(String),
    };
    for (const { json } of replies) expect(json).toMatchObject(submitted);
    expect(harness.queue.sent.splice(0)).toEqual([`hash-file:${harness.product.id}/${fileId}`]);
    expect((await harness.finalize(fileId, bytes)).json).toEqual(replies[0]?.json);
    expect(Object.keys(replies[0]?.json).filter((name) => name.startsWith('storage_'))).toEqual(['storage_provider']);
    const { items } = await listAudit(harness.table, { targetId: fileId, limit: 10 });
    expect(items.map(({ action }) => action)).toEqual(['product_file.finalize']);
  });

  test('compares with the declaration first, hex in any letter case', async () => {
    const fileId = await harness.upload(bytes);
    const finalize = (change: object) => {
      const body = { size_bytes: bytes.length, sha256_hex: sha256Hex(bytes), ...change };
      return harness.call('POST', filesOf(harness.product.id, `/${fileId}/finalize`), { body });
    };
    for (const change of [{ size_bytes: 1 }, { sha256_hex: sha256Hex(Buffer.from('x')) }, { content_type: 'text/html' }])
      expect(await finalize(change)).toMatchObject(error(409, 'file_mismatch'));
    expect(await finalize({ size_bytes: 0 })).toMatchObject(error(400, 'invalid_request'));
    expect((await harness.file(fileId)).status).toBe('upload_pending');
    expect((await finalize({ sha256_hex: sha256Hex(bytes).toUpperCase(), content_type: 'application/zip' })).status).toBe(200);
  });

  test('without an upload leaves the file as it is, and is refused once the file is closed', async () => {
    const { product_file_id: fileId } = (await harness.intend(harness.declare(bytes))).json;
    expect(await harness.finalize(fileId, bytes)).toMatchObject(error(409, 'upload_not_found'));
    expect((await harness.file(fileId)).status).toBe('upload_pending');
    await harness.withdraw(fileId);
    expect(await harness.finalize(fileId, bytes)).toMatchObject(error(409, 'file_state_conflict'));
  });
});

test('who may not write changes no file, ownership before the seller before the product', async () => {
  const fileId = await harness.handIn(bytes);
  const body = harness.declare(bytes);
  const { size_bytes, sha256_hex } = body;
  const suspended = sampleProduct({ sellerId: harness.seller.id, status: 'suspended' });
  await harness.table.transact(addProduct(suspended));
  const intend = (headers: Record<string, string> = {}) => harness.call('POST', filesOf(suspended.id, '/upload-intent'), { headers, body });
  const attempts = (headers: Record<string, string> = {}) => [
    intend(headers),
    harness.call('POST', filesOf(harness.product.id, `/${fileId}/finalize`), { headers, body: { size_bytes, sha256_hex } }),
    harness.call('POST', filesOf(harness.product.id, `/${fileId}/withdraw`), { headers }),
  ];
  expect(await intend()).toMatchObject(error(403, 'product_suspended'));
  for (const internalReviewStatus of ['suspended', 'rejected'] as const) {
    await harness.change({ seller: { internalReviewStatus } });
    for (const attempt of attempts()) expect(await attempt).toMatchObject(error(403, 'seller_not_eligible'));
    for (const attempt of attempts({ 'X-User-ID': 'stranger' })) expect(await attempt).toMatchObject(error(403, 'forbidden'));
  }
  expect((await harness.file(fileId)).status).toBe('pending_review');
});
