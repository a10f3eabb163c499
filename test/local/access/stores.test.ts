import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
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
import {
  DescribeSecretCommand,
  type DescribeSecretCommandOutput,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { operatorIdentity } from '../../../infra/local/access/credentials.ts';
import {
  type Change,
  type GuardedEngines,
  propertiesOf,
  startGuardedEngines,
  statementsOf,
  type TemplateResource,
} from '../../support/access/changed-app.ts';
import { newFolder } from '../../support/new-folder.ts';

jest.setTimeout(120_000);

/** Functions with the bucket, by what their roles allow there. */
const [owner, uploader, lister] = ['product-files', 'file-hasher', 'file-scanner'] as const;
const Bucket = 'license-service-local-data-filesbucket7c17ee2e';
const bucketArn = `arn:aws:s3:::${Bucket}`;

function allowObjects(resources: readonly TemplateResource[], functionName: string, actions: string[], ofBucket: string[] = []): void {
  const statements = statementsOf(resources, functionName);
  const others = statements.filter(({ Action }) => !String(Action).includes('s3:'));
  const allow = (Action: string[], Resource: string) => (Action.length > 0 ? [{ Effect: 'Allow', Action, Resource }] : []);
  statements.splice(0, statements.length, ...others, ...allow(actions, `${bucketArn}/files/*`), ...allow(ofBucket, bucketArn));
}

const changes: Change = (resources) => {
  allowObjects(resources, owner, ['s3:PutObject', 's3:GetObject']);
  allowObjects(resources, uploader, ['s3:PutObject']);
  allowObjects(resources, lister, ['s3:GetObject'], ['s3:ListBucket']);
  propertiesOf(resources, 'AWS::S3::BucketPolicy').PolicyDocument.Statement.push({
    ...{ Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: `${bucketArn}/files/by-header/*` },
    Condition: { StringEquals: { 's3:authType': 'REST-QUERY-STRING' } },
  });
};

const consoleOrigins = ['https://console.example.com', 'https://other.example.com'];

const folder = newFolder();
let local: GuardedEngines;
let starts = 0;
/** Each start has a record of its own. */
const recordFolder = () => join(folder, `record-${starts}`);
const start = async () => {
  starts += 1;
  const CONSOLE_ORIGINS = consoleOrigins.join(', ');
  local = await startGuardedEngines(changes, { DATA_DIR: folder, ACCESS_RECORD: recordFolder(), CONSOLE_ORIGINS });
};
beforeAll(async () => {
  await start();
});
afterAll(() => local.stop());

const storeOf = (functionName: string) => local.as(functionName).store;
const put = (Key: string, IfNoneMatch?: string) => new PutObjectCommand({ Bucket, Key, Body: 'bytes', IfNoneMatch });
const get = (Key: string, VersionId?: string) => new GetObjectCommand({ Bucket, Key, VersionId });
const denied = (message: string) => ({ name: 'AccessDenied', message: expect.stringContaining(message) });
const byBucket = 'with an explicit deny in a resource-based policy';

test('the file store lets a function write and read where its role does, and once', async () => {
  const store = storeOf(owner);
  await store.send(put('files/a', '*'));
  await store.send(get('files/a'));
  await expect(store.send(put('files/b'))).rejects.toMatchObject(denied(byBucket));
  await expect(store.send(put('pictures/a', '*'))).rejects.toMatchObject(denied('no identity-based policy allows the s3:PutObject action'));
  await expect(store.send(new DeleteObjectCommand({ Bucket, Key: 'files/a' }))).rejects.toMatchObject(denied('s3:DeleteObject'));
  await expect(store.send(get('files/a', 'null'))).rejects.toMatchObject(denied('s3:GetObjectVersion'));
});

test('it lets parts be stored without a condition, and be put together under it alone', async () => {
  const store = storeOf(uploader);
  const object = { Bucket, Key: 'files/parts' };
  const { UploadId } = await store.send(new CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm: 'SHA256' }));
  const of = { ...object, UploadId };
  const ChecksumSHA256 = createHash('sha256').update('a').digest('base64');
  const { ETag } = await store.send(new UploadPartCommand({ ...of, PartNumber: 1, Body: 'a', ChecksumSHA256 }));
  const complete = { ...of, MultipartUpload: { Parts: [{ PartNumber: 1, ETag, ChecksumSHA256 }] } };
  await expect(store.send(new CompleteMultipartUploadCommand(complete))).rejects.toMatchObject(denied(byBucket));
  await expect(store.send(new ListPartsCommand(of))).rejects.toMatchObject(denied('s3:ListMultipartUploadParts'));
  await expect(store.send(new AbortMultipartUploadCommand(of))).rejects.toMatchObject(denied('s3:AbortMultipartUpload'));
  await expect(store.send(new ListMultipartUploadsCommand({ Bucket }))).rejects.toMatchObject(denied('s3:ListBucketMultipartUploads'));
  await store.send(new CompleteMultipartUploadCommand({ ...complete, IfNoneMatch: '*' }));
});

