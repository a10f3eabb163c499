import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
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
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findDownloadSigner } from '../../../shared/product-files/storage/download-signer.ts';
import { createObjectStore, createS3Client } from '../../../shared/product-files/storage/object-store.ts';
import { startTestObjectStore, type TestObjectStore, testBucket, testCredentials } from '../../support/engines/test-object-store.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';
import { eventually } from '../../support/scenes/stack-harness.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
const bytes = Buffer.from('the bytes of a product file\n');
const other = Buffer.from('other');
const consoleOrigin = 'https://console.example';

let store: TestObjectStore;
let counter = 0;
const freshKey = () => {
  counter += 1;
  return `test/${counter}/a file (ü)+'*.bin`;
};

beforeAll(async () => {
  const rule = { AllowedOrigins: [consoleOrigin], AllowedMethods: ['PUT'], AllowedHeaders: ['content-type', 'if-none-match'] };
  store = await startTestObjectStore({
    buckets: [
      { name: testBucket, versioned: true },
      { name: 'plain', versioned: false },
      { name: 'web', versioned: true, cors: [rule] },
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
const remove = (Key: string, VersionId?: string) => store.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key, VersionId }));
const listVersions = (input: object) => store.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, ...input }));

describe('the local object store', () => {
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
    const body = randomBytes(300_000);
    await put(key, { Body: Readable.from([body.subarray(0, 100_000), body.subarray(100_000)]), ContentLength: body.length });
    const read = await get(key);
    expect([read.bytes.equals(body), read.ContentEncoding]).toEqual([true, undefined]);
  });

  test('keeps every version, and a deletion hides but does not destroy them', async () => {
    const key = freshKey();
    const first = await put(key, { Body: 'one' });
    const second = await put(key, { Body: 'two' });
    const versionOf = async ({ VersionId }: { VersionId?: string | undefined } = {}) => (await get(key, { VersionId })).bytes.toString();
    expect([await versionOf(), await versionOf(first), await versionOf(second)]).toEqual(['two', 'one', 'two']);
    expect((await remove(key)).DeleteMarker).toBe(true);
    await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await versionOf(first)).toBe('one');
    await remove(key, first.VersionId);
    await expect(versionOf(first)).rejects.toMatchObject({ name: 'NoSuchVersion' });
    expect(await versionOf(second)).toBe('two');
  });

  test('lists versions under a prefix, of each key the newest first, and deletion markers, page by page', async () => {
    const key = 'listed/b & c';
    await put('listed/a');
    const [first, second] = [await put(key, { Body: 'one' }), await put(key, { Body: 'three' })];
    await put('listed/d');
    const marker = await remove(key);
    const page = await listVersions({ Prefix: 'listed/b' });
    expect(page.Versions?.map(({ Key, VersionId, Size, IsLatest }) => [Key, VersionId, Size, IsLatest])).toEqual([
      [key, second.VersionId, 5, false],
      [key, first.VersionId, 3, false],
    ]);
    expect(page.DeleteMarkers).toMatchObject([{ Key: key, VersionId: marker.VersionId, IsLatest: true }]);
    expect([page.IsTruncated, (await listVersions({ Prefix: 'nothing/' })).Versions]).toEqual([false, undefined]);

    const pages: (string | undefined)[][] = [];
    let next: object | undefined = {};
    while (next) {
      const {
        DeleteMarkers = [],
        Versions = [],
        ...rest
      }: Awaited<ReturnType<typeof listVersions>> = await listVersions({
        ...{ Prefix: 'listed/', MaxKeys: 2 },
        ...next,
      });
      pages.push([...DeleteMarkers, ...Versions].map(({ Key }) => Key));
      next = rest.IsTruncated ? { KeyMarker: rest.NextKeyMarker, VersionIdMarker: rest.NextVersionIdMarker } : undefined;
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat().toSorted()).toEqual(['listed/a', key, key, key, 'listed/d']);
    const after = await listVersions({ Prefix: 'listed/', KeyMarker: key });
    expect(after.Versions?.map(({ Key }) => Key)).toEqual(['listed/d']);
  });

  test('deletes an object with every version and marker of it, and no other object', async () => {
    const key = freshKey();
    for (const each of [key, key, `${key}0`]) await put(each);
    await remove(key);
    await createObjectStore({ bucketName: testBucket, client: store.client }).deleteVersions(key);
    const { Versions = [], DeleteMarkers = [] } = await listVersions({ Prefix: key });
    expect([...Versions, ...DeleteMarkers].map(({ Key }) => Key)).toEqual([`${key}0`]);
  });

  test('keeps the last write alone in a bucket without versions', async () => {
    const object = { Bucket: 'plain', Key: freshKey() };
    await store.client.send(new PutObjectCommand({ ...object, Body: 'one' }));
    expect((await store.client.send(new PutObjectCommand({ ...object, Body: 'two' }))).VersionId).toBeUndefined();
    const { Body } = await store.client.send(new GetObjectCommand(object));
    expect(await Body?.transformToString()).toBe('two');
    await store.client.send(new DeleteObjectCommand(object));
    await expect(store.client.send(new GetObjectCommand(object))).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=nonsense', '0123456789', undefined],
  ])('sends of ten bytes, for the range %s, %s', async (Range, sent, ContentRange) => {
    const key = freshKey();
    await put(key, { Body: '0123456789' });
    const read = await get(key, { Range });
    expect([read.bytes.toString(), read.ContentRange]).toEqual([sent, ContentRange]);
  });

  test('lets exactly one of writes at once succeed under If-None-Match: *', async () => {
    const key = freshKey();
    const writes = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => put(key, { Body: `write ${at}`, IfNoneMatch: '*' })));
    const outcomes = writes.map((write) => (write.status === 'fulfilled' ? 'written' : write.reason.name)).sort();
    expect(outcomes).toEqual([...Array(7).fill('PreconditionFailed'), 'written']);
  });

  const stranger = (change: object) => {
    const credentials = { ...testCredentials, ...change };
    const client = new S3Client({ endpoint: store.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
    return client.send(new PutObjectCommand({ Bucket: testBucket, Key: freshKey(), Body: bytes }));
  };
  test.each<[string, string, () => Promise<unknown>]>([
    ['another bucket', 'NotFound', () => store.client.send(new HeadBucketCommand({ Bucket: 'other' }))],
    ['what it does not support', 'NotImplemented', () => store.client.send(new ListObjectsV2Command({ Bucket: testBucket }))],
    ['an ACL', 'NotImplemented', () => put(freshKey(), { ACL: 'public-read' })],
    ['a marker of a version without its key', 'InvalidArgument', () => listVersions({ VersionIdMarker: 'a' })],
    ['an unknown access key', 'InvalidAccessKeyId', () => stranger({ accessKeyId: 'AKIDOTHER' })],
    ['a wrong secret', 'SignatureDoesNotMatch', () => stranger({ secretAccessKey: 'guess' })],
    ['a range after the end', 'InvalidRange', () => put('short').then(() => get('short', { Range: `bytes=${bytes.length}-` }))],
  ])('refuses %s with %s', async (_, name, request) => {
    await expect(request()).rejects.toMatchObject({ name });
  });

  test('serves its own buckets, and nothing without a signature', async () => {
    await store.client.send(new HeadBucketCommand({ Bucket: testBucket }));
    expect((await fetch(`${store.endpoint}/${testBucket}/anything`)).status).toBe(403);
  });

  test.each([{ ChecksumSHA256: sha256(other) }, { ContentMD5: createHash('md5').update(other).digest('base64') }])(
    'refuses a body that is not the one of its checksum %j, and keeps nothing of it',
    async (checksum) => {
      const key = freshKey();
      await expect(put(key, checksum)).rejects.toMatchObject({ name: 'BadDigest' });
      await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    },
  );
});

