import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';

/**
 * Settings of the local stack itself, which no function gets, with their defaults. An engine
 * whose endpoint is empty is started here.
 */
export const stackSettings = {
  PORT: '3000',
  DATA_DIR: '.local',
  LOCAL_TOKEN_SECONDS: '300',
  DYNAMODB_ENDPOINT: '',
  SQS_ENDPOINT: '',
  S3_ENDPOINT: '',
  ACCESS_RECORD: '',
} as const;
export type StackSetting = keyof typeof stackSettings;

const engineUrl = /^https?:\/\/[\w.-]+(:\d{1,5})?\/?$/;
/** The form of those that have one. */
export const stackForms: Partial<Record<StackSetting, (text: string) => boolean>> = {
  PORT: (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
  LOCAL_TOKEN_SECONDS: (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 86_400,
  DYNAMODB_ENDPOINT: (text) => engineUrl.test(text),
  SQS_ENDPOINT: (text) => engineUrl.test(text),
  S3_ENDPOINT: (text) => engineUrl.test(text),
};

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
  // Of the identity provider that stands in: with another one, the console has the name that it has there.
  CONSOLE_CLIENT_ID: 'console',
  PAYMENT_SECRET_KEY: 'sk_test_local',
  PAYMENT_WEBHOOK_SECRET: 'whsec_local_platform',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_local_connect',
  MAIL_FROM: 'licenses@example.com',
  // So that a newcomer sees what stands in the footers of pages and mails.
  SERVICE_NAME: 'Example Licenses',
  OPERATOR_NAME: 'Operator',
  OPERATOR_CONTACT: 'contact@example.com',
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/policy',
} as const;

/** Secrets that the local stack generates once and keeps. */
export const generatedSettings = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TOKEN_KEYS', 'LEASE_KEYS', 'CALLER_HASH_KEY'] as const;

/** What the credentials of the functions are derived from. No function gets it. */
export const credentialsSeed = 'CREDENTIALS_SEED';

/** The settings of this machine while its stack runs. */
export type LocalSettings = ReturnType<typeof openLocalSettings>;

/** Reads the settings; what is put or generated is kept in `directory`, readable by its owner alone. */
export function openLocalSettings({
  directory,
  publicBaseUrl,
  env = process.env,
}: {
  directory: string | undefined;
  publicBaseUrl: string;
  env?: NodeJS.ProcessEnv;
}) {
  const secrets = directory === undefined ? newSecrets() : keptSecrets(directory);
  const fallback: Record<string, string> = { ...localDefaults, ...secrets, PUBLIC_BASE_URL: publicBaseUrl };
  const isOf = (name: 'STAGE' | 'AUTH_MODE') => (env[name] ?? localDefaults[name]) === 'local';
  if (!isOf('STAGE') || !isOf('AUTH_MODE')) delete fallback['CONSOLE_CLIENT_ID'];
  const put = new Map<string, string>();
  const given = (name: string) => put.get(name) ?? env[name] ?? fallback[name] ?? '';
  return {
    /** From the environment, else what was put, else a local default; a secret that has none is generated. Empty when it has no value. */
    valueOf(name: string): string {
      if (!hasIdentityProvider(given)) return given(name);
      // The one issuer that there is then, whatever another mode would take.
      if (name === 'OIDC_ISSUER') return localIssuer(given);
      return given(name === 'OIDC_AUDIENCE' ? 'CONSOLE_CLIENT_ID' : name);
    },
    /** Takes the place of the present value, and is kept, durably, when a directory is. At the next start the environment counts first again. */
    put(name: string, value: string): void {
      if (directory !== undefined) keepSecrets(directory, { ...readKeptSecrets(directory), [name]: value });
      put.set(name, value);
    },
  };
}

/** Whether this machine is its own identity provider: where headers are believed, too. */
export const hasIdentityProvider = (settingOf: (name: string) => string): boolean =>
  settingOf('STAGE') === 'local' && settingOf('AUTH_MODE') === 'local';

/** The address of the service, with which all of its own addresses begin. */
export const publicBaseUrlOf = (settingOf: (name: string) => string): string => settingOf('PUBLIC_BASE_URL').replace(/\/+$/, '');

/** Where the identity provider of the local stack is, below its address. */
export const identityPath = '/__local/identity';
const localIssuer = (settingOf: (name: string) => string) => `${publicBaseUrlOf(settingOf)}${identityPath}`;

const secretsFileIn = (directory: string) => join(directory, 'secrets.json');

/** The secrets of the directory; those that it lacks, for it was made by an earlier version, are added. */
function keptSecrets(directory: string): Record<string, string> {
  const kept = existsSync(secretsFileIn(directory)) ? readKeptSecrets(directory) : {};
  const secrets = { ...newSecrets(), ...kept };
  secrets['LEASE_KEYS'] = withNextKey(secrets['LEASE_KEYS']);
  if (!isDeepStrictEqual(secrets, kept)) keepSecrets(directory, secrets);
  return secrets;
}

function keepSecrets(directory: string, secrets: Record<string, string>): void {
  const file = secretsFileIn(directory);
  writeFileSync(`${file}.new`, JSON.stringify(secrets, undefined, 2), { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

/** @throws Error when no stack ever ran on this directory. */
export function readKeptSecrets(directory: string): Record<string, string> {
  return z.parse(z.record(z.string(), z.string()), JSON.parse(readFileSync(secretsFileIn(directory), 'utf8')));
}

const newSecrets = (): Record<string, string> => {
  const secrets = Object.fromEntries([...generatedSettings, credentialsSeed].map((name) => [name, newEntry(1)]));
  return { ...secrets, LEASE_KEYS: withNextKey(secrets['LEASE_KEYS']) };
};

const newEntry = (version: number) => `${version}:${randomBytes(32).toString('base64')}`;

/** Apps pin the key that signs and the one that will: a keyring of one gets its next. */
function withNextKey(keyring = newEntry(1)): string {
  const [, version] = /^(\d+):[^,]+$/.exec(keyring) ?? [];
  return version === undefined ? keyring : `${keyring},${newEntry(Number(version) + 1)}`;
}
