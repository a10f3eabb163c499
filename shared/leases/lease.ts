import { createHash, randomUUID, sign } from 'node:crypto';
import { createJwsWriter } from '../crypto/compact-jws.ts';
import type { LicenseId, ProductId } from '../ids.ts';
import type { LeaseKeys } from './lease-keys.ts';

/** How a device came to its lease: by asking, or by a request code that a person carried to us. */
export type LeaseKind = 'online' | 'offline';

/** What the device itself can compute: bound to the license, and unlike the hash that the table keeps. */
export const deviceClaim = (licenseId: LicenseId, deviceFingerprint: string): string =>
  createHash('sha256').update(`${licenseId}\0${deviceFingerprint}`).digest('base64url');

/** What a lease tells of a license. */
export interface LeasedLicense {
  id: LicenseId;
  productId: ProductId;
  features: readonly string[];
  activationLimit: number;
  expiresAt?: string | undefined;
  updatesUntil?: string | undefined;
}

/** What a lease says, and for how many days from now. See "What a lease says" in README.md */
export interface LeaseTerms {
  kind: LeaseKind;
  days: number;
  license: LeasedLicense;
  deviceFingerprint: string;
  nonce?: string | undefined;
  /** The license is that of a test key. */
  test?: true | undefined;
}

export type IssueLease = (terms: LeaseTerms, now: Date) => string;

const daySeconds = 24 * 3600;
export const leaseType = { alg: 'ES256', typ: 'license-lease+jwt' } as const;
/** Signatures are of 64 bytes, as JWS has them. */
export const dsaEncoding = 'ieee-p1363';

/** Makes signed leases in the name of `issuer`: compact JWS (RFC 7515), ES256. No request is made. */
export function createLeaseIssuer({ keys: { current }, issuer }: { keys: LeaseKeys; issuer: string }): IssueLease {
  const write = createJwsWriter({ ...leaseType, kid: current.publicKey.kid }, (signed) =>
    sign('sha256', signed, { key: current.privateKey, dsaEncoding }),
  );

  return ({ kind, days, license, deviceFingerprint, nonce, test }, now) => {
    const iat = seconds(now.getTime());
    const ends = iat + days * daySeconds;
    return write({
      iss: issuer,
      aud: license.productId,
      sub: license.id,
      dev: deviceClaim(license.id, deviceFingerprint),
      iat,
      exp: license.expiresAt === undefined ? ends : Math.min(ends, secondsOf(license.expiresAt)),
      features: license.features,
      activation_limit: license.activationLimit,
      updates_until: license.updatesUntil === undefined ? undefined : secondsOf(license.updatesUntil),
      kind,
      jti: randomUUID(),
      nonce,
      test,
    });
  };
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
const secondsOf = (time: string) => seconds(Date.parse(time));
