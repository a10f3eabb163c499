import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startProcess } from '../../support/engines/child-process.ts';
import { startTestObjectStore, type TestObjectStore, testBucket, testCredentials } from '../../support/engines/test-object-store.ts';

const mib = 1024 ** 2;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
const [first, second, last] = [randomBytes(5 * mib), randomBytes(5 * mib), Buffer.from('the rest')];

/** What a client does with uploads in parts. */
function partsBy(client: S3Client, Key: string) {
  const of = { Bucket: testBucket, Key };
  return {
    async begin(): Promise<string> {
      const command = new CreateMultipartUploadCommand({ ...of, ContentType: 'application/zip', ChecksumAlgorithm: 'SHA256' });
      return (await client.send(command)).UploadId ?? '';
    },
    async store(UploadId: string, PartNumber: number, Body: Buffer) {
      const ChecksumSHA256 = sha256(Body);
      const { ETag } = await client.send(new UploadPartCommand({ ...of, UploadId, PartNumber, Body, ChecksumSHA256 }));
      return { PartNumber, ETag, ChecksumSHA256 };
    },
    list: (UploadId: string, more = {}) => client.send(new ListPartsCommand({ ...of, UploadId, ...more })),
    complete: (UploadId: string, Parts: object[], more: Partial<CompleteMultipartUploadCommandInput> = {}) =>
      client.send(new CompleteMultipartUploadCommand({ ...of, UploadId, MultipartUpload: { Parts }, ...more })),
    abort: (UploadId: string) => client.send(new AbortMultipartUploadCommand({ ...of, UploadId })),
  };
}

/** How many bytes lie in files below a folder of the store. */
const filesBelow = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile() && entry.name.endsWith('.data'));

