import { randomBytes } from 'node:crypto';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { abortParts } from '../../../functions/file-hasher/abort-parts.ts';
import { withdrawUnusedFile } from '../../../functions/file-hasher/withdraw-unused-file.ts';
import { awaitScan } from '../../../functions/file-scanner/await-scan.ts';
import { jobKey } from '../../../shared/db/keys.ts';
import { LeaseLostError } from '../../../shared/jobs/job.ts';
import { leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { testBucket } from '../../support/engines/test-object-store.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { type FileHarness, partBytes, putPart, sha256Hex, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = randomBytes(partBytes + 5);
const small = Buffer.from('smaller than a part');
const hour = 3600;

let engine: TestTable;
let harness: FileHarness;
beforeEach(async () => {
  engine = await createTestTable();
  harness = await startFileHarness({ table: engine.table });
});
afterEach(() => harness.stop());

const error = (status: number, code: string) => ({ status, json: { code } });
const hash = 'a'.repeat(64);
/** The uploads in parts that the store still holds. */
const openUploads = async () => (await harness.client.send(new ListMultipartUploadsCommand({ Bucket: testBucket }))).Uploads ?? [];
/** Counts what is asked of the store, by operation. */
function countStoreCalls(): Record<string, number> {
  const counts: Record<string, number> = {};
  harness.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        const name = commandName.replace('Command', '');
        counts[name] = (counts[name] ?? 0) + 1;
        return next(args);
      },
    { step: 'initialize' },
  );
  return counts;
}

describe('upload-intent with a size of parts', () => {
  test('tells how many parts there are, for a day, beside the one PUT, and takes parts of 8 to 64 MiB', async () => {
    const declared = harness.declare(small, { size_bytes: 640 * partBytes, part_size_bytes: partBytes });
    const reply = await harness.intend(declared);
    const parts = { part_size_bytes: partBytes, part_count: 640 };
    expect(reply).toMatchObject({ status: 201, json: { method: 'PUT', parts } });
    const lives = (time: string) => Math.round((Date.parse(time) - Date.now()) / 60_000);
    expect([lives(reply.json.expires_at), lives(reply.json.parts.expires_at)]).toEqual([15, 24 * 60]);
    const refused = await harness.intend({ ...declared, part_size_bytes: partBytes - 1 });
    expect(refused).toMatchObject(error(400, 'invalid_request'));
    expect(await openUploads()).toHaveLength(1);
  });

  test('that is refused leaves no upload in the store', async () => {
    const poor = await startFileHarness({ table: engine.table, environment: { SELLER_STORAGE_BYTES: String(3 * partBytes) } });
    const declared = poor.declare(small, { size_bytes: 2 * partBytes, part_size_bytes: partBytes });
    const replies = await Promise.all(Array.from({ length: 5 }, () => poor.intend(declared)));
    expect(replies.map(({ json }) => json.code ?? 'made').sort()).toEqual(['made', ...Array(4).fill('storage_quota_exceeded')]);
    const { Uploads = [] } = await poor.client.send(new ListMultipartUploadsCommand({ Bucket: testBucket }));
    expect(Uploads).toHaveLength(1);
    await poor.stop();
  });

  test('without a file store tells of none, and there is nothing to finalize', async () => {
    const bare = await startFileHarness({ withoutStore: true });
    const reply = await bare.intend(bare.declare(small, { part_size_bytes: partBytes }));
    const { product_file_id: fileId, storage_provider, upload_url, parts } = reply.json;
    expect([reply.status, storage_provider, upload_url, parts]).toEqual([201, 'metadata_only', 'about:blank', undefined]);
    expect(await bare.storedParts(fileId)).toMatchObject(error(409, 'file_state_conflict'));
    expect(await bare.finalize(fileId, small)).toMatchObject(error(409, 'storage_not_configured'));
    await bare.stop();
  });

  test('has a place among the live files for the day', async () => {
    for (let made = 0; made < 20; made += 1) await harness.declareInParts(small);
    expect(await openUploads()).toHaveLength(20);
    expect(await harness.intend(harness.declare(small, { part_size_bytes: partBytes }))).toMatchObject(error(400, 'too_many_files'));
    expect(await openUploads()).toHaveLength(20);
    harness.pass(24 * hour - 60);
    expect(await harness.intend(harness.declare(small))).toMatchObject(error(400, 'too_many_files'));
    harness.pass(120);
    expect((await harness.intend(harness.declare(small))).status).toBe(201);
  });
});

