import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { localOperator, readLocalStack } from '../targets.ts';
import { createSecretStore, type SecretStore } from './secret-store.ts';
import type { SecretName } from './secret-values.ts';

/** Secrets of the environment first, then of the local stack or the cloud's secrets store. */
export async function readStageSecrets<Name extends SecretName>(names: readonly Name[]): Promise<Record<string, string | undefined>> {
  if (names.every((name) => process.env[name])) return process.env;
  const store = await findSecretStore();
  const read = async (name: Name) => [name, (await store.read(name)).value] as const;
  return { ...process.env, STAGE: store.stage, ...Object.fromEntries(await Promise.all(names.map(read))) };
}

/** The secrets of the local stack that runs, or of the stage of the cloud. */
export async function findSecretStore(): Promise<SecretStore> {
  const stage = process.env['STAGE'] || 'local';
  if (stage !== 'local') return createSecretStore(stage);
  const { secretsEndpoint, region } = await readLocalStack();
  if (secretsEndpoint === undefined) throw new Error('The local stack was started by an earlier version; start it anew.');
  return createSecretStore(stage, new SecretsManagerClient({ endpoint: secretsEndpoint, region, credentials: localOperator() }));
}
