import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashOfLargeBody, largeBody } from '../support/large-body.ts';
import { watchMemory } from '../support/process-memory.ts';
import { testBucket, testCredentials } from '../support/test-object-store.ts';

const megabytes = 1024;

describe('the local object store', () => {
  let directory: string;
  let child: ChildProcess;
  let client: S3Client;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'object-store-'));
    const script = new URL('../support/object-store-process.ts', import.meta.url).pathname;
    child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'] } });
    const [endpoint] = await once(createInterface({ input: child.stdout! }), 'line');
    client = new S3Client({ endpoint, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
  });
  afterAll(async () => {
    client.destroy();
    child.kill();
    await once(child, 'exit');
    await rm(directory, { recursive: true, force: true });
  });

  test('takes and gives 1 GiB while its memory grows by less than 128 MB', async () => {
    const memory = watchMemory(child.pid!);
    const hash = hashOfLargeBody(megabytes);
    await client.send(
      new PutObjectCommand({
        Bucket: testBucket,
        Key: 'large',
        Body: Readable.from(largeBody(megabytes)),
        ContentLength: megabytes * 1024 * 1024,
        ChecksumSHA256: hash.toString('base64'),
      }),
    );
    const { Body } = await client.send(new GetObjectCommand({ Bucket: testBucket, Key: 'large' }));
    const received = createHash('sha256');
    for await (const chunk of Body as Readable) received.update(chunk);
    expect(received.digest()).toEqual(hash);
    expect(memory.growth()).toBeLessThan(128 * 1024 * 1024);
  }, 180_000);
});
