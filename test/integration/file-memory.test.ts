import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProcess, type TestProcess } from '../support/child-process.ts';
import { type FileBench, openFileBench } from '../support/file-bench.ts';
import { hashOfLargeBody, largeBody } from '../support/large-body.ts';
import { watchMemory } from '../support/process-memory.ts';
import { streamUpload } from '../support/stream-upload.ts';
import { testBucket, testCredentials } from '../support/test-object-store.ts';
import { createTestTable } from '../support/test-table.ts';

const megabytes = 1024;
const most = 128 * 1024 * 1024;

describe('a file of 1 GiB', () => {
  let directory: string;
  let storeProcess: TestProcess;
  let hasher: TestProcess;
  let bench: FileBench;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'object-store-'));
    storeProcess = await startProcess('./object-store-process.ts', [directory]);
    const endpoint = storeProcess.said;
    const client = new S3Client({ endpoint, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
    const { table, tableName } = await createTestTable();
    bench = await openFileBench({
      table,
      objectStore: { endpoint, directory, client, pass() {}, stop: async () => client.destroy() },
    });
    hasher = await startProcess('./hasher-process.ts', [], {
      STAGE: 'local',
      TABLE_NAME: tableName,
      BUCKET_NAME: testBucket,
      HASH_QUEUE_URL: 'http://127.0.0.1:9/hash',
      SCAN_QUEUE_URL: 'http://127.0.0.1:9/scan',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    });
  });
  afterAll(async () => {
    await hasher.stop();
    await bench.stop();
    await storeProcess.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('is uploaded, hashed and downloaded while neither store nor hasher grows by 128 MB', async () => {
    const hash = hashOfLargeBody(megabytes);
    const storeMemory = watchMemory(storeProcess.pid);
    const declared = {
      filename: 'large.bin',
      content_type: 'application/octet-stream',
      size_bytes: megabytes * 1024 * 1024,
      sha256_hex: hash.toString('hex'),
    };
    const { json: intent } = await bench.intend(declared);
    expect(await streamUpload(intent.upload_url, intent.required_headers, largeBody(megabytes))).toBe(200);
    const fileId: string = intent.product_file_id;
    const finalized = await bench.call('POST', `/v1/products/${bench.product.id}/files/${fileId}/finalize`, { body: declared });
    expect(finalized.status).toBe(200);

    const hasherMemory = watchMemory(hasher.pid);
    hasher.child.send(bench.queue.take());
    expect(await once(hasher.child, 'message')).toEqual([{ batchItemFailures: [] }, undefined]);
    const file = await bench.file(fileId);
    expect(file).toMatchObject({ hashStatus: 'verified', verifiedSha256Hex: hash.toString('hex') });
    expect(hasherMemory.growth()).toBeLessThan(most);

    await bench.review(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Made by this test.' });
    await bench.review(fileId, { decision: 'approve' });
    const { downloadUrl } = await bench.downloads.createDownload(await bench.file(fileId), { orderId: 'ord', licenseId: 'lic' });
    const { body } = await fetch(downloadUrl);
    const received = createHash('sha256');
    for await (const chunk of Readable.fromWeb(body as never)) received.update(chunk);
    expect(received.digest()).toEqual(hash);
    expect(storeMemory.growth()).toBeLessThan(most);
  }, 240_000);
});
