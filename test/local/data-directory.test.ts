import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { lockDataDirectory } from '../../infra/local/data-directory.ts';
import { startDynamoDb } from '../../infra/local/engines/dynamodb-engine.ts';
import { generatedSettings, openLocalSettings } from '../../infra/local/local-settings.ts';
import { startObjectStore } from '../../infra/local/object-store/object-store.ts';
import { guardWithKey } from '../../infra/local/object-store/store-guard.ts';
import { startPaymentProvider } from '../../infra/local/payment-provider/payment-provider.ts';
import { startMailOutbox } from '../../infra/local/services/mail-outbox.ts';
import { writeStackFile } from '../../infra/local/stack-file.ts';
import { createDynamoClient } from '../../shared/db/dynamo/sdk-dynamo.ts';
import { parseLeaseKeys } from '../../shared/leases/lease-keys.ts';
import { newFolder } from '../support/new-folder.ts';

describe('the data directory', () => {
  let path: string;
  let mask: number;
  beforeEach(async () => {
    mask = process.umask(0o022);
    path = newFolder();
    await chmod(path, 0o755);
  });
  afterEach(async () => {
    process.umask(mask);
  });
  const secretsFile = () => join(path, 'secrets.json');
  const kept = async () => JSON.parse(await readFile(secretsFile(), 'utf8'));
  const open = (env: NodeJS.ProcessEnv = {}) => openLocalSettings({ directory: path, publicBaseUrl: 'http://127.0.0.1:3000', env });

  /** The rights of everything in the directory, by its path there. */
  async function modes(): Promise<Record<string, string>> {
    const names = ['', ...(await readdir(path, { recursive: true }))].sort();
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, ((await stat(join(path, name))).mode & 0o777).toString(8)])),
    );
  }

  test('of an earlier stack is closed to others when the next one takes hold of it', async () => {
    await mkdir(join(path, 'objects', 'bucket', 'key'), { recursive: true });
    await mkdir(join(path, 'outbox'));
    const files = [
      ...['table.db', 'table.db-wal', 'table.db-shm', 'payment-provider.db', 'payment-provider.db.key', 'secrets.json', 'stack.json'],
      ...['objects/port', 'objects/bucket/key/1.data', 'outbox/1.json'],
    ];
    for (const file of files) await writeFile(join(path, file), '');
    const hold = await lockDataDirectory(path);
    expect(await modes()).toEqual({
      ...Object.fromEntries(['', 'objects', 'objects/bucket', 'objects/bucket/key', 'outbox'].map((name) => [name, '700'])),
      ...Object.fromEntries(files.map((name) => [name, '600'])),
    });
    await hold.stop();
  });

  test('is one stack’s at a time', async () => {
    const hold = await lockDataDirectory(path);
    await expect(lockDataDirectory(path)).rejects.toThrow(/^Another stack runs on the data in .*; stop it, or choose another DATA_DIR\.$/);
    await hold.stop();
    await (await lockDataDirectory(path)).stop();
  });

  test('leaves alone what is not its own', async () => {
    for (const file of ['notes.txt', 'table.db']) await writeFile(join(path, file), '');
    const hold = await lockDataDirectory(path);
    expect(await modes()).toEqual({ '': '755', 'notes.txt': '644', 'table.db': '600' });
    await hold.stop();
  });

  test('holds nothing that others may read, whatever the engines write', async () => {
    const hold = await lockDataDirectory(path);
    const webhook = { url: 'http://127.0.0.1:9', secret: 'whsec_local_x' };
    const engines = await Promise.all([
      startDynamoDb({ file: join(path, 'table.db') }),
      startMailOutbox({ directory: join(path, 'outbox') }),
      startObjectStore({
        directory: join(path, 'objects'),
        buckets: [],
        guard: guardWithKey({ accessKeyId: 'local', secretAccessKey: 'local' }),
      }),
      startPaymentProvider({ stateFile: join(path, 'payment-provider.db'), platformWebhook: webhook, connectWebhook: webhook }),
    ]);
    await createDynamoClient({ endpoint: engines[0].endpoint }).send(
      new CreateTableCommand({
        TableName: 'any',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    open();
    await writeStackFile(path, { tableName: 'any', dynamodbEndpoint: 'any', region: 'any' });
    const found = await modes();
    await Promise.all(engines.map((engine) => engine.stop()));
    await hold.stop();
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['table.db', 'objects/port', 'secrets.json', 'stack.json']));
    for (const [name, mode] of Object.entries(found)) expect([name, mode]).toEqual([name, expect.stringMatching(/^[67]00$/)]);
  });

  test('of an earlier version gets the secrets and the lease key that it lacks, and keeps those that it has, the same over starts', async () => {
    open();
    const { LEASE_KEYS: made } = await kept();
    expect(parseLeaseKeys(made)?.published).toHaveLength(2);
    const old = { LICENSE_PEPPERS: '1:kept', ENCRYPTION_KEYS: '1:kept too', OF_OLD: 'x' };
    const oneKey = made.replace(/^1(:[^,]+),.*$/, '7$1');
    await writeFile(secretsFile(), JSON.stringify({ ...old, LEASE_KEYS: oneKey }), { mode: 0o600 });
    const first = open();
    for (const [name, value] of Object.entries(old)) expect(first.valueOf(name)).toBe(value);
    for (const name of ['TOKEN_KEYS', 'CALLER_HASH_KEY']) expect(first.valueOf(name)).toMatch(/^1:[\w+/]{43}=$/);
    const keys = first.valueOf('LEASE_KEYS');
    expect([parseLeaseKeys(keys)?.published.length, keys.split(',')[0]]).toEqual([2, oneKey]);
    expect(generatedSettings.map(open().valueOf)).toEqual(generatedSettings.map(first.valueOf));
    expect([(await kept()).LEASE_KEYS, await modes()]).toMatchObject([keys, { 'secrets.json': '600' }]);
  });

  test('keeps a secret that was put for the next starts, where the environment names no other', async () => {
    const given = { PAYMENT_WEBHOOK_SECRET: 'whsec_of_the_environment' };
    const settings = open(given);
    const others = generatedSettings.map(settings.valueOf);
    settings.put('PAYMENT_WEBHOOK_SECRET', 'whsec_that_was_put');
    expect(settings.valueOf('PAYMENT_WEBHOOK_SECRET')).toBe('whsec_that_was_put');
    expect(await modes()).toMatchObject({ 'secrets.json': '600' });
    expect(open().valueOf('PAYMENT_WEBHOOK_SECRET')).toBe('whsec_that_was_put');
    expect(open(given).valueOf('PAYMENT_WEBHOOK_SECRET')).toBe('whsec_of_the_environment');
    expect(generatedSettings.map(open().valueOf)).toEqual(others);
  });

  const ours = 'http://127.0.0.1:3000/__local/identity';
  const other = { OIDC_ISSUER: 'https://id.example.com', OIDC_AUDIENCE: 'other' };
  test.each([
    [{}, 'console', ours, 'console'],
    [{ STAGE: 'local', AUTH_MODE: 'local', ...other }, 'console', ours, 'console'],
    [{ PUBLIC_BASE_URL: 'http://shop.test/', CONSOLE_CLIENT_ID: 'mine' }, 'mine', 'http://shop.test/__local/identity', 'mine'],
    [{ CONSOLE_CLIENT_ID: '' }, '', ours, ''],
    [{ AUTH_MODE: 'oidc' }, '', '', ''],
    [{ AUTH_MODE: 'oidc', CONSOLE_CLIENT_ID: 'ours', ...other }, 'ours', other.OIDC_ISSUER, other.OIDC_AUDIENCE],
    [{ STAGE: 'staging', ...other }, '', other.OIDC_ISSUER, other.OIDC_AUDIENCE],
  ])('with %j has the console %j at the issuer %j for %j', (env, ...expected) => {
    expect(['CONSOLE_CLIENT_ID', 'OIDC_ISSUER', 'OIDC_AUDIENCE'].map(open(env).valueOf)).toEqual(expected);
  });
});