describe('a presigned upload', () => {
  /** A PUT that is signed over content type, length, checksum and If-None-Match. */
  const presignPut = (key: string) => {
    const signer = new S3Client({
      endpoint: store.endpoint,
      region: 'us-east-1',
      credentials: testCredentials,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    const content = { ContentType: 'application/zip', ContentLength: bytes.length, ChecksumSHA256: sha256(bytes) };
    return getSignedUrl(signer, new PutObjectCommand({ Bucket: testBucket, Key: key, ...content, IfNoneMatch: '*' }), {
      expiresIn: 60,
      unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
      signableHeaders: new Set(['host', 'content-type', 'content-length', 'if-none-match']),
    });
  };
  const signedHeaders: Record<string, string> = {
    'content-type': 'application/zip',
    'x-amz-checksum-sha256': sha256(bytes),
    'if-none-match': '*',
  };
  const upload = async (url: string, headers: Record<string, string | undefined> = {}, body: Buffer = bytes) => {
    const sent = Object.entries({ ...signedHeaders, ...headers }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const reply = await fetch(url, { method: 'PUT', headers: sent, body: new Uint8Array(body) });
    return { status: reply.status, code: /<Code>(\w+)</.exec(await reply.text())?.[1] };
  };

  test('is taken exactly as it was signed, once', async () => {
    const key = freshKey();
    const url = await presignPut(key);
    const { searchParams } = new URL(url);
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host;if-none-match;x-amz-checksum-sha256');
    for (const name of ['sha256', 'crc32']) expect(searchParams.has(`x-amz-checksum-${name}`)).toBe(false);
    expect(await upload(url)).toMatchObject({ status: 200 });
    expect(await upload(url)).toMatchObject({ status: 412, code: 'PreconditionFailed' });
    expect((await get(key)).bytes).toEqual(bytes);
  });

  const forged = { status: 403, code: 'SignatureDoesNotMatch' };
  const same = (url: string) => url;
  test.each<[string, object, (url: string) => string, Record<string, string | undefined>, Buffer]>([
    ['other bytes of the same length', { status: 400, code: 'BadDigest' }, same, {}, Buffer.from(bytes).fill('x', 3, 4)],
    ['another length', forged, same, {}, other],
    ['another checksum', forged, same, { 'x-amz-checksum-sha256': sha256(other) }, bytes],
    ['another type', forged, same, { 'content-type': 'text/html' }, bytes],
    ['no type', forged, same, { 'content-type': undefined }, bytes],
    ['no checksum', forged, same, { 'x-amz-checksum-sha256': undefined }, bytes],
    ['no If-None-Match', forged, same, { 'if-none-match': undefined }, bytes],
    ['a header that was not signed', { status: 403, code: 'AccessDenied' }, same, { 'x-amz-meta-note': 'slipped in' }, bytes],
    ['another key', forged, (url) => url.replace('/test/', '/best/'), {}, bytes],
    ['a later end', forged, (url) => url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'), {}, bytes],
  ])('is refused with %s', async (_, refusal, change, headers, body) => {
    const key = freshKey();
    expect(await upload(change(await presignPut(key)), headers, body)).toEqual(refusal);
    await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('is refused without a length, in chunks', async () => {
    const headers = { ...signedHeaders, 'transfer-encoding': 'chunked' };
    const request = httpRequest(await presignPut(freshKey()), { method: 'PUT', headers }).end(bytes);
    const [reply] = await once(request, 'response');
    expect(reply.resume().statusCode).toBe(403);
  });

  test('leaves nothing behind when the client disconnects in the middle', async () => {
    const key = freshKey();
    const headers = { ...signedHeaders, 'content-length': bytes.length };
    const request = httpRequest(await presignPut(key), { method: 'PUT', headers });
    const uploads = (count: number) =>
      eventually(`${count} uploads are under way`, 10, async () => {
        const files = await readdir(join(store.directory, 'uploads'));
        return files.length === count || undefined;
      });
    request.write(bytes.subarray(0, 5));
    await uploads(1);
    const ended = once(request, 'error');
    request.destroy(new Error('gone'));
    await ended;
    await uploads(0);
    await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('is refused with S3’s XML, which shows neither query nor signature', async () => {
    const url = await presignPut(freshKey());
    const reply = await fetch(`${url}0`, { method: 'PUT', headers: signedHeaders, body: new Uint8Array(bytes) });
    const text = await reply.text();
    expect(reply.headers.get('content-type')).toBe('application/xml');
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>\w+<\/Code><Message>.+<\/RequestId><\/Error>$/);
    expect(text).not.toContain(new URL(url).searchParams.get('X-Amz-Signature'));
  });

  test('ends when it expires, as a download does', async () => {
    const key = freshKey();
    await put(key);
    const [put60, get60] = [
      await presignPut(freshKey()),
      await getSignedUrl(store.client, new GetObjectCommand({ Bucket: testBucket, Key: key }), { expiresIn: 60 }),
    ];
    expect((await fetch(get60)).status).toBe(200);
    store.pass(61);
    const late = [await upload(put60), (await fetch(get60)).status];
    store.pass(-61);
    expect(late).toEqual([{ status: 403, code: 'AccessDenied' }, 403]);
  });
});

test('a presigned download gives the version, under the name and type that its URL says, and nothing else', async () => {
  const Key = freshKey();
  const { VersionId } = await put(Key);
  await put(Key, { Body: 'a later version' });
  const ResponseContentDisposition = `attachment; filename="a.zip"; filename*=UTF-8''%E3%81%82.zip`;
  const response = { ResponseContentDisposition, ResponseContentType: 'application/zip' };
  const url = await getSignedUrl(store.client, new GetObjectCommand({ Bucket: testBucket, Key, VersionId, ...response }));
  const reply = await fetch(url);
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
  expect(reply.headers.get('content-disposition')).toBe(ResponseContentDisposition);
  expect(reply.headers.get('content-type')).toBe('application/zip');
  expect((await fetch(url.replace('attachment', 'inline'))).status).toBe(403);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
  expect((await fetch(url, { headers: { range: 'bytes=0-2' } })).status).toBe(206);
});

test.each([
  ['AWS', undefined],
  ['a store of its own', 'http://127.0.0.1:9001'],
])('the function of updaters signs as the SDK does, for %s', async (_where, endpoint) => {
  const now = () => new Date('2026-03-01T09:00:00.000Z');
  const object = { key: 'files/prd_1/fil_1', versionId: 'v+/=1', fileName: '写真 (1).dmg', contentType: 'application/zip; a="b"' };
  const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = testCredentials;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION: 'eu-west-1' });
  if (endpoint === undefined) delete process.env['AWS_ENDPOINT_URL_S3'];
  else process.env['AWS_ENDPOINT_URL_S3'] = endpoint;
  const client = createS3Client({ region: 'eu-west-1' });
  const [expected, signed] = await Promise.all([
    createObjectStore({ bucketName: 'files', client, now }).presignDownload(object, 60),
    findDownloadSigner('files', now)?.presignDownload(object, 60),
  ]);
  const parts = (url = '') => [new URL(url).origin, new URL(url).pathname, Object.fromEntries(new URL(url).searchParams)];
  expect(parts(signed)).toEqual(parts(expected));
});

describe('for browsers', () => {
  test.each([
    [consoleOrigin, 'PUT', 'content-type,if-none-match', 200],
    ['https://evil.example', 'PUT', 'content-type', 403],
    [consoleOrigin, 'PUT', 'content-type,x-amz-acl', 403],
    [consoleOrigin, 'DELETE', 'content-type', 403],
  ])('a page of %s is answered, asking for %s with %s, by %d', async (origin, method, names, status) => {
    const headers = { origin, 'access-control-request-method': method, 'access-control-request-headers': names };
    const reply = await fetch(`${store.endpoint}/web/some/key`, { method: 'OPTIONS', headers });
    const allowed = ['origin', 'headers'].map((name) => reply.headers.get(`access-control-allow-${name}`));
    expect([reply.status, ...allowed]).toEqual([
      status,
      ...(status === 200 ? [consoleOrigin, 'content-type, if-none-match'] : [null, null]),
    ]);
  });

  test('a page may read the reply, a refusal too', async () => {
    const reply = await fetch(`${store.endpoint}/web/some/key`, { method: 'PUT', headers: { origin: consoleOrigin } });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([403, consoleOrigin]);
  });
});

test('a store that is started again has its versions and its port, unless another has that', async () => {
  const folder = await temporaryFolder();
  const start = (options = {}) => startTestObjectStore({ directory: folder.path, ...options });
  const first = await start();
  const object = { Bucket: testBucket, Key: 'kept' };
  const { VersionId } = await first.client.send(new PutObjectCommand({ ...object, Body: 'one' }));
  await first.client.send(new PutObjectCommand({ ...object, Body: 'two' }));
  await first.stop();

  const second = await start();
  expect(second.endpoint).toBe(first.endpoint);
  const read = async (input = {}) => (await second.client.send(new GetObjectCommand({ ...object, ...input }))).Body?.transformToString();
  expect([await read(), await read({ VersionId })]).toEqual(['two', 'one']);
  const third = await start();
  expect(third.endpoint).not.toBe(second.endpoint);
  await expect(start({ port: Number(new URL(second.endpoint).port) })).rejects.toThrow('EADDRINUSE');
  await Promise.all([second.stop(), third.stop()]);
  await folder.remove();
});
