import { createHmac } from 'node:crypto';
import type { Keyring } from '../crypto/keyring.ts';

/** Buyers' addresses are compared without letter case, and without space around them. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase();

/** What reminds a buyer of their own address and tells nobody else: its first character and its domain. */
export const maskEmail = (email: string) => `${[...email][0]}…${email.slice(email.lastIndexOf('@'))}`;

/**
 * The keyed hashes under which orders of this buyer are found, the current key's first.
 * Their key is derived from the encryption key, so that no key has two uses.
 */
export function buyerEmailHashes(email: string, keys: Keyring): [string, ...string[]] {
  const hashUnder = ({ version, secret }: Keyring['current']) => {
    const key = createHmac('sha256', secret).update('buyer-email-lookup').digest();
    return `${version}.${createHmac('sha256', key).update(normalizeEmail(email)).digest('base64url')}`;
  };
  const [, ...older] = keys.all;
  return [hashUnder(keys.current), ...older.map(hashUnder)];
}
