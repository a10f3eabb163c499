import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createObjectStore } from '../../../shared/product-files/storage/object-store.ts';
import { startProcess } from '../../support/engines/child-process.ts';
import { startTestObjectStore, type TestObjectStore, testBucket, testCredentials } from '../../support/engines/test-object-store.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
const bytes = Buffer.from('the bytes of a product file\n');

describe('the local object store', () => {
  let store: TestObjectStore;
  let counter = 0;
  const freshKey = () => {
    counter += 1;
    return `test/${counter}/a file (ü)+'*.bin`;
  };

  beforeAll(async () => {
    store = await startTestObjectStore({
      buckets: [
        { name: testBucket, versioned: true },
        { name: 'plain', versioned: false },
        {
          name: 'web',
          versioned: true,
          cors: [
            { AllowedOrigins: ['https://console.example'], AllowedMethods: ['PUT'], AllowedHeaders: ['content-type', 'if-none-match'] },
          ],
        },
      ],
    });
  });
  afterAll(() => store.stop());

  const put = (key: string, input: Partial<PutObjectCommandInput> = {}) =>
    store.client.send(new PutObjectCommand({ Bucket: testBucket, Key: key, Body: bytes, ...input }));
  const get = async (key: string, input = {}) => {
    const reply = await store.client.send(new GetObjectCommand({ Bucket: testBucket, Key: key, ...input }));
    return { ...reply, bytes: Buffer.from((await reply.Body?.transformToByteArray()) ?? []) };
  };

  /** A PUT that is signed over content type, length, checksum and If-None-Match. */
  const presignPut = (key: string, expiresIn = 900) => {
    const signer = new S3Client({
      endpoint: store.endpoint,
      region: 'us-east-1',
      credentials: testCredentials,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    const command = new PutObjectCommand({
      Bucket: testBucket,
      Key: key,
      ContentType: 'application/zip',
      ContentLength: bytes.length,
      ChecksumSHA256: sha256(bytes),
      IfNoneMatch: '*',
    });
    return getSignedUrl(signer, command, {
      expiresIn,
      unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
      signableHeaders: new Set(['host', 'content-type', 'content-length', 'if-none-match']),
    });
  };
  const signedHeaders = () => ({
    'content-type': 'application/zip',
    'x-amz-checksum-sha256': sha256(bytes),
    'if-none-match': '*',
  });
  const upload = async (url: string, headers: Record<string, string> = signedHeaders(), body: Buffer = bytes) => {
    const reply = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) });
    return { status: reply.status, code: /<Code>(\w+)</.exec(await reply.text())?.[1], headers: reply.headers };
  };

  test('an object is deleted with every version and marker of it, and with no other object', async () => {
    const key = freshKey();
    for (const each of [key, key, `${key}0`]) await put(each);
    await store.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: key }));
    await createObjectStore({ bucketName: testBucket, client: store.client }).deleteVersions(key);
    const left = await store.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix: key }));
    expect([...(left.Versions ?? []), ...(left.DeleteMarkers ?? [])].map(({ Key }) => Key)).toEqual([`${key}0`]);
  });

  describe('with the SDK', () => {
    test('gives back what was put: bytes, type, checksum, ETag and version', async () => {
      const key = freshKey();
      const written = await put(key, { ContentType: 'text/x-test', ChecksumSHA256: sha256(bytes), Metadata: { purpose: 'test' } });
      const read = await get(key, { ChecksumMode: 'ENABLED' });
      expect(read.bytes).toEqual(bytes);
      expect(read).toMatchObject({
        ContentType: 'text/x-test',
        ContentLength: bytes.length,
        ChecksumSHA256: sha256(bytes),
        ETag: `"${createHash('md5').update(bytes).digest('hex')}"`,
        VersionId: written.VersionId,
        Metadata: { purpose: 'test' },
      });
      const head = await store.client.send(new HeadObjectCommand({ Bucket: testBucket, Key: key, ChecksumMode: 'ENABLED' }));
      expect(head).toMatchObject({ ContentLength: bytes.length, ChecksumSHA256: sha256(bytes), VersionId: written.VersionId });
    });

    test('takes streamed bodies with a trailing checksum', async () => {
      const key = freshKey();
      const body = randomBytes(3_000_000);
      await put(key, { Body: Readable.from([body.subarray(0, 1_000_000), body.subarray(1_000_000)]), ContentLength: body.length });
      const read = await get(key);
      expect(read.bytes.equals(body)).toBe(true);
      expect(read.ContentEncoding).toBeUndefined();
    });

    test('keeps every version, and a deletion hides but does not destroy them', async () => {
      const key = freshKey();
      const first = await put(key, { Body: 'one' });
      const second = await put(key, { Body: 'two' });
      expect(first.VersionId).not.toBe(second.VersionId);
      expect((await get(key)).bytes.toString()).toBe('two');
      expect((await get(key, { VersionId: first.VersionId })).bytes.toString()).toBe('one');

      const deleted = await store.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: key }));
      expect(deleted.DeleteMarker).toBe(true);
      await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
      expect((await get(key, { VersionId: first.VersionId })).bytes.toString()).toBe('one');

      await store.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: key, VersionId: first.VersionId }));
      await expect(get(key, { VersionId: first.VersionId })).rejects.toMatchObject({ name: 'NoSuchVersion' });
      expect((await get(key, { VersionId: second.VersionId })).bytes.toString()).toBe('two');
    });

    test('lists the versions under a prefix, of each key the newest first, and deletion markers', async () => {
      const key = 'listed/a & b';
      const list = (Prefix: string) => store.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix }));
      const [first, second] = [await put(key, { Body: 'one' }), await put(key, { Body: 'three' })];
      await put('listed/b');
      const marker = await store.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: key }));
      const page = await list('listed/a');
      expect(page.Versions?.map(({ Key, VersionId, Size, IsLatest }) => [Key, VersionId, Size, IsLatest])).toEqual([
        [key, second.VersionId, 5, false],
        [key, first.VersionId, 3, false],
      ]);
      expect(page.DeleteMarkers).toMatchObject([{ Key: key, VersionId: marker.VersionId, IsLatest: true }]);
      expect(page.IsTruncated).toBe(false);
      expect((await list('listed/')).Versions).toHaveLength(3);
      expect((await list('nothing/')).Versions).toBeUndefined();
    });

    test('gives a long listing page by page, of a key too', async () => {
      const keys = ['paged/a', 'paged/b', 'paged/c'];
      for (const key of [...keys, 'paged/b']) await put(key);
      const marker = await store.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: 'paged/b' }));
      const found: (string | undefined)[] = [];
      const sizes: number[] = [];
      let next = {};
      for (;;) {
        const page = await store.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix: 'paged/', MaxKeys: 2, ...next }));
        const entries = [...(page.DeleteMarkers ?? []), ...(page.Versions ?? [])];
        found.push(...entries.map(({ Key }) => Key));
        sizes.push(entries.length);
        if (!page.IsTruncated) break;
        next = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
      }
      expect(found.toSorted()).toEqual(['paged/a', 'paged/b', 'paged/b', 'paged/b', 'paged/c']);
      expect(sizes).toEqual([2, 2, 1]);
      const after = await store.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix: 'paged/', KeyMarker: 'paged/b' }));
      expect(after.Versions?.map(({ Key }) => Key)).toEqual(['paged/c']);
      const withoutKey = new ListObjectVersionsCommand({ Bucket: testBucket, VersionIdMarker: marker.VersionId });
      await expect(store.client.send(withoutKey)).rejects.toMatchObject({ name: 'InvalidArgument' });
    });

    test('a bucket without versions keeps the last write alone', async () => {
      const Key = freshKey();
      await store.client.send(new PutObjectCommand({ Bucket: 'plain', Key, Body: 'one' }));
      const second = await store.client.send(new PutObjectCommand({ Bucket: 'plain', Key, Body: 'two' }));
      expect(second.VersionId).toBeUndefined();
      const read = await store.client.send(new GetObjectCommand({ Bucket: 'plain', Key }));
      expect(await read.Body?.transformToString()).toBe('two');
      await store.client.send(new DeleteObjectCommand({ Bucket: 'plain', Key }));
      await expect(store.client.send(new GetObjectCommand({ Bucket: 'plain', Key }))).rejects.toMatchObject({ name: 'NoSuchKey' });
    });

    test('sends the range that is requested', async () => {
      const key = freshKey();
      await put(key, { Body: '0123456789' });
      expect(await get(key, { Range: 'bytes=2-4' })).toMatchObject({ bytes: Buffer.from('234'), ContentRange: 'bytes 2-4/10' });
      expect((await get(key, { Range: 'bytes=7-' })).bytes.toString()).toBe('789');
      expect((await get(key, { Range: 'bytes=-3' })).bytes.toString()).toBe('789');
      expect((await get(key, { Range: 'bytes=8-100' })).bytes.toString()).toBe('89');
      expect((await get(key, { Range: 'bytes=nonsense' })).bytes.toString()).toBe('0123456789');
      await expect(get(key, { Range: 'bytes=10-' })).rejects.toMatchObject({ name: 'InvalidRange' });
    });

    test('of writes at once under If-None-Match: * exactly one succeeds', async () => {
      const key = freshKey();
      const writes = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => put(key, { Body: `write ${at}`, IfNoneMatch: '*' })));
      expect(writes.filter((write) => write.status === 'fulfilled')).toHaveLength(1);
      const refused = writes.flatMap((write) => (write.status === 'rejected' ? [write.reason.name] : []));
      expect(new Set(refused)).toEqual(new Set(['PreconditionFailed']));
    });

    test('serves its own buckets, and refuses operations that it does not support', async () => {
      await store.client.send(new HeadBucketCommand({ Bucket: testBucket }));
      await expect(store.client.send(new HeadBucketCommand({ Bucket: 'other' }))).rejects.toMatchObject({ name: 'NotFound' });
      await expect(store.client.send(new ListObjectsV2Command({ Bucket: testBucket }))).rejects.toMatchObject({ name: 'NotImplemented' });
      await expect(put(freshKey(), { ACL: 'public-read' })).rejects.toMatchObject({ name: 'NotImplemented' });
    });

    test('refuses unknown access keys, and wrong secrets', async () => {
      const stranger = (credentials: typeof testCredentials) =>
        new S3Client({ endpoint: store.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 }).send(
          new PutObjectCommand({ Bucket: testBucket, Key: freshKey(), Body: bytes }),
        );
      await expect(stranger({ ...testCredentials, accessKeyId: 'AKIDOTHER' })).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
      await expect(stranger({ ...testCredentials, secretAccessKey: 'guess' })).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
      expect((await fetch(`${store.endpoint}/${testBucket}/anything`)).status).toBe(403);
    });

    test('refuses a body that is not the one its checksum names', async () => {
      const key = freshKey();
      await expect(put(key, { ChecksumSHA256: sha256(Buffer.from('other')) })).rejects.toMatchObject({ name: 'BadDigest' });
      await expect(put(key, { ContentMD5: createHash('md5').update('other').digest('base64') })).rejects.toMatchObject({
        name: 'BadDigest',
      });
      await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    });
  });

  describe('a presigned upload, on the wire', () => {
    test('carries checksum, type, length and If-None-Match as signed headers', async () => {
      const url = new URL(await presignPut(freshKey()));
      expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host;if-none-match;x-amz-checksum-sha256');
      expect(url.searchParams.has('x-amz-checksum-sha256')).toBe(false);
      expect(url.searchParams.has('x-amz-checksum-crc32')).toBe(false);
    });

    test('takes exactly what was signed, once', async () => {
      const key = freshKey();
      const url = await presignPut(key);
      expect(await upload(url)).toMatchObject({ status: 200 });
      expect(await upload(url)).toMatchObject({ status: 412, code: 'PreconditionFailed' });
      expect((await get(key)).bytes).toEqual(bytes);
    });

    test('is refused with other bytes of the same length', async () => {
      const key = freshKey();
      const other = Buffer.from(bytes).fill('x', 3, 4);
      expect(await upload(await presignPut(key), signedHeaders(), other)).toMatchObject({ status: 400, code: 'BadDigest' });
      await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    });

    test('is refused with another checksum, type or length', async () => {
      const url = await presignPut(freshKey());
      const other = Buffer.from('other');
      const refused = { status: 403, code: 'SignatureDoesNotMatch' };
      expect(await upload(url, { ...signedHeaders(), 'x-amz-checksum-sha256': sha256(other) })).toMatchObject(refused);
      expect(await upload(url, { ...signedHeaders(), 'content-type': 'text/html' })).toMatchObject(refused);
      expect(await upload(url, signedHeaders(), other)).toMatchObject(refused);
    });

    test.each(['content-type', 'x-amz-checksum-sha256', 'if-none-match'])('is refused without %s', async (name) => {
      const { [name]: _, ...headers } = signedHeaders() as Record<string, string>;
      expect(await upload(await presignPut(freshKey()), headers)).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
    });

    test('is refused without a length, in chunks', async () => {
      const url = await presignPut(freshKey());
      const status = await new Promise((resolve, reject) => {
        const headers = { ...signedHeaders(), 'transfer-encoding': 'chunked' };
        const request = httpRequest(url, { method: 'PUT', headers }, (reply) => resolve(reply.resume().statusCode));
        request.on('error', reject);
        request.end(bytes);
      });
      expect(status).toBe(403);
    });

    test('is refused with an x-amz header that was not signed', async () => {
      const headers = { ...signedHeaders(), 'x-amz-meta-note': 'slipped in' };
      expect(await upload(await presignPut(freshKey()), headers)).toMatchObject({ status: 403, code: 'AccessDenied' });
    });

    test('is refused for another key, with a changed signature, and after it expired', async () => {
      const url = await presignPut(freshKey(), 60);
      expect(await upload(url.replace('/test/', '/best/'))).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
      expect(await upload(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'))).toMatchObject({ code: 'SignatureDoesNotMatch' });
      store.pass(61);
      try {
        expect(await upload(url)).toMatchObject({ status: 403, code: 'AccessDenied' });
      } finally {
        store.pass(-61);
      }
    });

    test('leaves nothing behind when the client disconnects in the middle', async () => {
      const key = freshKey();
      const url = await presignPut(key);
      await new Promise<void>((resolve) => {
        const request = httpRequest(url, { method: 'PUT', headers: { ...signedHeaders(), 'content-length': bytes.length } });
        request.on('error', () => resolve());
        request.write(bytes.subarray(0, 5), () => setTimeout(() => request.destroy(), 50));
      });
      await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await readdir(join(store.directory, 'uploads'))).toEqual([]);
    });

    test('an error reply is S3 XML and shows neither query nor signature', async () => {
      const url = await presignPut(freshKey());
      const reply = await fetch(`${url}0`, { method: 'PUT', headers: signedHeaders(), body: new Uint8Array(bytes) });
      const text = await reply.text();
      expect(reply.headers.get('content-type')).toBe('application/xml');
      expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>\w+<\/Code><Message>.+<\/RequestId><\/Error>$/);
      expect(text).not.toContain(new URL(url).searchParams.get('X-Amz-Signature'));
    });
  });

  describe('a presigned download', () => {
    const presignGet = (key: string, input = {}) =>
      getSignedUrl(store.client, new GetObjectCommand({ Bucket: testBucket, Key: key, ...input }), { expiresIn: 300 });

    test('names the file as in the URL', async () => {
      const key = freshKey();
      const { VersionId } = await put(key);
      await put(key, { Body: 'a later version' });
      const disposition = `attachment; filename="a.zip"; filename*=UTF-8''%E3%81%82.zip`;
      const url = await presignGet(key, { VersionId, ResponseContentDisposition: disposition, ResponseContentType: 'application/zip' });
      const reply = await fetch(url);
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
      expect(reply.headers.get('content-disposition')).toBe(disposition);
      expect(reply.headers.get('content-type')).toBe('application/zip');
      expect((await fetch(url.replace('attachment', 'inline'))).status).toBe(403);
      expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
      expect((await fetch(url, { headers: { range: 'bytes=0-2' } })).status).toBe(206);
    });

    test('ends when it expires', async () => {
      const key = freshKey();
      await put(key);
      const url = await presignGet(key);
      store.pass(301);
      try {
        expect((await fetch(url)).status).toBe(403);
      } finally {
        store.pass(-301);
      }
    });
  });

  describe('for browsers', () => {
    const preflight = (origin: string, headers: string, method = 'PUT') =>
      fetch(`${store.endpoint}/web/some/key`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
      });

    test('allows the origin, method and headers of a rule and no others', async () => {
      const allowed = await preflight('https://console.example', 'content-type,if-none-match');
      expect(allowed.status).toBe(200);
      expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example');
      expect(allowed.headers.get('access-control-allow-headers')).toBe('content-type, if-none-match');
      expect((await preflight('https://evil.example', 'content-type')).status).toBe(403);
      expect((await preflight('https://console.example', 'content-type,x-amz-acl')).status).toBe(403);
      expect((await preflight('https://console.example', 'content-type', 'DELETE')).status).toBe(403);
    });

    test('lets the page read the reply', async () => {
      const reply = await fetch(`${store.endpoint}/web/some/key`, { method: 'PUT', headers: { origin: 'https://console.example' } });
      expect(reply.status).toBe(403);
      expect(reply.headers.get('access-control-allow-origin')).toBe('https://console.example');
    });
  });
});

