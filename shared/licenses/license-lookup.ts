import { createHmac } from 'node:crypto';
import type { Keyring, VersionedKey } from '../crypto/keyring.ts';
import { keyAlphabet } from '../text/license-key.ts';

/**
 * The lookup hashes under which a license may be stored: one for each pepper, the current
 * pepper's first. See "Lookup and peppers" in keys.md
 */
export function licenseLookups(productId: string, normalizedKey: string, peppers: Keyring): string[] {
  return peppers.all.map((pepper) => lookupUnder(pepper, productId, normalizedKey));
}

/** The lookup hash under which a license is issued, and to which re-keying moves it. */
export function currentLookup(productId: string, normalizedKey: string, peppers: Keyring): string {
  return lookupUnder(peppers.current, productId, normalizedKey);
}

function lookupUnder({ version, secret }: VersionedKey, productId: string, normalizedKey: string): string {
  // Neither part can hold a NUL, so no two pairs have the same input.
  const digest = createHmac('sha256', secret).update(`license\0${productId}\0${normalizedKey}`).digest('base64url');
  return `${version}.${digest}`;
}

/** The version of the pepper that made a lookup. */
export function pepperVersionOf(lookup: string): string {
  return lookup.slice(0, lookup.indexOf('.'));
}

/**
 * Identifies a device of a license: 128 bits of the HMAC-SHA256 of its fingerprint, keyed by
 * the license key. It has the form of a ULID, because the activation's id is made of it.
 * See "Devices" in seats.md
 */
export function deviceHashOf(fingerprint: string, normalizedKey: string): string {
  const digest = createHmac('sha256', normalizedKey).update(fingerprint).digest();
  let hash = keyAlphabet.charAt((digest[0] ?? 0) % 8);
  for (const byte of digest.subarray(1, 26)) hash += keyAlphabet.charAt(byte % 32);
  return hash;
}
