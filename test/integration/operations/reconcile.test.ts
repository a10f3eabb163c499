import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { listVersions, type StoredVersion } from '../../../infra/commands/ops/reconcile/file-bucket.ts';
import { operatorIdentity } from '../../../infra/local/access/credentials.ts';
import { credentialsSeed, readKeptSecrets } from '../../../infra/local/local-settings.ts';
import { readStackFile } from '../../../infra/local/stack-file.ts';
import type { Item } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { ProductFileRecord } from '../../../shared/product-files/product-file.ts';
import { createS3Client } from '../../../shared/product-files/storage/object-store.ts';
import { png } from '../../support/samples/pictures.ts';
import { bytesOf, sellApp } from '../../support/scenes/releases/sold-app.ts';
import { type KeptStack, startKeptStack } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct, publishFile, uploadFile } from '../../support/scenes/stack-harness.ts';

jest.setTimeout(240_000);

let stack: KeptStack;
let bucket: { client: S3Client; Bucket: string };
let product: { id: string; slug: string };
let installer: string;
let picture: string;

beforeAll(async () => {
  stack = await startKeptStack();
  product = await offerProduct(stack.harness);
  installer = await publishFile(stack.harness, product.id, 'setup.zip', Buffer.from('an installer'));
  picture = await publishFile(stack.harness, product.id, 'window.png', png(8, 8), { content_type: 'image/png', purpose: 'image' });
  const { s3Endpoint, bucketName = '', region } = await readStackFile(stack.folder.path);
  const { [credentialsSeed]: seed = '' } = await readKeptSecrets(stack.folder.path);
  bucket = { client: createS3Client({ endpoint: s3Endpoint ?? '', region, credentials: operatorIdentity(seed) }), Bucket: bucketName };
});
afterAll(async () => {
  bucket.client.destroy();
  await stack.stop();
});

const upload = () => `files/${product.id}/${installer}`;
/** Uploads are written once, as the bucket's policy demands; pictures may be written over. */
const put = async (Key: string) =>
  bucket.client.send(
    new PutObjectCommand({ Bucket: bucket.Bucket, Key, Body: 'stray', ...(Key.startsWith('files/') && { IfNoneMatch: '*' }) }),
  );
const remove = (Key: string, VersionId?: string) =>
  bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.Bucket, Key, ...(VersionId && { VersionId }) }));
/** Deletes what is stored under the key, whole. */
async function lose(key: string): Promise<void> {
  for (const version of (await versionsOf(key)).versions) await remove(key, version);
}
const versionsOf = async (Prefix: string) => {
  const { Versions = [], DeleteMarkers = [] } = await bucket.client.send(new ListObjectVersionsCommand({ Bucket: bucket.Bucket, Prefix }));
  return { versions: Versions.map(({ VersionId }) => VersionId), markers: DeleteMarkers.length };
};
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const reconcile = (...options: string[]) => stack.ops(['reconcile', ...options]);

const twoHoursOld = (version: object) => ({ ...version, lastModified: new Date(Date.now() - 7_200_000).toISOString() });

/** Makes what is stored under the key two hours old. */
const age = (key: string) => rewriteIndex(key, (versions) => versions.map(twoHoursOld));

/** The newest version becomes the oldest, and lies beneath the others. */
const sink = (key: string) => rewriteIndex(key, (versions) => [...versions.slice(-1).map(twoHoursOld), ...versions.slice(0, -1)]);

async function rewriteIndex(key: string, change: (versions: object[]) => object[]): Promise<void> {
  const path = join(stack.folder.path, 'objects', bucket.Bucket, createHash('sha256').update(key).digest('hex'), 'index.json');
  const index = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...index, versions: change(index.versions) }));
}

async function recordOf(fileId: string): Promise<Item> {
  const { readAll } = await stack.openTable();
  const record = (await readAll()).find(({ pk, id }) => pk === `PRODUCT#${product.id}` && id === fileId);
  if (!record) throw new Error('There is no such file.');
  return record;
}

test('nothing is amiss with what was made through the interface, uploads that nobody finalizes too', async () => {
  const waiting = { filename: 'next.zip', content_type: 'application/zip', size_bytes: 3, sha256_hex: '0'.repeat(64) };
  const { product_file_id } = await stack.harness.call('POST', `/v1/products/${product.id}/files/upload-intent`, {
    as: 'seller',
    body: waiting,
  });
  await put(`files/${product.id}/${product_file_id}`);
  expect(await reconcile()).toMatchObject({ status: 0, lines: ['4 objects, 2 files, 0 faults, 0 mended'], stderr: '' });
});

