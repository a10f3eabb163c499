import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { type FileId, newId } from '../../../shared/ids.ts';
import { createFileDownload } from '../../../shared/product-files/file-downloads.ts';
import { startProcess } from '../engines/child-process.ts';
import { testBucket, testCredentials } from '../engines/test-object-store.ts';
import { createTestTable } from '../engines/test-table.ts';
import { hashOfLargeBody, largeBody } from '../samples/large-body.ts';
import { startFileHarness } from './file-harness.ts';

/** PUTs a body that no memory has to hold, under a presigned URL. Returns the status. */
function streamUpload(url: string, headers: Record<string, string>, body: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    const upload = request(url, { method: 'PUT', headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    upload.on('error', reject);
    pipeline(Readable.from(body), upload).catch(reject);
  });
}

export type FileProcesses = Awaited<ReturnType<typeof startFileProcesses>>;

/** Object store and deployed hasher as processes of their own, so that the memory of each can be measured. */
export async function startFileProcesses() {
  const directory = await mkdtemp(join(tmpdir(), 'object-store-'));
  const storeProcess = await startProcess('./object-store-process.ts', [directory]);
  const endpoint = storeProcess.said;
  const client = new S3Client({ endpoint, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
  const { table, tableName } = await createTestTable();
  const harness = await startFileHarness({
    table,
    objectStore: { endpoint, directory, client, pass() {}, stop: async () => client.destroy() },
  });
  const hasher = await startProcess('./hasher-process.ts', [], {
    STAGE: 'local',
    TABLE_NAME: tableName,
    BUCKET_NAME: testBucket,
    HASH_QUEUE_URL: 'http://127.0.0.1:9/hash',
    SCAN_QUEUE_URL: 'http://127.0.0.1:9/scan',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
    AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
  });
  return {
    harness,
    storePid: storeProcess.pid,
    hasherPid: hasher.pid,

    /** What a seller declares of `largeBody(megabytes)`. */
    declare: (megabytes: number) => ({
      filename: 'large.bin',
      content_type: 'application/octet-stream',
      size_bytes: megabytes * 1024 * 1024,
      sha256_hex: hashOfLargeBody(megabytes).toString('hex'),
    }),

    /** Uploads as a client does; returns the file's id. */
    async upload(declared: { size_bytes: number }): Promise<FileId> {
      const { json: intent } = await harness.intend(declared);
      const status = await streamUpload(intent.upload_url, intent.required_headers, largeBody(declared.size_bytes / 1024 ** 2));
      if (status !== 200) throw new Error(`The upload was answered with ${status}.`);
      return intent.product_file_id;
    },

    /** Declares in parts of so many megabytes, and stores them, three at a time; returns the file's id. */
    async uploadInParts(declared: { size_bytes: number }, partMegabytes: number): Promise<FileId> {
      const { json: intent } = await harness.intend({ ...declared, part_size_bytes: partMegabytes * 1024 ** 2 });
      const { product_file_id: fileId, parts } = intent;
      const megabytes = declared.size_bytes / 1024 ** 2;
      const sizeOf = (number: number) => Math.min(partMegabytes, megabytes - (number - 1) * partMegabytes);
      const hashes = new Map([partMegabytes, sizeOf(parts.part_count)].map((size) => [size, hashOfLargeBody(size).toString('hex')]));
      const left = Array.from({ length: parts.part_count }, (_, index) => index + 1);
      const storeNext = async () => {
        for (let numbers = left.splice(0, 4); numbers.length > 0; numbers = left.splice(0, 4)) {
          const asked = numbers.map((part_number) => ({ part_number, sha256_hex: hashes.get(sizeOf(part_number)) }));
          const { json } = await harness.signParts(fileId, asked);
          for (const { part_number, upload_url, required_headers } of json.items) {
            const status = await streamUpload(upload_url, required_headers, largeBody(sizeOf(part_number)));
            if (status !== 200) throw new Error(`Part ${part_number} was answered with ${status}.`);
          }
        }
      };
      await Promise.all([storeNext(), storeNext(), storeNext()]);
      return fileId;
    },

    /** Has the hasher do the jobs that were sent. */
    async hash(): Promise<void> {
      hasher.child.send(harness.queue.take());
      const [reply] = await once(hasher.child, 'message');
      if (reply.batchItemFailures.length > 0) throw new Error('The hasher gave a message back.');
    },

    /** A URL to the file, after an admin's word and approval. */
    async approve(fileId: FileId): Promise<string> {
      await harness.review(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Made by this test.' });
      await harness.review(fileId, { decision: 'approve' });
      const entitlement = { orderId: newId('order'), licenseId: newId('license') };
      return (await createFileDownload(harness.c, await harness.file(fileId), entitlement)).downloadUrl;
    },

    async stop(): Promise<void> {
      await hasher.stop();
      await harness.stop();
      await storeProcess.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