describe('uploads in parts to the local object store', () => {
  let store: TestObjectStore;
  let key = '';
  let parts: ReturnType<typeof partsBy>;
  let made = 0;
  beforeAll(async () => {
    store = await startTestObjectStore();
  });
  afterAll(() => store.stop());
  beforeEach(() => {
    made += 1;
    key = `parts/${made}/a & b`;
    parts = partsBy(store.client, key);
  });

  const read = async (input = {}) => {
    const reply = await store.client.send(new GetObjectCommand({ Bucket: testBucket, Key: key, ...input }));
    return Buffer.from((await reply.Body?.transformToByteArray()) ?? []);
  };
  const beginWith = async (...bodies: Buffer[]) => {
    const id = await parts.begin();
    const named = [];
    for (const [index, body] of bodies.entries()) named.push(await parts.store(id, index + 1, body));
    return { id, named };
  };

  test('become one object, in the order of their numbers, of which every range can be read', async () => {
    const id = await parts.begin();
    const begun = Date.now();
    store.pass(2);
    const three = await parts.store(id, 30, last);
    const one = await parts.store(id, 1, first);
    const two = await parts.store(id, 2, second);
    const done = await parts.complete(id, [one, two, three], { IfNoneMatch: '*' });
    const whole = Buffer.concat([first, second, last]);
    const composite = sha256(Buffer.concat([first, second, last].map((body) => Buffer.from(sha256(body), 'base64'))));
    const md5 = (body: Buffer) => createHash('md5').update(body);
    const etag = `"${md5(Buffer.concat([first, second, last].map((body) => md5(body).digest()))).digest('hex')}-3"`;
    expect(done).toMatchObject({ ETag: etag, ChecksumSHA256: `${composite}-3`, ChecksumType: 'COMPOSITE', VersionId: expect.any(String) });
    const head = await store.client.send(new HeadObjectCommand({ Bucket: testBucket, Key: key, ChecksumMode: 'ENABLED' }));
    expect(head).toMatchObject({
      ETag: etag,
      ContentLength: whole.length,
      ContentType: 'application/zip',
      ChecksumSHA256: `${composite}-3`,
      ChecksumType: 'COMPOSITE',
      VersionId: done.VersionId,
    });
    store.pass(-2);
    expect(head.LastModified?.getTime()).toBeLessThanOrEqual(begun);
    expect((await read()).equals(whole)).toBe(true);
    for (const [from, to] of [
      [5 * mib - 2, 5 * mib + 1],
      [5 * mib, 5 * mib],
      [1, 10 * mib + 3],
      [10 * mib, 10 * mib + 7],
    ] as const) {
      expect((await read({ Range: `bytes=${from}-${to}` })).equals(whole.subarray(from, to + 1))).toBe(true);
    }
    for (const gone of [parts.complete(id, [one]), parts.list(id), parts.abort(id), parts.store(id, 1, last)]) {
      await expect(gone).rejects.toMatchObject({ name: 'NoSuchUpload' });
    }
    expect(await filesBelow(join(store.directory, 'multipart'))).toEqual([]);
    await store.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: key, VersionId: done.VersionId }));
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await filesBelow(store.directory)).toEqual([]);
  });

  test('count as they were stored last, and are listed by number, page by page', async () => {
    const { id } = await beginWith(first, second, last);
    const again = await parts.store(id, 2, last);
    expect((await parts.list(id)).Parts).toMatchObject([
      { PartNumber: 1, Size: first.length, ChecksumSHA256: sha256(first) },
      { PartNumber: 2, Size: last.length, ChecksumSHA256: sha256(last), ETag: again.ETag },
      { PartNumber: 3, Size: last.length },
    ]);
    const page = await parts.list(id, { MaxParts: 2 });
    expect(page).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '2', ChecksumType: 'COMPOSITE' });
    const rest = await parts.list(id, { MaxParts: 2, PartNumberMarker: page.NextPartNumberMarker });
    expect([rest.Parts?.map(({ PartNumber }) => PartNumber), rest.IsTruncated]).toEqual([[3], false]);
    await parts.abort(id);
  });

  test('are put together as they are named, and are there still when that is refused', async () => {
    const { id, named } = await beginWith(first, last, second);
    const [one, small, three] = named;
    const refused = async (name: string, chosen: object[], more = {}) =>
      expect(parts.complete(id, chosen, more)).rejects.toMatchObject({ name });
    await refused('InvalidPartOrder', [three!, one!]);
    await refused('InvalidPartOrder', [one!, one!]);
    await refused('InvalidPart', [one!, { ...three, PartNumber: 4 }]);
    await refused('InvalidPart', [one!, { ...three, ETag: one!.ETag }]);
    await refused('InvalidPart', [one!, { ...three, ChecksumSHA256: sha256(last) }]);
    await refused('InvalidRequest', [one!, { ...three, ChecksumSHA256: undefined }]);
    await refused('EntityTooSmall', [one!, small!, three!]);
    await refused('MalformedXML', []);
    await store.client.send(new PutObjectCommand({ Bucket: testBucket, Key: key, Body: 'first' }));
    await refused('PreconditionFailed', [one!, three!], { IfNoneMatch: '*' });
    expect((await read()).toString()).toBe('first');
    await parts.complete(id, [one!, three!]);
    expect((await read()).equals(Buffer.concat([first, second]))).toBe(true);
  });

  test('of completions at once exactly one succeeds', async () => {
    const { id, named } = await beginWith(first, last);
    const done = await Promise.allSettled(Array.from({ length: 6 }, () => parts.complete(id, named, { IfNoneMatch: '*' })));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('are refused under a number that there is not, without their checksum, and with other bytes', async () => {
    const id = await parts.begin();
    const send = (input: object) =>
      store.client.send(new UploadPartCommand({ Bucket: testBucket, Key: key, UploadId: id, PartNumber: 1, Body: last, ...input }));
    for (const PartNumber of [0, 10_001]) {
      await expect(send({ PartNumber, ChecksumSHA256: sha256(last) })).rejects.toMatchObject({ name: 'InvalidArgument' });
    }
    await expect(send({ ChecksumCRC32: 'AAAAAA==' })).rejects.toMatchObject({ name: 'InvalidRequest' });
    await expect(send({ ChecksumSHA256: sha256(first) })).rejects.toMatchObject({ name: 'BadDigest' });
    for (const UploadId of ['f'.repeat(48), '../x', '']) {
      await expect(send({ UploadId, ChecksumSHA256: sha256(last) })).rejects.toMatchObject({ name: 'NoSuchUpload' });
    }
    await expect(partsBy(store.client, `${key}2`).list(id)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect((await parts.list(id)).Parts).toBeUndefined();
    for (const kind of [{}, { ChecksumAlgorithm: 'CRC32' as const }]) {
      const begin = store.client.send(new CreateMultipartUploadCommand({ Bucket: testBucket, Key: key, ...kind }));
      await expect(begin).rejects.toMatchObject({ name: 'NotImplemented' });
    }
    await parts.abort(id);
  });

  test('that were neither completed nor aborted are listed under a prefix, page by page', async () => {
    const begun: (string | undefined)[][] = [];
    for (const Key of ['open/b', 'open/a', 'open/b', 'other']) begun.push([Key, await partsBy(store.client, Key).begin()]);
    const found: (string | undefined)[][] = [];
    let next = {};
    for (;;) {
      const command = new ListMultipartUploadsCommand({ Bucket: testBucket, Prefix: 'open/', MaxUploads: 2, ...next });
      const page = await store.client.send(command);
      found.push(...(page.Uploads ?? []).map(({ Key, UploadId }) => [Key, UploadId]));
      if (!page.IsTruncated) break;
      next = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
    expect(found).toEqual([begun[1], begun[0], begun[2]]);
    for (const [Key = '', id = ''] of begun) await partsBy(store.client, Key).abort(id);
  });
});

describe('parts in a local object store that is killed', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'object-store-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test('are all there afterwards that were acknowledged, whatever was in the way, and go without a trace', async () => {
    const uploads = new Map<number, { id: string; acknowledged: Map<number, Buffer> }>();
    for (let life = 0; life < 2; life += 1) {
      const mortal = await startProcess('./object-store-process.ts', [directory]);
      const client = new S3Client({ endpoint: mortal.said, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
      const writers = [1, 2, 3].map(async (name) => {
        const parts = partsBy(client, `writer ${name}`);
        const upload = uploads.get(name) ?? { id: await parts.begin(), acknowledged: new Map() };
        uploads.set(name, upload);
        for (;;) {
          const number = 1 + (upload.acknowledged.size % 40);
          const body = randomBytes(100_000);
          // Until it is acknowledged nobody can tell which of the two is there.
          upload.acknowledged.delete(number);
          await parts.store(upload.id, number, body);
          upload.acknowledged.set(number, body);
        }
      });
      const count = () => [...uploads.values()].reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
      while (count() < (life + 1) * 25) await new Promise((resolve) => setTimeout(resolve, 5));
      mortal.child.kill('SIGKILL');
      await Promise.allSettled(writers);
      client.destroy();
    }
    const store = await startTestObjectStore({ directory });
    for (const [name, { id, acknowledged }] of uploads) {
      const parts = partsBy(store.client, `writer ${name}`);
      const stored = new Map((await parts.list(id)).Parts?.map((part) => [part.PartNumber, part.ChecksumSHA256]));
      for (const [number, body] of acknowledged) expect(stored.get(number)).toBe(sha256(body));
      await parts.abort(id);
    }
    expect(await filesBelow(directory)).toEqual([]);
    await store.stop();
  });

  test('while it puts them together are either an object or parts still, and never both once they are completed again', async () => {
    for (let life = 0; life < 3; life += 1) {
      const mortal = await startProcess('./object-store-process.ts', [directory]);
      const client = new S3Client({ endpoint: mortal.said, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
      const parts = partsBy(client, `object ${life}`);
      const id = await parts.begin();
      const named = [await parts.store(id, 1, first), await parts.store(id, 2, last)];
      const completing = parts.complete(id, named, { IfNoneMatch: '*' }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, life * 3));
      mortal.child.kill('SIGKILL');
      await completing;
      client.destroy();

      const store = await startTestObjectStore({ directory });
      const again = partsBy(store.client, `object ${life}`);
      await again
        .complete(id, named, { IfNoneMatch: '*' })
        .catch(({ name }) => expect(['PreconditionFailed', 'NoSuchUpload']).toContain(name));
      await again.abort(id).catch(({ name }) => expect(name).toBe('NoSuchUpload'));
      const reply = await store.client.send(new GetObjectCommand({ Bucket: testBucket, Key: `object ${life}` }));
      const bytes = Buffer.from((await reply.Body?.transformToByteArray()) ?? []);
      expect(bytes.equals(Buffer.concat([first, last]))).toBe(true);
      expect(await filesBelow(directory)).toHaveLength(2 * (life + 1));
      await store.stop();
    }
  });
});
