import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DescribeSecretCommand,
  type DescribeSecretCommandOutput,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { operatorIdentity } from '../../../infra/local/access/credentials.ts';
import { type GuardedEngines, startGuardedEngines } from '../../support/access/changed-app.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';

jest.setTimeout(120_000);

describe('the secrets store', () => {
  let local: GuardedEngines;
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let operator: SecretsManagerClient;
  beforeAll(async () => {
    data = await temporaryFolder();
    local = await startGuardedEngines(undefined, { DATA_DIR: data.path });
    operator = await asOperator();
  });
  afterAll(async () => {
    await local.stop();
    await data.remove();
  });

  const secretsFile = () => join(data.path, 'secrets.json');
  const kept = async () => JSON.parse(await readFile(secretsFile(), 'utf8'));
  const idOf = (setting: string) => `license-service/local/${setting}`;
  async function asOperator(seed?: string) {
    const { accessKeyId, secretAccessKey, sessionToken } = operatorIdentity(seed ?? (await kept()).CREDENTIALS_SEED);
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

  test('knows the operator by what is kept in the data directory', async () => {
    const stranger = await asOperator('a guess');
    await expect(put(stranger, 'LICENSE_PEPPERS', '1:other')).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });
});