describe('parts', () => {
  test('are signed over their length and checksum for 15 minutes, and listed as they are stored', async () => {
    const fileId = await harness.declareInParts(bytes);
    expect(await harness.storedParts(fileId)).toMatchObject({ status: 200, json: { items: [] } });
    const counts = countStoreCalls();
    engine.takeRequestCounts();
    const begun = Date.now();
    const reply = await harness.signParts(fileId, [
      { part_number: 2, sha256_hex: sha256Hex(bytes.subarray(partBytes)).toUpperCase() },
      { part_number: 1, sha256_hex: sha256Hex(bytes.subarray(0, partBytes)) },
    ]);
    expect([engine.takeRequestCounts(), counts['ListParts']]).toEqual([{ GetItem: 3 }, undefined]);
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json.items.map((item: { part_number: number }) => item.part_number)).toEqual([2, 1]);
    const [rest, first] = reply.json.items;
    expect(rest.required_headers).toEqual({
      'content-length': '5',
      'x-amz-checksum-sha256': Buffer.from(sha256Hex(bytes.subarray(partBytes)), 'hex').toString('base64'),
    });
    const url = new URL(rest.upload_url);
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host;x-amz-checksum-sha256');
    expect(url.searchParams.get('X-Amz-Expires')).toBe('900');
    const signedAt = Date.parse(rest.expires_at) - 900_000;
    expect([begun <= signedAt, signedAt <= Date.now()]).toEqual([true, true]);

    expect(await putPart(rest, new Uint8Array(bytes.subarray(partBytes)))).toBe(200);
    expect(await putPart(first, new Uint8Array(bytes.subarray(1, partBytes + 1)))).toBe(400);
    expect(await putPart(rest, new Uint8Array(bytes.subarray(0, 6)))).toBe(403);
    expect(await putPart(first, new Uint8Array(bytes.subarray(0, partBytes)))).toBe(200);
    // What is stored last counts.
    const other = Buffer.from('12345');
    const { json } = await harness.signParts(fileId, [{ part_number: 2, sha256_hex: sha256Hex(other) }]);
    expect(await putPart(json.items[0], new Uint8Array(other))).toBe(200);
    engine.takeRequestCounts();
    const list = await harness.storedParts(fileId);
    expect([engine.takeRequestCounts(), counts['ListParts']]).toEqual([{ GetItem: 3 }, 1]);
    expect(list.headers['cache-control']).toBe('no-store');
    expect(list.json).toEqual({
      items: [
        { part_number: 1, size_bytes: partBytes, sha256_hex: sha256Hex(bytes.subarray(0, partBytes)) },
        { part_number: 2, size_bytes: 5, sha256_hex: sha256Hex(other) },
      ],
    });
    harness.pass(16 * 60);
    expect(await putPart(first, new Uint8Array(bytes.subarray(0, partBytes)))).toBe(403);
    const stored = JSON.stringify(await engine.readAll());
    for (const text of [stored, ...harness.logged]) expect(text).not.toContain('X-Amz-');
  });

  test('are listed whole, however many pages the store makes of them', async () => {
    const fileId = await harness.declareInParts(bytes);
    await harness.storeParts(fileId, bytes);
    harness.client.middlewareStack.add(
      (next) => (args) => next({ ...args, input: { ...args.input, ...('PartNumberMarker' in args.input && { MaxParts: 1 }) } }),
      { step: 'initialize' },
    );
    const { json } = await harness.storedParts(fileId);
    expect(json.items.map((item: { part_number: number }) => item.part_number)).toEqual([1, 2]);
  });

  test('are for a file that is open, and a suspended seller may still look at what it has', async () => {
    const fileId = await harness.declareInParts(bytes);
    const whole = await harness.upload(small);
    const signed = (id: string) => harness.signParts(id, [{ part_number: 9, sha256_hex: hash }]);
    const of = async (id: string) => [await harness.storedParts(id), await signed(id)];
    const both = (status: number, code: string) => [error(status, code), error(status, code)];
    expect(await of('fil_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject(both(404, 'file_not_found'));
    expect(await of(whole)).toMatchObject(both(409, 'file_state_conflict'));
    expect(await signed(fileId)).toMatchObject({ status: 400, json: { message: 'parts must have part_numbers of 1 to 2' } });
    const look = { status: 200, json: { items: [] } };
    await harness.change({ product: { status: 'suspended' } });
    expect(await of(fileId)).toMatchObject([look, error(403, 'product_suspended')]);
    await harness.change({ seller: { internalReviewStatus: 'suspended' } });
    expect(await of(fileId)).toMatchObject([look, error(403, 'seller_not_eligible')]);
  });

  test('are open for a day, and no URL outlives it', async () => {
    const fileId = await harness.declareInParts(bytes);
    harness.pass(24 * hour - 60);
    const { json } = await harness.signParts(fileId, [{ part_number: 2, sha256_hex: hash }]);
    const file = await harness.file(fileId);
    expect(Date.parse(file.parts?.expiresAt ?? '') - Date.parse(json.items[0].expires_at)).toBeLessThan(2000);
    expect(json.items[0].expires_at <= (file.parts?.expiresAt ?? '')).toBe(true);
    harness.pass(60);
    expect(await harness.storedParts(fileId)).toMatchObject(error(409, 'file_state_conflict'));
    expect(await harness.signParts(fileId, [{ part_number: 2, sha256_hex: hash }])).toMatchObject(error(409, 'file_state_conflict'));
  });
});

describe('finalize of parts', () => {
  test('puts them together once, and the file is hashed and scanned as any other', async () => {
    const fileId = await harness.declareInParts(bytes);
    expect(await harness.finalize(fileId, bytes)).toMatchObject(error(409, 'upload_not_found'));
    await harness.storeParts(fileId, bytes, [2]);
    expect(await harness.finalize(fileId, bytes)).toMatchObject(error(409, 'upload_not_found'));
    expect((await harness.file(fileId)).status).toBe('upload_pending');
    await harness.storeParts(fileId, bytes, [1]);
    harness.pass(hour);
    const counts = countStoreCalls();
    const finalized = await harness.finalize(fileId, bytes);
    expect(Date.parse(finalized.json.uploaded_at) - Date.parse(finalized.json.created_at)).toBeGreaterThanOrEqual(hour * 1000);
    expect(finalized).toMatchObject({
      status: 200,
      json: { status: 'pending_review', size_bytes: bytes.length },
    });
    expect(counts).toEqual({ HeadObject: 2, ListParts: 1, CompleteMultipartUpload: 1 });
    expect(harness.queue.sent).toEqual([`hash-file:${harness.product.id}/${fileId}`]);
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({
      hashStatus: 'verified',
      scanStatus: 'clean',
      verifiedSizeBytes: bytes.length,
      verifiedSha256Hex: sha256Hex(bytes),
      verifiedContentType: 'application/zip',
    });
    expect(await openUploads()).toEqual([]);
    expect(await harness.storedParts(fileId)).toMatchObject(error(409, 'file_state_conflict'));
  });

  test('called many times at once has one object and one hash job, which finds what is another whole than was declared', async () => {
    const fileId = await harness.declareInParts(bytes, { sha256_hex: hash });
    await harness.storeParts(fileId, bytes);
    const replies = await Promise.all(Array.from({ length: 12 }, () => harness.finalize(fileId, bytes, { sha256_hex: hash })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(harness.queue.sent).toEqual([`hash-file:${harness.product.id}/${fileId}`]);
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ status: 'pending_review', hashStatus: 'mismatch', hashError: 'sha256_mismatch' });
  });

  test('takes the one PUT that came first, and ends the parts by a job', async () => {
    const { json } = await harness.intend(harness.declare(bytes, { part_size_bytes: partBytes }));
    const fileId = json.product_file_id;
    await harness.storeParts(fileId, bytes, [1]);
    const { 'content-length': _, ...headers } = json.required_headers;
    expect((await fetch(json.upload_url, { method: 'PUT', headers, body: new Uint8Array(bytes) })).status).toBe(200);
    expect((await harness.finalize(fileId, bytes)).status).toBe(200);
    expect(harness.queue.sent).toEqual([`hash-file:${harness.product.id}/${fileId}`, `abort-parts:${harness.product.id}/${fileId}`]);
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ hashStatus: 'verified' });
    expect(await openUploads()).toEqual([]);
  });
});

