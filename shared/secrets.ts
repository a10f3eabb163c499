import { DescribeSecretCommand, GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The values of the settings whose environment value is the ARN of a secret, by setting name. */
export async function readSecrets(names: readonly string[]): Promise<Record<string, string | undefined>> {
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
  });
  const read = async (name: string) => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: process.env[name] }));
    return [name, SecretString] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(read)));
}

/**
 * Checks whether each of these secrets was ever set, without a look at its value. Rejects naming those that still
 * hold what they were made with, or when the store does not answer within a second or two.
 */
export function createSecretsProbe(arns: readonly string[]): () => Promise<void> {
  const client = new SecretsManagerClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 500, requestTimeout: 1500, throwOnRequestTimeout: true },
  });
  // What is set stays set, so it is asked about until then alone: each request is charged.
  const unset = new Set(arns);
  const look = async (arn: string) => {
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId: arn }));
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
