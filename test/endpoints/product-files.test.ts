import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { type FileHarness, sha256Hex, startFileHarness } from '../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');

describe('product files', () => {
  let harness: FileHarness;
  beforeEach(async () => {
    harness = await startFileHarness();
  });
  afterEach(() => harness.stop());

  const error = (status: number, code: string) => ({ status, json: { code } });

  describe('upload-intent', () => {
    test('records a private file and signs one PUT for its bytes', async () => {
      const reply = await harness.intend(
        harness.declare(bytes, { filename: '..\\dir/アプリ:1.zip', sha256_hex: sha256Hex(bytes).toUpperCase() }),
      );
      expect(reply).toMatchObject({
        status: 201,
        json: { method: 'PUT', max_size_bytes: 5 * 1024 ** 3, storage_provider: 'objstore' },
      });
      expect(reply.headers['cache-control']).toBe('no-store');
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
      const ends = Date.parse(reply.json.expires_at) - Date.now();
      expect(ends).toBeGreaterThan(14 * 60_000);
      expect(ends).toBeLessThanOrEqual(15 * 60_000);

      const list = await harness.call('GET', `/v1/products/${harness.product.id}/files`);
      expect(list.json.items).toEqual([
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
    });

    test.each([
      [{ filename: '  ' }, 'filename'],
      [{ filename: 'x'.repeat(501) }, 'filename'],
      [{ content_type: 'zip' }, 'content_type'],
      [{ content_type: 'text/plain\r\nX-Evil: 1' }, 'content_type'],
      [{ content_type: 'テキスト/plain' }, 'content_type'],
      [{ size_bytes: 0 }, 'size_bytes'],
      [{ size_bytes: 1.5 }, 'size_bytes'],
      [{ size_bytes: '12' }, 'size_bytes'],
      [{ size_bytes: 1e300 }, 'size_bytes'],
      [{ sha256_hex: 'abc' }, 'sha256_hex'],
      [{ sha256_hex: `${'a'.repeat(64)}\n` }, 'sha256_hex'],
      [{ sha256_hex: null }, 'sha256_hex'],
    ])('refuses %j', async (change, field) => {
      const reply = await harness.intend({ ...harness.declare(bytes), ...change });
      expect(reply).toMatchObject(error(400, 'invalid_request'));
      expect(reply.json.message).toContain(`${field} `);
    });

    test.each([
      'text/plain; charset=utf-8',
      'TEXT/Plain ;charset=UTF-8',
      'multipart/mixed; boundary="a \\"b\\"  c"; x=1',
      "text/x; title*=UTF-8''a%20b",
      "application/vnd.a!b#c$d&e-f^g_h.i+j|k~l'm",
      'text/plain;',
    ])('takes the media type %s', async (content_type) => {
      const fileId = await harness.handIn(bytes, { content_type });
      await harness.drain();
      expect(await harness.file(fileId)).toMatchObject({ contentType: content_type, hashStatus: 'verified' });
    });

    test('refuses what is larger than one PUT can carry', async () => {
      const large = harness.declare(bytes, { size_bytes: 5 * 1024 ** 3 + 1 });
      expect(await harness.intend(large)).toMatchObject(error(400, 'file_too_large'));
      expect(await harness.intend({ ...large, size_bytes: 5 * 1024 ** 3 })).toMatchObject({ status: 201 });
    });

    test('a product has at most 20 live files, also when many come at once; expired and closed ones do not count', async () => {
      const intents = await Promise.all(Array.from({ length: 25 }, () => harness.intend(harness.declare(bytes))));
      expect(intents.filter(({ status }) => status === 201)).toHaveLength(20);
      expect(intents.filter(({ status }) => status !== 201).map(({ json }) => json.code)).toEqual(Array(5).fill('too_many_files'));
      await harness.withdraw(intents.find(({ status }) => status === 201)?.json.product_file_id);
      expect((await harness.intend(harness.declare(bytes))).status).toBe(201);
      expect((await harness.intend(harness.declare(bytes))).status).toBe(400);
      harness.pass(16 * 60);
      expect((await harness.intend(harness.declare(bytes))).status).toBe(201);
    });

    test('checks existence, ownership, seller state and product state in this order', async () => {
      const intend = (productId: string, headers: Record<string, string> = harness.asOwner) =>
        harness.call('POST', `/v1/products/${productId}/files/upload-intent`, { headers, body: harness.declare(bytes) });
      expect(await intend('prd_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject(error(404, 'product_not_found'));
      expect(await intend('..%2F..%2Fetc')).toMatchObject(error(404, 'product_not_found'));
      await harness.change({ product: { status: 'suspended' } });
      expect(await intend(harness.product.id)).toMatchObject(error(403, 'product_suspended'));
      await harness.change({ seller: { internalReviewStatus: 'suspended' } });
      expect(await intend(harness.product.id)).toMatchObject(error(403, 'seller_not_eligible'));
      expect(await intend(harness.product.id, { 'X-User-ID': 'stranger' })).toMatchObject(error(403, 'forbidden'));
      expect(await intend(harness.product.id, { 'X-User-ID': '' })).toMatchObject(error(401, 'unauthenticated'));
    });
  });

  describe('finalize', () => {
    test('submits the file for review and queues one hash job, however often it is called', async () => {
      const fileId = await harness.upload(bytes);
      const replies = await Promise.all(Array.from({ length: 6 }, () => harness.finalize(fileId, bytes)));
      for (const reply of replies) {
        expect(reply).toMatchObject({
          status: 200,
          json: { id: fileId, status: 'pending_review', visibility: 'private', hash_status: 'unverified', uploaded_at: expect.any(String) },
        });
      }
      expect(harness.queue.sent).toEqual([`hash-file:${harness.product.id}/${fileId}`]);
      expect((await harness.finalize(fileId, bytes)).json).toEqual(replies[0]?.json);
      expect(Object.keys(replies[0]?.json).filter((name) => name.startsWith('storage_'))).toEqual(['storage_provider']);
      const { items } = await listAudit(harness.table, { targetId: fileId, limit: 10 });
      expect(items.map(({ action }) => action)).toEqual(['product_file.finalize']);
    });

    test('compares with the declaration first, hex in any letter case', async () => {
      const fileId = await harness.upload(bytes);
      const finalize = (body: object) => harness.call('POST', `/v1/products/${harness.product.id}/files/${fileId}/finalize`, { body });
      const said = { size_bytes: bytes.length, sha256_hex: sha256Hex(bytes) };
      expect(await finalize({ ...said, size_bytes: 1 })).toMatchObject(error(409, 'file_mismatch'));
      expect(await finalize({ ...said, sha256_hex: sha256Hex(Buffer.from('x')) })).toMatchObject(error(409, 'file_mismatch'));
      expect(await finalize({ ...said, content_type: 'text/html' })).toMatchObject(error(409, 'file_mismatch'));
      expect(await finalize({ ...said, size_bytes: 0 })).toMatchObject(error(400, 'invalid_request'));
      expect((await harness.file(fileId)).status).toBe('upload_pending');
      expect(await finalize({ ...said, sha256_hex: said.sha256_hex.toUpperCase(), content_type: 'application/zip' })).toMatchObject({
        status: 200,
      });
    });

    test('without an upload leaves the file as it is', async () => {
      const { json } = await harness.intend(harness.declare(bytes));
      expect(await harness.finalize(json.product_file_id, bytes)).toMatchObject(error(409, 'upload_not_found'));
      expect((await harness.file(json.product_file_id)).status).toBe('upload_pending');
    });

    test('is refused once the file is closed', async () => {
      const fileId = await harness.upload(bytes);
      await harness.withdraw(fileId);
      expect(await harness.finalize(fileId, bytes)).toMatchObject(error(409, 'file_state_conflict'));
    });

    test('refuses what is not there, and what is not the caller’s', async () => {
      const fileId = await harness.upload(bytes);
      expect(await harness.finalize('fil_01ARZ3NDEKTSV4RRFFQ69G5FAV', bytes)).toMatchObject(error(404, 'file_not_found'));
      expect(await harness.finalize('nonsense', bytes)).toMatchObject(error(404, 'file_not_found'));
      const body = { size_bytes: bytes.length, sha256_hex: sha256Hex(bytes) };
      const target = `/v1/products/${harness.product.id}/files/${fileId}/finalize`;
      expect(await harness.call('POST', target, { body, headers: { 'X-User-ID': 'stranger' } })).toMatchObject(error(403, 'forbidden'));
      await harness.change({ seller: { internalReviewStatus: 'rejected' } });
      expect(await harness.call('POST', target, { body })).toMatchObject(error(403, 'seller_not_eligible'));
    });

    test('without a file store is refused as such', async () => {
      const bare = await startFileHarness({ withoutStore: true });
      const intent = await bare.intend(bare.declare(bytes));
      expect(intent).toMatchObject({ status: 201, json: { storage_provider: 'metadata_only', upload_url: 'about:blank' } });
      expect(await bare.finalize(intent.json.product_file_id, bytes)).toMatchObject(error(409, 'storage_not_configured'));
      await bare.stop();
    });

    test.each([1, 1024, 5_000_000])('takes a file of %d bytes all the way', async (size) => {
      const content = randomBytes(size);
      const fileId = await harness.handIn(content);
      await harness.drain();
      expect(await harness.file(fileId)).toMatchObject({
        hashStatus: 'verified',
        verifiedSizeBytes: size,
        verifiedSha256Hex: sha256Hex(content),
        verifiedContentType: 'application/zip',
        scanStatus: 'clean',
        scanEngine: 'eicar-only',
        scanTrustedClean: false,
      });
    });
  });

  describe('withdraw', () => {
    test('is refused to those who may not write', async () => {
      const fileId = await harness.handIn(bytes);
      const target = `/v1/products/${harness.product.id}/files/${fileId}/withdraw`;
      expect(await harness.call('POST', target, { headers: { 'X-User-ID': 'stranger' } })).toMatchObject(error(403, 'forbidden'));
      await harness.change({ seller: { internalReviewStatus: 'suspended' } });
      expect(await harness.withdraw(fileId)).toMatchObject(error(403, 'seller_not_eligible'));
      expect((await harness.call('GET', `/v1/products/${harness.product.id}/files`)).json.items).toHaveLength(1);
    });
  });

  test('the list comes newest first, in pages', async () => {
    const ids = [];
    for (let at = 0; at < 5; at += 1) ids.push((await harness.intend(harness.declare(bytes))).json.product_file_id);
    const first = await harness.call('GET', `/v1/products/${harness.product.id}/files?limit=3`);
    const second = await harness.call('GET', `/v1/products/${harness.product.id}/files?limit=3&cursor=${first.json.next_cursor}`);
    expect([...first.json.items, ...second.json.items].map(({ id }) => id)).toEqual(ids.reverse());
    expect(second.json.next_cursor).toBeUndefined();
    expect(await harness.call('GET', `/v1/products/${harness.product.id}/files?cursor=x`)).toMatchObject(error(400, 'invalid_request'));
  });

  test('neither logs nor the table hold a signed URL', async () => {
    const { json } = await harness.intend(harness.declare(bytes));
    const signature = new URL(json.upload_url).searchParams.get('X-Amz-Signature') ?? '?';
    const stored = JSON.stringify(await harness.table.query({ partition: `PRODUCT#${harness.product.id}` }));
    expect(stored).toContain(json.product_file_id);
    for (const text of [stored, ...harness.logged]) {
      expect(text).not.toContain(signature);
      expect(text).not.toContain('X-Amz-');
    }
  });
});
