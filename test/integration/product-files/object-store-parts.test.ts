import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startProcess } from '../../support/engines/child-process.ts';
import { startTestObjectStore, type TestObjectStore, testBucket, testCredentials } from '../../support/engines/test-object-store.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
/** The least that a part holds which is not the last. */
const partSize = 5 * 1024 ** 2;

/** What a client does with an upload in parts. */
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

const [first, second, last] = [randomBytes(partSize), randomBytes(partSize), Buffer.from('the rest')];

/** The files with bytes below a folder of the store. */
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
      [partSize - 2, partSize + 1],
      [partSize, partSize],
      [1, 2 * partSize + 3],
      [2 * partSize, 2 * partSize + 7],
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
    const refusals: [string, object[]][] = [
      ['InvalidPartOrder', [three!, one!]],
      ['InvalidPartOrder', [one!, one!]],
      ['InvalidPart', [one!, { ...three, PartNumber: 4 }]],
      ['InvalidPart', [one!, { ...three, ETag: one!.ETag }]],
      ['InvalidPart', [one!, { ...three, ChecksumSHA256: sha256(last) }]],
      ['InvalidRequest', [one!, { ...three, ChecksumSHA256: undefined }]],
      ['EntityTooSmall', [one!, small!, three!]],
      ['MalformedXML', []],
    ];
    for (const [name, chosen] of refusals) await expect(parts.complete(id, chosen)).rejects.toMatchObject({ name });
    await store.client.send(new PutObjectCommand({ Bucket: testBucket, Key: key, Body: 'first' }));
    const overwrite = parts.complete(id, [one!, three!], { IfNoneMatch: '*' });
    await expect(overwrite).rejects.toMatchObject({ name: 'PreconditionFailed' });
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
    const checked = { ChecksumSHA256: sha256(last) };
    const refusals: [string, object][] = [
      ['InvalidArgument', { ...checked, PartNumber: 0 }],
      ['InvalidArgument', { ...checked, PartNumber: 10_001 }],
      ['InvalidRequest', { ChecksumCRC32: 'AAAAAA==' }],
      ['BadDigest', { ChecksumSHA256: sha256(first) }],
      ...['f'.repeat(48), '../x', ''].map((UploadId): [string, object] => ['NoSuchUpload', { ...checked, UploadId }]),
    ];
    for (const [name, input] of refusals) await expect(send(input)).rejects.toMatchObject({ name });
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

test('an object store that is killed has all that it acknowledged, nothing by halves, and parts that are apart or put together', async () => {
  const folder = await temporaryFolder();
  const body = randomBytes(100_000);
  const objects: string[] = [];
  const stored = new Map<number, Buffer>();
  const whole: { key: string; id: string; named: object[] }[] = [];
  let upload: string | undefined;
  for (const life of [0, 1, 2]) {
    const mortal = await startProcess('./object-store-process.ts', [folder.path]);
    const client = new S3Client({ endpoint: mortal.said, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
    const writeObjects = async (writer: string) => {
      for (let at = 0; ; at += 1) {
        const Key = `life ${life}/${writer}/${at}`;
        await client.send(new PutObjectCommand({ Bucket: testBucket, Key, Body: body, IfNoneMatch: '*' }));
        objects.push(Key);
      }
    };
    const open = partsBy(client, 'open');
    upload ??= await open.begin();
    const writeParts = async (id: string) => {
      for (let at = 0; ; at += 1) {
        const number = 1 + (at % 10);
        const part = randomBytes(100_000);
        // Until it is acknowledged nobody can tell which of the two is there.
        stored.delete(number);
        await open.store(id, number, part);
        stored.set(number, part);
      }
    };
    const parts = partsBy(client, `whole ${life}`);
    const id = await parts.begin();
    const named = [await parts.store(id, 1, first), await parts.store(id, 2, last)];
    whole.push({ key: `whole ${life}`, id, named });

    const acknowledged = async (count: number) => {
      while (objects.length < count || stored.size < 5) await sleep(2);
    };
    const writers = Promise.allSettled([writeObjects('a'), writeObjects('b'), writeParts(upload)]);
    await acknowledged((life + 1) * 12);
    const completing = parts.complete(id, named, { IfNoneMatch: '*' }).catch(() => undefined);
    // Before it can be done, in the midst of it, and afterwards.
    await acknowledged(objects.length + life);
    mortal.child.kill('SIGKILL');
    await Promise.all([writers, completing]);
    client.destroy();
  }

  const store = await startTestObjectStore({ directory: folder.path });
  const read = async (Key: string) => {
    const { Body } = await store.client.send(new GetObjectCommand({ Bucket: testBucket, Key }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  };
  for (const key of objects) expect((await read(key)).equals(body)).toBe(true);
  const open = partsBy(store.client, 'open');
  const found = new Map((await open.list(upload ?? '')).Parts?.map((part) => [part.PartNumber, part.ChecksumSHA256]));
  for (const [number, part] of stored) expect(found.get(number)).toBe(sha256(part));
  await open.abort(upload ?? '');
  for (const { key, id, named } of whole) {
    const parts = partsBy(store.client, key);
    await parts
      .complete(id, named, { IfNoneMatch: '*' })
      .catch(({ name }) => expect(['PreconditionFailed', 'NoSuchUpload']).toContain(name));
    await parts.abort(id).catch(({ name }) => expect(name).toBe('NoSuchUpload'));
    expect((await read(key)).equals(Buffer.concat([first, last]))).toBe(true);
  }
  expect(await filesBelow(join(folder.path, 'multipart'))).toEqual([]);
  await store.stop();
  await folder.remove();
}, 60_000);
