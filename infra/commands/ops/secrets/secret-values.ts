import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { ConfigError, readSettings, secretSettings, settingNames } from '../../../../shared/config.ts';
import { nextVersion } from './key-list.ts';

/** Every secret, and how a value comes to be. */
export const secretNames = settingNames.filter((name) => secretSettings.has(name));
export type SecretName = (typeof secretNames)[number];

/** Lists of keys, of which the first is in use. */
const keyrings: readonly string[] = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TOKEN_KEYS', 'LEASE_KEYS'] satisfies SecretName[];
/** Any text will do, so it is made here. */
const randomTexts: readonly string[] = ['ORIGIN_SECRET', 'CALLER_HASH_KEY'] satisfies SecretName[];
/** One value, of which there is no older one. */
const singles: readonly string[] = ['PAYMENT_SECRET_KEY', 'CALLER_HASH_KEY'] satisfies SecretName[];

export const isList = (name: SecretName) => !singles.includes(name);

/** Whether a function would take the value. */
export function isWellFormed(name: SecretName, value: string | undefined): boolean {
  try {
    readSettings([name], { STAGE: 'staging', [name]: value });
    return value !== undefined && value !== '';
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

/** A value of ours is made, the provider's is taken from the environment, or asked for. */
export async function newValue(name: SecretName, present = ''): Promise<string> {
  if (keyrings.includes(name)) return `${nextVersion(present)}:${randomBytes(32).toString('base64')}`;
  if (randomTexts.includes(name)) return randomBytes(32).toString('base64url');
  return process.env[name] || ask(name);
}

/** What is typed is not shown: a terminal keeps what it showed. */
async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error(`${question} is a value of the provider: give it in the environment, or call this in a terminal.`);
  process.stderr.write(`${question}: `);
  const lines = createInterface({ input: process.stdin, terminal: true });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
