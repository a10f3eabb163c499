import { createSignedClient, type RequestLimits } from './signed-client.ts';

interface Answer {
  SecretString?: string;
  VersionIdsToStages?: Record<string, string[]>;
}

const createClient = (limits: RequestLimits) =>
  createSignedClient<Answer>(
    {
      name: 'secretsmanager',
      target: 'secretsmanager',
      contentType: 'application/x-amz-json-1.1',
      endpointVariable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
    },
    limits,
  );

/** The values of the settings whose environment value is the ARN of a secret, by setting name. */
export async function readSecrets(names: readonly string[]): Promise<Record<string, string | undefined>> {
  const send = createClient({ maxAttempts: 3, connectionTimeout: 1000, requestTimeout: 2000 });
  const read = async (name: string) => {
    const { SecretString } = await send('GetSecretValue', { SecretId: process.env[name] });
    return [name, SecretString] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(read)));
}

/**
 * Checks whether each of these secrets was ever set, without a look at its value. Rejects naming those that still
 * hold what they were made with, or when the store does not answer within a second or two.
 */
export function createSecretsProbe(arns: readonly string[]): () => Promise<void> {
  const send = createClient({ maxAttempts: 1, connectionTimeout: 500, requestTimeout: 1500 });
  // A secret that is set stays set, so it is no longer checked: each request costs money.
  const unset = new Set(arns);
  const look = async (arn: string) => {
    const { VersionIdsToStages = {} } = await send('DescribeSecret', { SecretId: arn });
    // The value that a secret is made with has none before it.
    if (Object.values(VersionIdsToStages).some((stages) => stages.includes('AWSPREVIOUS'))) unset.delete(arn);
  };
  return async () => {
    await Promise.all([...unset].map(look));
    if (unset.size > 0) throw new Error(`Secrets that nobody has set: ${[...unset].map(nameOf).join(', ')}`);
  };
}

/** Without the region, the account, and what the store adds to the name. */
const nameOf = (arn: string) => arn.replace(/^.*:secret:/, '').replace(/-\w{6}$/, '');
