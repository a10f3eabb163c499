import { createHmac } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import type { Keyring } from '../crypto/keyring.ts';
import { toAsciiAddress } from '../email-address.ts';

/** Addresses are compared without letter case and without space around them, their domains in the ASCII form. */
export const normalizeEmail = (email: string) => toAsciiAddress(email.trim()).toLowerCase();

/** What reminds a buyer of their own address and tells nobody else: its first character and its domain. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}…${at < 0 ? '' : email.slice(at)}`;
}

/**
 * The keyed hashes under which orders of this buyer are found; new ones are kept under the first, that of the current key.
 * Their key is derived from the encryption key, so that no key has two uses.
 */
export function buyerEmailHashes(email: string, keys: Keyring): [string, ...string[]] {
  const normal = normalizeEmail(email);
  const [, ...older] = keys.all;
  return [hashUnder(keys.current, normal), ...older.map((key) => hashUnder(key, normal)), ...formerHashes(normal, keys)];
}

/**
 * The keyed hash under which mails to an address are counted: what tells apart the folders of a mailbox (`name+folder@…`)
 * makes no other of it.
 */
export const mailboxHash = (email: string, keys: Keyring): string =>
  hashUnder(keys.current, normalizeEmail(email).replace(/(?<=^[^+@]+)\+[^@]*(?=@)/, ''));

/** Orders were listed under the domain as it was typed, before that was brought into its ASCII form. */
function formerHashes(normal: string, keys: Keyring): string[] {
  const at = normal.lastIndexOf('@') + 1;
  const domain = normal.slice(at);
  if (!/(^|\.)xn--/.test(domain)) return [];
  return keys.all.map((key) => hashUnder(key, `${normal.slice(0, at)}${domainToUnicode(domain)}`));
}

function hashUnder({ version, secret }: Keyring['current'], normalEmail: string): string {
  const key = createHmac('sha256', secret).update('buyer-email-lookup').digest();
  return `${version}.${createHmac('sha256', key).update(normalEmail).digest('base64url')}`;
}
