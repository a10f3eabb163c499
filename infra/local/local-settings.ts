import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

/**
 * Settings of the local stack itself, which no function gets, with their defaults. An engine
 * whose endpoint is empty is started here.
 */
export const stackSettings = {
  PORT: '3000',
  DATA_DIR: '.local',
  DYNAMODB_ENDPOINT: '',
  SQS_ENDPOINT: '',
  S3_ENDPOINT: '',
  ACCESS_RECORD: '',
} as const;
export type StackSetting = keyof typeof stackSettings;

/** Empty counts as not given. */
export const stackSetting = (env: NodeJS.ProcessEnv, name: StackSetting): string => env[name] || stackSettings[name];

/** Where the stack keeps its data; undefined when it is to keep nothing. */
export function dataDirectoryOf(env: NodeJS.ProcessEnv): string | undefined {
  const directory = stackSetting(env, 'DATA_DIR');
  return directory === ':memory:' ? undefined : directory;
}

/** Settings of the functions that the local stack fills in where the environment does not. */
export const localDefaults = {
  STAGE: 'local',
  AUTH_MODE: 'local',
  ADMIN_ALLOWLIST: 'admin@example.com',
  PAYMENT_SECRET_KEY: 'sk_test_local',
  PAYMENT_WEBHOOK_SECRET: 'whsec_local_platform',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_local_connect',
  MAIL_FROM: 'licenses@example.com',
} as const;

/** Secrets that the local stack generates once and keeps. */
export const generatedSettings = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TOKEN_KEYS', 'LEASE_KEYS', 'CALLER_HASH_KEY'] as const;

/** What the credentials of the functions are derived from. No function gets it. */
export const credentialsSeed = 'CREDENTIALS_SEED';

/**
 * The value of each setting on this machine: from the environment, else a local
 * default, else a secret generated once and kept in `directory`, readable by its owner alone.
 */
export async function readLocalSettings({
  directory,
  publicBaseUrl,
  env = process.env,
}: {
  directory: string | undefined;
  publicBaseUrl: string;
  env?: NodeJS.ProcessEnv;
}): Promise<(name: string) => string> {
  const secrets = directory === undefined ? newSecrets() : await keptSecrets(directory);
  const fallback: Record<string, string> = { ...localDefaults, ...secrets, PUBLIC_BASE_URL: publicBaseUrl };
  return (name) => env[name] ?? fallback[name] ?? '';
}

const secretsFileIn = (directory: string) => join(directory, 'secrets.json');

/** The secrets of the directory; those that it lacks, for it was made by an earlier version, are added. */
async function keptSecrets(directory: string): Promise<Record<string, string>> {
  const file = secretsFileIn(directory);
  const kept = existsSync(file) ? await readKeptSecrets(directory) : {};
  const secrets = { ...newSecrets(), ...kept };
  if (Object.keys(secrets).length === Object.keys(kept).length) return kept;
  await writeFile(`${file}.new`, JSON.stringify(secrets, undefined, 2), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return secrets;
}

/** @throws Error when no stack ever ran on this directory. */
export async function readKeptSecrets(directory: string): Promise<Record<string, string>> {
  return z.parse(z.record(z.string(), z.string()), JSON.parse(await readFile(secretsFileIn(directory), 'utf8')));
}

const newSecrets = () =>
  Object.fromEntries([...generatedSettings, credentialsSeed].map((name) => [name, `1:${randomBytes(32).toString('base64')}`]));
