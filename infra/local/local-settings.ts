import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** Settings that the local stack fills in where the environment does not. Source: decisions.md §14. */
const defaults = {
  STAGE: 'local',
  AUTH_MODE: 'local',
  ADMIN_ALLOWLIST: 'admin@example.com',
  PAYMENT_SECRET_KEY: 'sk_test_local',
  PAYMENT_WEBHOOK_SECRET: 'whsec_local_platform',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_local_connect',
  MAIL_FROM: 'licenses@example.com',
};

const generated = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TOKEN_KEYS'];

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
  const secrets = directory === undefined ? newSecrets() : await keptSecrets(join(directory, 'secrets.json'));
  const fallback: Record<string, string> = { ...defaults, ...secrets, PUBLIC_BASE_URL: publicBaseUrl };
  return (name) => env[name] ?? fallback[name] ?? '';
}

async function keptSecrets(file: string): Promise<Record<string, string>> {
  try {
    await writeFile(file, JSON.stringify(newSecrets(), undefined, 2), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!exists) throw error;
  }
  return z.parse(z.record(z.string(), z.string()), JSON.parse(await readFile(file, 'utf8')));
}

const newSecrets = () => Object.fromEntries(generated.map((name) => [name, `1:${randomBytes(32).toString('base64')}`]));
