import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type Change,
  type GuardedEngines,
  startGuardedEngines,
  statementsOf,
  type TemplateResource,
} from '../../support/access/changed-app.ts';

jest.setTimeout(120_000);

/** A function with the bucket, whose rights on it the tests set. */
const seller = 'product-files';

function allowObjects(resources: readonly TemplateResource[], actions: string[], ofBucket: string[] = []): void {
  const statements = statementsOf(resources, seller);
  const others = statements.filter(({ Action }) => !String(Action).startsWith('s3:'));
  const bucket = 'arn:aws:s3:::license-service-local-data-filesbucket7c17ee2e';
  const allow = (Action: string[], Resource: string) => (Action.length > 0 ? [{ Effect: 'Allow', Action, Resource }] : []);
  statements.splice(0, statements.length, ...others, ...allow(actions, `${bucket}/files/*`), ...allow(ofBucket, bucket));
}

const bucketPolicy = (resources: readonly TemplateResource[]) =>
  resources.find(({ Type }) => Type === 'AWS::S3::BucketPolicy')!.Properties.PolicyDocument.Statement;

let folder: string;
let local: GuardedEngines;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-access-'));
});
afterEach(async () => {
  await local.stop();
  await rm(folder, { recursive: true, force: true });
});
const startWith = async (change: Change, env: NodeJS.ProcessEnv = {}) => {
  local = await startGuardedEngines(change, env);
  return { store: local.as(seller).store, Bucket: local.bucketName };
};
const denied = (message: string) => ({ name: 'AccessDenied', message: expect.stringContaining(message) });

describe('the file store', () => {
  test('lets a function write and read where its role does, and once', async () => {
    const { store, Bucket } = await startWith((resources) => allowObjects(resources, ['s3:PutObject', 's3:GetObject']));
    const put = (Key: string, IfNoneMatch?: string) => store.send(new PutObjectCommand({ Bucket, Key, Body: 'a', IfNoneMatch }));
    await put('files/a', '*');
    await store.send(new GetObjectCommand({ Bucket, Key: 'files/a' }));
    await expect(put('files/b')).rejects.toMatchObject(denied('with an explicit deny in a resource-based policy'));
    await expect(put('pictures/a', '*')).rejects.toMatchObject(denied('no identity-based policy allows the s3:PutObject action'));
    await expect(store.send(new DeleteObjectCommand({ Bucket, Key: 'files/a' }))).rejects.toMatchObject(denied('s3:DeleteObject'));
    const version = new GetObjectCommand({ Bucket, Key: 'files/a', VersionId: 'null' });
    await expect(store.send(version)).rejects.toMatchObject(denied('s3:GetObjectVersion'));
  });

  test('lets parts be stored without a condition, and be put together under it alone', async () => {
    const { store, Bucket } = await startWith((resources) => allowObjects(resources, ['s3:PutObject']));
    const Key = 'files/a';
    const { UploadId } = await store.send(new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: 'SHA256' }));
    const of = { Bucket, Key, UploadId };
    const ChecksumSHA256 = createHash('sha256').update('a').digest('base64');
    const { ETag } = await store.send(new UploadPartCommand({ ...of, PartNumber: 1, Body: 'a', ChecksumSHA256 }));
    const complete = { ...of, MultipartUpload: { Parts: [{ PartNumber: 1, ETag, ChecksumSHA256 }] } };
    const overwrite = store.send(new CompleteMultipartUploadCommand(complete));
    await expect(overwrite).rejects.toMatchObject(denied('with an explicit deny in a resource-based policy'));
    await expect(store.send(new ListPartsCommand(of))).rejects.toMatchObject(denied('s3:ListMultipartUploadParts'));
    await expect(store.send(new AbortMultipartUploadCommand(of))).rejects.toMatchObject(denied('s3:AbortMultipartUpload'));
    await expect(store.send(new ListMultipartUploadsCommand({ Bucket }))).rejects.toMatchObject(denied('s3:ListBucketMultipartUploads'));
    await store.send(new CompleteMultipartUploadCommand({ ...complete, IfNoneMatch: '*' }));
  });

  test('tells that an object is missing only to who may list', async () => {
    const missing = { Bucket: '', Key: 'files/none' };
    const first = await startWith((resources) => allowObjects(resources, ['s3:GetObject']));
    await expect(first.store.send(new GetObjectCommand({ ...missing, Bucket: first.Bucket }))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    await local.stop();
    const second = await startWith((resources) => allowObjects(resources, ['s3:GetObject'], ['s3:ListBucket']));
    await expect(second.store.send(new GetObjectCommand({ ...missing, Bucket: second.Bucket }))).rejects.toMatchObject({
      name: 'NoSuchKey',
    });
  });

  test('knows a signed URL from a signed request', async () => {
    const { store, Bucket } = await startWith((resources) => {
      allowObjects(resources, ['s3:PutObject', 's3:GetObject']);
      const [first] = bucketPolicy(resources);
      const Condition = { StringEquals: { 's3:authType': 'REST-QUERY-STRING' } };
      bucketPolicy(resources).push({ ...first, Action: 's3:GetObject', Condition });
    });
    await store.send(new PutObjectCommand({ Bucket, Key: 'files/a', Body: 'a', IfNoneMatch: '*' }));
    const read = new GetObjectCommand({ Bucket, Key: 'files/a' });
    await store.send(read);
    expect((await fetch(await getSignedUrl(store, read))).status).toBe(403);
  });

  test('takes no signed URL of another token, and one of before a restart', async () => {
    const change: Change = (resources) => allowObjects(resources, ['s3:PutObject', 's3:GetObject']);
    const { store, Bucket } = await startWith(change, { DATA_DIR: folder });
    await store.send(new PutObjectCommand({ Bucket, Key: 'files/a', Body: 'bytes', IfNoneMatch: '*' }));
    const read = new GetObjectCommand({ Bucket, Key: 'files/a' });
    const url = await getSignedUrl(store, read);
    const { sessionToken } = local.credentialsOf('pictures');
    const foreign = await fetch(await getSignedUrl(local.as(seller, { sessionToken }).store, read));
    expect([foreign.status, await foreign.text()]).toEqual([400, expect.stringContaining('<Code>InvalidToken</Code>')]);
    await local.stop();
    local = await startGuardedEngines(change, { DATA_DIR: folder });
    const reply = await fetch(url);
    expect([reply.status, await reply.text()]).toEqual([200, 'bytes']);
  });
});

