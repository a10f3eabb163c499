import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { serve } from '../../infra/local/engines/engine.ts';
import { createSecretsProbe } from '../../shared/aws/secrets.ts';

/**
 * The part of Secrets Manager that tells of a secret without its value: each time a value is put, the version
 * before it becomes the previous one.
 */
async function startSecretsStore() {
  /** How many values each secret has had. */
  const values = new Map<string, number>();
  const described: string[] = [];
  const server = createServer(async (request, response) => {
    const { SecretId } = (await json(request)) as { SecretId: string };
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    if (request.headers['x-amz-target'] !== 'secretsmanager.DescribeSecret') return answer(400, { __type: 'AccessDeniedException' });
    described.push(SecretId);
    const versions = values.get(SecretId);
    if (versions === undefined) return answer(400, { __type: 'ResourceNotFoundException' });
    const previous = versions > 1 ? { [`v${versions - 1}`]: ['AWSPREVIOUS'] } : {};
    return answer(200, { ARN: SecretId, VersionIdsToStages: { [`v${versions}`]: ['AWSCURRENT'], ...previous } });
  });
  return {
    ...(await serve(server)),
    described,
    /** The first value is the one that a secret is made with. */
    put: (arn: string) => values.set(arn, (values.get(arn) ?? 0) + 1),
  };
}

const arnOf = (name: string) => `arn:aws:secretsmanager:eu-west-1:111122223333:secret:license-service/staging/${name}-AbCdEf`;
const [pepper, token] = [arnOf('LICENSE_PEPPERS'), arnOf('TOKEN_KEYS')];

describe('whether secrets are set', () => {
  let store: Awaited<ReturnType<typeof startSecretsStore>>;
  beforeEach(async () => {
    store = await startSecretsStore();
    Object.assign(process.env, { AWS_ENDPOINT_URL_SECRETS_MANAGER: store.endpoint, AWS_REGION: 'eu-west-1' });
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
    for (const arn of [pepper, token]) store.put(arn);
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
