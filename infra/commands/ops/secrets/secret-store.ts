import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { SecretName } from './secret-values.ts';

export type SecretStore = ReturnType<typeof createSecretStore>;

/** The secrets of a stage, which its data stack made. */
export function createSecretStore(stage: string, client = new SecretsManagerClient({})) {
  const idOf = (name: SecretName) => `license-service/${stage}/${name}`;
  return {
    /** @throws Error when the stage has no such secret. */
    async read(name: SecretName): Promise<string> {
      const SecretId = idOf(name);
      try {
        const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
        return SecretString;
      } catch (error) {
        if (!(error instanceof ResourceNotFoundException)) throw error;
        throw new Error(`There is no secret ${SecretId}: deploy the data stack first.`);
      }
    },

    /** When its value was changed last. */
    async changedAt(name: SecretName): Promise<Date | undefined> {
      const { LastChangedDate } = await client.send(new DescribeSecretCommand({ SecretId: idOf(name) }));
      return LastChangedDate;
    },

    async put(name: SecretName, value: string): Promise<void> {
      await client.send(new PutSecretValueCommand({ SecretId: idOf(name), SecretString: value }));
    },
  };
}