test('an object that no record wants is told, and hidden only on demand and when it is old enough', async () => {
  const key = `files/${product.id}/${newId('file')}`;
  const foreign = 'files/somebody-elses';
  const [{ VersionId }] = [await put(key), await put(foreign)];
  const told = await reconcile();
  expect(told.status).toBe(1);
  expect(told.lines).toHaveLength(3);
  expect(told.lines[0]).toMatch(new RegExp(`^object: ${key} of \\S+Z is wanted by no record$`));
  expect(told.lines[1]).toMatch(new RegExp(`^object: ${foreign} of \\S+Z is wanted by no record$`));
  expect(told.lines[2]).toBe('6 objects, 2 files, 2 faults, 0 mended');

  expect((await reconcile('--repair', '--hide-before', anHourAgo())).lines.at(-1)).toBe('6 objects, 2 files, 2 faults, 0 mended');
  expect(await versionsOf(key)).toEqual({ versions: [VersionId], markers: 0 });
  expect(await reconcile('--hide-before', new Date().toISOString())).toMatchObject({ status: 2 });
  await remove(foreign, (await versionsOf(foreign)).versions[0]);
  await remove(key, VersionId);
});

test('an upload in parts that no job ends is told once it takes something, and ended only on demand and when it is old enough', async () => {
  const declared = { filename: 'next.zip', content_type: 'application/zip', size_bytes: 3, sha256_hex: '0'.repeat(64) };
  const { product_file_id } = await stack.harness.call('POST', `/v1/products/${product.id}/files/upload-intent`, {
    as: 'seller',
    body: { ...declared, part_size_bytes: 8_388_608 },
  });
  const uploadPart = async (Key: string, UploadId: string | undefined) => {
    const part = { Bucket: bucket.Bucket, Key, UploadId, PartNumber: 1, Body: 'stray' };
    await bucket.client.send(new UploadPartCommand({ ...part, ChecksumSHA256: createHash('sha256').update('stray').digest('base64') }));
  };
  const own = `files/${product.id}/${product_file_id}`;
  await uploadPart(own, ProductFileRecord.parse(await recordOf(product_file_id)).parts?.uploadId);
  const key = `files/${product.id}/${newId('file')}`;
  const begin = new CreateMultipartUploadCommand({ Bucket: bucket.Bucket, Key: key, ChecksumAlgorithm: 'SHA256' });
  const { UploadId = '' } = await bucket.client.send(begin);
  expect((await reconcile()).status).toBe(0);
  await uploadPart(key, UploadId);
  const line = new RegExp(`^upload: ${key} of \\S+Z has parts of 5 bytes, which no job ends$`);
  for (const told of [await reconcile(), await reconcile('--repair', '--hide-before', anHourAgo())]) {
    expect([told.status, told.lines]).toEqual([1, [expect.stringMatching(line), expect.stringMatching(/ 1 faults, 0 mended$/)]]);
  }
  const state = join(stack.folder.path, 'objects', 'multipart', UploadId, 'upload.json');
  const upload = JSON.parse(await readFile(state, 'utf8'));
  await writeFile(state, JSON.stringify({ ...upload, initiated: new Date(Date.now() - 7_200_000).toISOString() }));
  const ended = await reconcile('--hide-before', anHourAgo());
  expect([ended.status, ended.lines[0]]).toEqual([0, expect.stringMatching(/: ended$/)]);
  expect((await reconcile()).lines).toHaveLength(1);
});

test('what was hidden can be read by its version, and is uncovered once a record names it again', async () => {
  const table = await stack.openTable();
  const record = await recordOf(installer);
  await table.remove(record);
  await age(upload());
  const hidden = await reconcile('--hide-before', anHourAgo());
  expect(hidden).toMatchObject({ status: 0, stderr: '' });
  expect(hidden.lines[0]).toMatch(new RegExp(`^object: ${upload()} of \\S+Z is wanted by no record: hidden$`));
  expect(await versionsOf(upload())).toEqual({ versions: [record['versionId']], markers: 1 });
  expect(await reconcile()).toMatchObject({ status: 0 });

  await table.put(record);
  expect((await reconcile()).lines).toHaveLength(2);
  expect((await reconcile('--repair')).status).toBe(0);
  expect(await versionsOf(upload())).toEqual({ versions: [record['versionId']], markers: 0 });
});