test('ACCESS_RECORD tells each distinct call once, without what tells items or objects apart', async () => {
  const { store, Bucket } = await startWith((resources) => allowObjects(resources, ['s3:PutObject']), { ACCESS_RECORD: folder });
  for (const name of ['a', 'b']) {
    await store.send(new PutObjectCommand({ Bucket, Key: `files/${name}`, Body: 'a', IfNoneMatch: '*' }));
    const read = new GetItemCommand({ TableName: local.tableName, Key: { pk: { S: `FILE#${name}` }, sk: { S: 'a' } } });
    await local
      .as('health', { secretAccessKey: 'guess' })
      .table.send(read)
      .catch(() => undefined);
    await local
      .as('docs')
      .table.send(read)
      .catch(() => undefined);
    await local
      .as('pictures')
      .store.send(new PutObjectCommand({ Bucket, Key: `files/${name}`, Body: 'a' }))
      .catch(() => undefined);
  }
  const linesOf = async (file: string) =>
    (await readFile(join(folder, file), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const allowed = await linesOf('allowed.jsonl');
  expect(allowed.filter(({ action }) => action === 's3:PutObject')).toEqual([
    { function: seller, action: 's3:PutObject', resource: `arn:aws:s3:::${Bucket}/files/*`, prefixes: [] },
  ]);
  expect(await linesOf('denied.jsonl')).toEqual([
    {
      function: 'docs',
      action: 'dynamodb:GetItem',
      resource: `arn:aws:dynamodb:us-east-1:000000000000:table/${local.tableName}`,
      prefixes: ['FILE#'],
    },
    { function: 'pictures', action: 's3:PutObject', resource: `arn:aws:s3:::${Bucket}/files/*`, prefixes: [] },
  ]);
});
