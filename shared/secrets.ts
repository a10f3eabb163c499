import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

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