test('a file whose version is hidden or covered is told, and uncovered again; what is older stays beneath', async () => {
  const pictureKey = `pictures/${product.id}/${picture}`;
  await put(pictureKey);
  await sink(pictureKey);
  const before = [await versionsOf(upload()), await versionsOf(pictureKey)];
  await remove(upload());
  await put(pictureKey);
  expect(before[1]?.versions).toHaveLength(2);
  const over = (id: string, key: string, done = '') =>
    `file: ${id} of ${product.id} is approved, and something lies over the version of ${key} that it names${done}`;
  const told = await reconcile();
  expect(told.status).toBe(1);
  expect(told.lines.slice(0, 2).sort()).toEqual([over(installer, upload()), over(picture, pictureKey)].sort());
  const repaired = await reconcile('--repair');
  expect(repaired).toMatchObject({ status: 0, stderr: '' });
  expect(repaired.lines).toContain(over(installer, upload(), ': uncovered'));
  expect([await versionsOf(upload()), await versionsOf(pictureKey)]).toEqual(before);
  expect((await reconcile()).status).toBe(0);
});

test('a file whose bytes are lost is told, and rejected as by an admin', async () => {
  const lost = await uploadFile(stack.harness, product.id, 'manual.pdf', Buffer.from('a manual'));
  const key = `files/${product.id}/${lost}`;
  await eventually('the file is hashed', 30, async () => ((await recordOf(lost))['hashStatus'] === 'verified' ? true : undefined));
  await lose(key);
  await lose(upload());

  const told = await reconcile();
  const line = (id: string, status: string, done = '') =>
    `file: ${id} of ${product.id} is ${status}, and files/${product.id}/${id} has lost the version that it names${done}`;
  expect(told).toMatchObject({ status: 1, stderr: '' });
  expect(told.lines.slice(0, -1).sort()).toEqual([line(installer, 'approved'), line(lost, 'pending_review')].sort());
  expect((await recordOf(installer))['status']).toBe('approved');

  const repaired = await reconcile('--repair');
  expect(repaired.status).toBe(0);
  expect(repaired.lines).toContain(line(installer, 'approved', ': rejected'));
  expect(repaired.lines.at(-1)).toMatch(/, 2 files, 2 faults, 2 mended$|, 3 files, 2 faults, 2 mended$/);
  const { files } = await stack.harness.call('GET', `/v1/public/products/${product.slug}`);
  expect(JSON.stringify(files ?? [])).not.toContain(installer);
  const { items } = await stack.harness.call('GET', `/v1/products/${product.id}/files`, { as: 'seller' });
  expect(items.find(({ id }: { id: string }) => id === installer)).toMatchObject({
    status: 'rejected',
    visibility: 'private',
    rejected_reason: 'The file was lost. Please upload it again.',
  });
  const audit = await stack.harness.call('GET', `/v1/admin/audit?target_id=${installer}`, { as: 'admin' });
  expect(audit.items).toContainEqual(expect.objectContaining({ actor: 'operator', action: 'product_file.reject' }));
  expect((await reconcile()).status).toBe(0);
  expect((await stack.ops(['check'])).status).toBe(0);
});

test('a file of a published release whose bytes are lost is told, and offered no more once it is repaired; one of a yanked release is fine', async () => {
  const { harness } = stack;
  const app = await sellApp(harness);
  for (const version of ['1.0.0', '1.1.0']) {
    const name = `Lumen-${version}.zip`;
    await app.release(version, [{ name, bytes: bytesOf(name), platform: 'any', arch: 'any', feeds: ['electron'] }]);
  }
  const releases = `/v1/products/${app.productId}/releases`;
  const [yanked, published] = (await harness.call('GET', releases, { as: 'seller' })).items;
  await harness.call('POST', `${releases}/${yanked.id}/yank`, { as: 'seller', body: { reason: 'It loses settings.' } });
  expect((await reconcile()).status).toBe(0);

  const [{ file_id: fileId }] = published.artifacts;
  const key = `files/${app.productId}/${fileId}`;
  await lose(key);
  const line = `file: ${fileId} of ${app.productId} is approved, and ${key} has lost the version that it names`;
  expect(await reconcile()).toMatchObject({ status: 1, lines: [line, expect.stringMatching(/ 1 faults, 0 mended$/)] });
  expect((await reconcile('--repair')).status).toBe(0);
  const { artifacts } = await harness.call('GET', `${releases}/${published.id}`, { as: 'seller' });
  expect(artifacts).toMatchObject([{ available: false }]);
  expect((await reconcile()).status).toBe(0);
  expect((await stack.ops(['check'])).status).toBe(0);
});

test('a bucket is read page by page', async () => {
  const client = bucket.client;
  client.middlewareStack.add((next) => (args) => next({ ...args, input: { ...args.input, MaxKeys: 2 } }), {
    step: 'initialize',
    name: 'short',
  });
  const pages: StoredVersion[][] = [];
  for await (const page of listVersions({ bucketName: bucket.Bucket, client }, '')) pages.push(page);
  client.middlewareStack.remove('short');
  const { versions, markers } = await versionsOf('');
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toHaveLength(versions.length + markers);
});
