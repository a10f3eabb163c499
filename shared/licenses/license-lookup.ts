import { createHmac } from 'node:crypto';
import type { Keyring, VersionedKey } from '../crypto/keyring.ts';
import { keyAlphabet } from './license-key.ts';

/**
 * Under which names a license may stand in the table: one for each pepper, the current
 * one first. A key of another product is as unknown as one that never was.
 *
 * A new pepper is first given to every function as an older one, then made the current
 * one, so that no function misses what another has issued. Source: decisions.md §8.
 */
export function licenseLookups(productId: string, normalizedKey: string, peppers: Keyring): string[] {
  return peppers.all.map((pepper) => lookupUnder(pepper, productId, normalizedKey));
}

/** The name under which a license is issued, and to which re-keying moves it. */
export function currentLookup(productId: string, normalizedKey: string, peppers: Keyring): string {
  return lookupUnder(peppers.current, productId, normalizedKey);
}

function lookupUnder({ version, secret }: VersionedKey, productId: string, normalizedKey: string): string {
  // Neither part can hold a NUL, so no two pairs of them read the same.
  const digest = createHmac('sha256', secret).update(`license\0${productId}\0${normalizedKey}`).digest('base64url');
  return `${version}.${digest}`;
}

/** The version of the pepper that made a lookup. */
export function pepperVersionOf(lookup: string): string {
  return lookup.slice(0, lookup.indexOf('.'));
}

/**
 * What the table knows a device by: 128 bits of the HMAC-SHA256 of its fingerprint, keyed
 * by the license key, so bound to this license. It has the form of a ULID, because the id
 * of an activation is made of it and leads back to the device without a search.
 */
export function deviceHashOf(fingerprint: string, normalizedKey: string): string {
  const [first = 0, ...rest] = createHmac('sha256', normalizedKey).update(fingerprint).digest().subarray(0, 26);
  return [first % 8, ...rest.map((byte) => byte % 32)].map((value) => keyAlphabet.charAt(value)).join('');
}