test('it tells that an object is missing only to who may list', async () => {
  await expect(storeOf(owner).send(get('files/none'))).rejects.toMatchObject({ name: 'AccessDenied' });
  await expect(storeOf(lister).send(get('files/none'))).rejects.toMatchObject({ name: 'NoSuchKey' });
});

test('it knows a signed URL from a signed request', async () => {
  const store = storeOf(owner);
  const Key = 'files/by-header/a';
  await store.send(put(Key, '*'));
  await store.send(get(Key));
  expect((await fetch(await getSignedUrl(store, get(Key)))).status).toBe(403);
});

test('it lets pages of the service and of the consoles upload and read, and no others', async () => {
  const url = `${local.engines.endpoints.AWS_ENDPOINT_URL_S3}/${Bucket}/files/a`;
  const allowedOf = async (origin: string, method: string) => {
    const reply = await fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });
    return [reply.status, reply.headers.get('access-control-allow-origin')];
  };
  for (const origin of ['http://127.0.0.1:1', ...consoleOrigins]) {
    for (const method of ['PUT', 'GET']) expect(await allowedOf(origin, method)).toEqual([200, origin]);
  }
  expect(await allowedOf('https://evil.example.com', 'PUT')).toEqual([403, null]);
});

test('ACCESS_RECORD tells each distinct call once, without what tells items or objects apart', async () => {
  const TableName = local.tableName;
  for (const name of ['a', 'b']) {
    const read = new GetItemCommand({ TableName, Key: { pk: { S: `FILE#${name}` }, sk: { S: 'a' } } });
    await storeOf(uploader).send(put(`files/recorded-${name}`, '*'));
    await Promise.allSettled([
      local.as('health', { secretAccessKey: 'guess' }).table.send(read),
      local.as('docs').table.send(read),
      storeOf('pictures').send(put(`files/${name}`)),
    ]);
  }
  const linesOf = async (file: string, ...functions: string[]) =>
    (await readFile(join(recordFolder(), file), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((line) => functions.includes(line.function));
  const object = { action: 's3:PutObject', resource: `${bucketArn}/files/*`, prefixes: [] };
  const allowed = await linesOf('allowed.jsonl', uploader);
  expect(allowed.filter(({ action }) => action === object.action)).toEqual([{ function: uploader, ...object }]);
  const table = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
  const refused = await linesOf('denied.jsonl', 'docs', 'health', 'pictures');
  expect(refused.toSorted((a, b) => a.function.localeCompare(b.function))).toEqual([
    { function: 'docs', action: 'dynamodb:GetItem', resource: table, prefixes: ['FILE#'] },
    { function: 'pictures', ...object },
  ]);
});

describe('the secrets store', () => {
  let operator: SecretsManagerClient;
  beforeAll(async () => {
    operator = await asOperator();
  });

  const secretsFile = () => join(folder, 'secrets.json');
  const kept = async () => JSON.parse(await readFile(secretsFile(), 'utf8'));
  const idOf = (setting: string) => `license-service/local/${setting}`;
  async function asOperator() {
    const { accessKeyId, secretAccessKey, sessionToken } = operatorIdentity((await kept()).CREDENTIALS_SEED);
    return new SecretsManagerClient({
      region: 'us-east-1',
      maxAttempts: 1,
      endpoint: local.engines.endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER,
      credentials: { accessKeyId, secretAccessKey, sessionToken },
    });
  }
  const read = async (setting: string) => (await operator.send(new GetSecretValueCommand({ SecretId: idOf(setting) }))).SecretString;
  const describeSecret = (setting: string) => operator.send(new DescribeSecretCommand({ SecretId: idOf(setting) }));
  const put = (client: SecretsManagerClient, setting: string, SecretString: string, ClientRequestToken?: string) =>
    client.send(new PutSecretValueCommand({ SecretId: idOf(setting), SecretString, ClientRequestToken }));
  const versionAt = ({ VersionIdsToStages = {} }: DescribeSecretCommandOutput, stage: string) =>
    Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(stage));

  test('tells which secrets were set, of those that have a value here', async () => {
    expect(versionAt(await describeSecret('TOKEN_KEYS'), 'AWSPREVIOUS')).toBeDefined();
    const unset = await describeSecret('ORIGIN_SECRET');
    expect([versionAt(unset, 'AWSCURRENT'), versionAt(unset, 'AWSPREVIOUS')]).toEqual([expect.any(String), undefined]);
  });

  test('keeps what the operator puts as a new version, in a file of its owner alone', async () => {
    const before = await describeSecret('TOKEN_KEYS');
    const { VersionId } = await put(operator, 'TOKEN_KEYS', '2:new');
    expect(await read('TOKEN_KEYS')).toBe('2:new');
    const after = await describeSecret('TOKEN_KEYS');
    expect(versionAt(after, 'AWSCURRENT')).toBe(VersionId);
    expect(versionAt(after, 'AWSPREVIOUS')).toBe(versionAt(before, 'AWSCURRENT'));
    expect(Date.now() - Number(after.LastChangedDate)).toBeLessThan(60_000);
    expect(await kept()).toMatchObject({ TOKEN_KEYS: '2:new' });
    expect((await stat(secretsFile())).mode & 0o777).toBe(0o600);
  });

  test('takes a version once: the same value again changes nothing, another is refused', async () => {
    const token = 'a'.repeat(32);
    await put(operator, 'CALLER_HASH_KEY', 'the first value', token);
    const { LastChangedDate } = await describeSecret('CALLER_HASH_KEY');
    await put(operator, 'CALLER_HASH_KEY', 'the first value', token);
    expect((await describeSecret('CALLER_HASH_KEY')).LastChangedDate).toEqual(LastChangedDate);
    await expect(put(operator, 'CALLER_HASH_KEY', 'the second', token)).rejects.toMatchObject({ name: 'ResourceExistsException' });
    expect(await read('CALLER_HASH_KEY')).toBe('the first value');
  });

  test('lets no function put a value, and tells of a secret to those alone whose role may ask', async () => {
    for (const name of ['licenses', 'health', 'event-projector']) {
      await expect(put(local.as(name).secrets, 'LICENSE_PEPPERS', '1:other')).rejects.toMatchObject({ name: 'AccessDeniedException' });
    }
    const ask = (name: string, setting: string) => local.as(name).secrets.send(new DescribeSecretCommand({ SecretId: idOf(setting) }));
    expect((await ask('health', 'LICENSE_PEPPERS')).Name).toBe(idOf('LICENSE_PEPPERS'));
    await expect(ask('health', 'ORIGIN_SECRET')).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(ask('licenses', 'LICENSE_PEPPERS')).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

test('the file store takes no signed URL of another token, nobody but functions and the operator, and a URL of before a restart', async () => {
  const store = storeOf(owner);
  await store.send(put('files/kept', '*'));
  const url = await getSignedUrl(store, get('files/kept'));
  const { sessionToken } = local.credentialsOf('pictures');
  const foreign = await fetch(await getSignedUrl(local.as(owner, { sessionToken }).store, get('files/kept')));
  expect([foreign.status, await foreign.text()]).toEqual([400, expect.stringContaining('<Code>InvalidToken</Code>')]);
  for (const credentials of [{ accessKeyId: 'local', secretAccessKey: 'local' }, operatorIdentity('a guess')]) {
    await expect(local.as(owner, { sessionToken: '', ...credentials }).store.send(get('files/kept'))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
  }
  await local.stop();
  await start();
  const reply = await fetch(url);
  expect([reply.status, await reply.text()]).toEqual([200, 'bytes']);
});
