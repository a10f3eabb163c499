import { createHash } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { SecretName } from './secret-values.ts';

export interface StoredSecret {
  value: string;
  /** Whether anybody has set it since it was made. */
  wasSet: boolean;
  changedAt: Date;
  /** The version that holds the value, and the one before. */
  versions: readonly [current: string | undefined, previous: string | undefined];
}

export type SecretStore = ReturnType<typeof createSecretStore>;

/** The secrets of a stage, which its data stack made. */
export function createSecretStore(stage: string, client = new SecretsManagerClient({})) {
  const idOf = (name: SecretName) => `license-service/${stage}/${name}`;
  return {
    stage,

    /** @throws Error when the stage has no such secret. */
    async read(name: SecretName): Promise<StoredSecret> {
      const SecretId = idOf(name);
      try {
        const { VersionIdsToStages = {}, LastChangedDate = new Date() } = await client.send(new DescribeSecretCommand({ SecretId }));
        const at = (stage: string) => Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(stage));
        const [current, previous] = [at('AWSCURRENT'), at('AWSPREVIOUS')];
        const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId, VersionId: current }));
        return { value: SecretString, wasSet: previous !== undefined, changedAt: LastChangedDate, versions: [current, previous] };
      } catch (error) {
        if (!(error instanceof ResourceNotFoundException)) throw error;
        throw new Error(`There is no secret ${SecretId}: deploy the data stack first.`);
      }
    },

    /**
     * Puts a value in the place of the one that was read. Of several who read the same, one succeeds.
     *
     * @returns the id of the new version
     * @throws Error when somebody else has put another value since
     */
    async put(name: SecretName, value: string, { versions }: StoredSecret): Promise<string> {
      const changed = () => new Error(`${name} was changed by somebody else at this moment; look at it again.`);
      // Who starts from the same versions asks for the same new version, and a version has one value.
      const ClientRequestToken = uuidOf(versions.join());
      const request = new PutSecretValueCommand({ SecretId: idOf(name), SecretString: value, ClientRequestToken });
      const { VersionId = '', VersionStages = [] } = await client.send(request).catch((error: unknown) => {
        throw error instanceof ResourceExistsException ? changed() : error;
      });
      if (!VersionStages.includes('AWSCURRENT')) throw changed();
      return VersionId;
    },
  };
}

/** The same for the same text. */
const uuidOf = (text: string) =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
