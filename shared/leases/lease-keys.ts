import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { Keyring, type VersionedKey } from '../crypto/keyring.ts';

/** The public part of a lease key, as JSON Web Key (RFC 7517). */
export const LeasePublicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('ES256'),
});
export type LeasePublicKey = z.infer<typeof LeasePublicKey>;

interface LeaseKey {
  privateKey: KeyObject;
  publicKey: LeasePublicKey;
}

/** The keys that sign leases: the first signs, all are published. See "Keys" in keys.md */
export interface LeaseKeys {
  readonly current: LeaseKey;
  /** In the order of the keyring. */
  readonly published: readonly LeasePublicKey[];
}

/** The keys of a keyring whose secrets are P-256 private keys; undefined when the text is no keyring, or a secret no such key. */
export function parseLeaseKeys(text: string): LeaseKeys | undefined {
  if (!Keyring.isWellFormed(text)) return undefined;
  const { all } = Keyring.parse(text);
  const keys = all.map(leaseKeyOf).filter((key) => key !== undefined);
  const [current] = keys;
  const isEachUnlike = new Set(keys.map(({ publicKey }) => publicKey.kid)).size === all.length;
  return current && isEachUnlike ? { current, published: keys.map(({ publicKey }) => publicKey) } : undefined;
}

/** Undefined if the secret is not a valid scalar of the curve, that is 0 or at least its order. */
function leaseKeyOf({ secret }: VersionedKey): LeaseKey | undefined {
  const bytes = secret.export();
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(bytes);
  } catch {
    return undefined;
  }
  const point = curve.getPublicKey();
  // Uncompressed: a mark, and two coordinates of 32 bytes.
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)] as const;
  const form = { crv: 'P-256', kty: 'EC', x, y } as const;
  const privateKey = createPrivateKey({ format: 'jwk', key: { ...form, d: bytes.toString('base64url') } });
  return { privateKey, publicKey: { ...form, kid: thumbprintOf(form), use: 'sig', alg: 'ES256' } };
}

/** RFC 7638: the SHA-256 of the members that make the key, in the order of their names. */
function thumbprintOf({ crv, kty, x, y }: Pick<LeasePublicKey, 'crv' | 'kty' | 'x' | 'y'>): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
