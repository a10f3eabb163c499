import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { ConfigError, readSettings, secretSettings, settingNames } from '../../../../shared/config.ts';
import { nextVersion } from './key-list.ts';

/** Every secret, and how a value comes to be. */
export const secretNames = settingNames.filter((name) => secretSettings.has(name));
export type SecretName = (typeof secretNames)[number];

/** Keys of ours, of which the first is in use: nothing that was made under one can be read without it. */
const keyrings: readonly string[] = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TOKEN_KEYS', 'LEASE_KEYS'] satisfies SecretName[];
/** Any text will do, so it is made here. */
const randomTexts: readonly string[] = ['ORIGIN_SECRET', 'CALLER_HASH_KEY'] satisfies SecretName[];
/** One value, of which there is no older one. */
const singles: readonly string[] = ['PAYMENT_SECRET_KEY', 'CALLER_HASH_KEY'] satisfies SecretName[];
/** The service works without. */
const optional: readonly string[] = ['ORIGIN_SECRET', 'CALLER_HASH_KEY'] satisfies SecretName[];

export const isKeyring = (name: SecretName) => keyrings.includes(name);
export const isList = (name: SecretName) => !singles.includes(name);
export const isOptional = (name: SecretName) => optional.includes(name);
/** Whether nothing is lost, and nobody refused for good, when all of its values are replaced at once. */
export const isReplaceable = (name: SecretName) => !isKeyring(name) && name !== 'ORIGIN_SECRET';

/** Whether a function of the stage would take the value, and a CDN the secret that it sends in a header. */
export function isWellFormed(name: SecretName, value: string, stage: string): boolean {
  if (name === 'ORIGIN_SECRET') return /^[A-Za-z0-9]{16,}(,[A-Za-z0-9]{16,})*$/.test(value);
  try {
    readSettings([name], { STAGE: stage, [name]: value });
    return value !== '';
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

/** The first value of a secret. Of lease keys apps pin the next beside the one that signs. */
export async function initialValue(name: SecretName): Promise<string> {
  const entry = await newEntry(name, '');
  return name === 'LEASE_KEYS' ? `${entry},${await newEntry(name, entry)}` : entry;
}

/** A value of ours is made, the provider's is taken from the environment, or asked for. */
export async function newEntry(name: SecretName, present: string): Promise<string> {
  if (isKeyring(name)) return `${nextVersion(present)}:${randomBytes(32).toString('base64')}`;
  if (randomTexts.includes(name)) return randomBytes(32).toString('hex');
  return process.env[name]?.trim() || ask(name);
}

/** What is typed is not shown: a terminal keeps what it showed. */
async function ask(name: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error(`${name} is a value of the payment provider: give it in the environment, or call this in a terminal.`);
  // First: what is typed before it is made would be shown.
  const lines = createInterface({ input: process.stdin, terminal: true });
  process.stderr.write(`${name}: `);
  const closed = new Promise<never>((_, reject) => lines.once('close', () => reject(new Error(`${name} was not given.`))));
  try {
    return (await Promise.race([lines.question(''), closed])).trim();
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
