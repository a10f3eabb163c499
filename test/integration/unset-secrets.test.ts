import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSecretsProbe } from '../../shared/aws/secrets.ts';
import { startSecretsStore } from '../support/http/secrets-store.ts';

const arnOf = (name: string) => `arn:aws:secretsmanager:eu-west-1:111122223333:secret:license-service/staging/${name}-AbCdEf`;
const [pepper, token] = [arnOf('LICENSE_PEPPERS'), arnOf('TOKEN_KEYS')];

describe('whether secrets are set', () => {
  let store: Awaited<ReturnType<typeof startSecretsStore>>;
  beforeEach(async () => {
    store = await startSecretsStore();
    Object.assign(process.env, { AWS_ENDPOINT_URL_SECRETS_MANAGER: store.endpoint, AWS_REGION: 'eu-west-1' });
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
    for (const arn of [pepper, token]) store.create(arn);
  });
  afterEach(() => store.stop());

  test('is told by name while they still hold what they were made with, and not asked again of one that is', async () => {
    const probe = createSecretsProbe([pepper, token]);
    await expect(probe()).rejects.toThrow('license-service/staging/LICENSE_PEPPERS, license-service/staging/TOKEN_KEYS');
    store.put(pepper);
    await expect(probe()).rejects.toThrow(/: license-service\/staging\/TOKEN_KEYS$/);
    store.put(token);
    await expect(probe()).resolves.toBeUndefined();
    store.described.length = 0;
    await probe();
    expect(store.described).toEqual([]);
  });

  test('is unknown of a secret that is not there, or when nothing answers, and needs no store where there are none', async () => {
    await expect(createSecretsProbe([arnOf('LEASE_KEYS')])()).rejects.toThrow();
    await store.stop();
    await expect(createSecretsProbe([pepper])()).rejects.toThrow();
    await expect(createSecretsProbe([])()).resolves.toBeUndefined();
  });
});