describe('the data of the local object store', () => {
  let directory: string;
  const started: TestObjectStore[] = [];
  const start = async (options = {}) => {
    const store = await startTestObjectStore({ directory, ...options });
    started.push(store);
    return store;
  };
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'object-store-'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((store) => store.stop()));
    await rm(directory, { recursive: true, force: true });
  });

  test('survives a restart, with its versions', async () => {
    const first = await start();
    const put = (Body: string) => first.client.send(new PutObjectCommand({ Bucket: testBucket, Key: 'kept', Body }));
    const { VersionId } = await put('one');
    await put('two');
    await first.stop();

    const second = await start();
    const get = async (input = {}) => {
      const reply = await second.client.send(new GetObjectCommand({ Bucket: testBucket, Key: 'kept', ...input }));
      return reply.Body?.transformToString();
    };
    expect(await get()).toBe('two');
    expect(await get({ VersionId })).toBe('one');
  });

  test('comes with its port, so that signed URLs outlive a restart, unless another has it', async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect(second.endpoint).toBe(first.endpoint);
    expect((await start()).endpoint).not.toBe(first.endpoint);
  });

  test('of a store that is killed, all that was acknowledged is there afterwards, and nothing by halves', async () => {
    const body = randomBytes(300_000);
    const acknowledged: string[] = [];
    for (let life = 0; life < 3; life += 1) {
      const mortal = await startProcess('./object-store-process.ts', [directory]);
      const client = new S3Client({ endpoint: mortal.said, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
      const writer = async (name: number) => {
        for (let at = 0; ; at += 1) {
          const Key = `life ${life}/writer ${name}/${at}`;
          await client.send(new PutObjectCommand({ Bucket: testBucket, Key, Body: body, IfNoneMatch: '*' }));
          acknowledged.push(Key);
        }
      };
      const writers = [1, 2, 3].map((name) => writer(name).catch(() => undefined));
      while (acknowledged.length < (life + 1) * 20) await new Promise((resolve) => setTimeout(resolve, 5));
      mortal.child.kill('SIGKILL');
      await Promise.all(writers);
      client.destroy();
    }
    const store = await start();
    for (const Key of acknowledged) {
      const { Body } = await store.client.send(new GetObjectCommand({ Bucket: testBucket, Key }));
      expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(body)).toBe(true);
    }
  });

  test('a port that is taken is an error', async () => {
    const first = await start();
    const port = Number(new URL(first.endpoint).port);
    await expect(start({ port })).rejects.toThrow('EADDRINUSE');
  });
});