describe('parts that nobody needs any more', () => {
  test('end at once when the file is withdrawn, and no URL stores any then', async () => {
    const fileId = await harness.declareInParts(bytes);
    const { json } = await harness.signParts(fileId, [{ part_number: 1, sha256_hex: sha256Hex(bytes.subarray(0, partBytes)) }]);
    await harness.storeParts(fileId, bytes, [2]);
    expect(await harness.withdraw(fileId)).toMatchObject({ status: 200, json: { status: 'disabled' } });
    expect(harness.queue.sent).toEqual([`abort-parts:${harness.product.id}/${fileId}`]);
    await harness.drain();
    expect(await openUploads()).toEqual([]);
    expect(await putPart(json.items[0], new Uint8Array(bytes.subarray(0, partBytes)))).toBe(404);
    expect(await harness.finalize(fileId, bytes)).toMatchObject(error(409, 'file_state_conflict'));
    expect(await harness.withdraw(fileId)).toMatchObject({ status: 200 });
    expect(harness.queue.sent).toEqual([]);
    harness.pass(24 * hour + 60);
    await harness.sweep();
    expect(await harness.file(fileId)).toMatchObject({ status: 'disabled', bytesDeletedAt: expect.any(String) });
  });

  test('end with the day that they have, and the file a day later', async () => {
    const fileId = await harness.declareInParts(bytes);
    await harness.storeParts(fileId, bytes);
    harness.pass(24 * hour - 60);
    await harness.sweep();
    expect(await openUploads()).toHaveLength(1);
    harness.pass(120);
    await harness.sweep();
    expect(await openUploads()).toEqual([]);
    expect(await harness.finalize(fileId, bytes)).toMatchObject(error(409, 'upload_not_found'));
    expect((await harness.file(fileId)).status).toBe('upload_pending');
    harness.pass(24 * hour);
    await harness.sweep();
    expect(await harness.file(fileId)).toMatchObject({ status: 'disabled', bytesDeletedAt: expect.any(String) });
  });
});

async function handInVerified(): Promise<string> {
  const fileId = await harness.handIn(small);
  await harness.deliver(harness.queue.take());
  return fileId;
}

test.each<[string, () => Promise<string>, (c: any, job: any) => Promise<unknown>]>([
  ['abort-parts', () => harness.declareInParts(bytes), abortParts],
  ['withdraw-unused-file', () => harness.handIn(small, { purpose: 'release' }), withdrawUnusedFile],
  ['scan-file', handInVerified, awaitScan],
])('a run of %s whose job was added again meanwhile does not put that off', async (kind, makeFile, run) => {
  const task: any = { kind, productId: harness.product.id, fileId: await makeFile() };
  const stored = () => harness.table.get(jobKey(jobId(task)));
  const add = () => harness.table.write(addJob(harness, task));
  await add();
  const earlier = await leaseJob(harness, jobId(task), 60);
  await add();
  const before = await stored();
  await expect(run(harness, earlier)).rejects.toThrow(LeaseLostError);
  expect(await stored()).toEqual(before);
  harness.queue.take();
});
