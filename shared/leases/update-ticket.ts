import { createHmac } from 'node:crypto';
import { createJwsWriter } from '../crypto/compact-jws.ts';
import type { Keyring, VersionedKey } from '../crypto/keyring.ts';
import { deviceClaim, type LeasedLicense } from './lease.ts';

/** How long a ticket opens the feeds. */
export const ticketSeconds = 24 * 3600;

export const ticketType = { alg: 'HS256', typ: 'update-feed+jwt' } as const;
/** Signs with the key. */
export const ticketSignature = ({ secret }: VersionedKey, signed: Buffer) => createHmac('sha256', secret).update(signed).digest();

/** For updaters that can send no header: the feeds of one product, for one device of one license, from now on. */
export function mintUpdateTicket(
  keys: Keyring,
  license: Pick<LeasedLicense, 'id' | 'productId'>,
  deviceFingerprint: string,
  now: Date,
): { ticket: string; expiresAt: Date } {
  const exp = Math.floor(now.getTime() / 1000) + ticketSeconds;
  const write = createJwsWriter({ ...ticketType, kid: keys.current.version }, (signed) => ticketSignature(keys.current, signed));
  const claims = { sub: license.id, aud: license.productId, dev: deviceClaim(license.id, deviceFingerprint), exp };
  return { ticket: write(claims), expiresAt: new Date(exp * 1000) };
}

/** Where an updater finds the feeds of a product, and until when. */
export interface UpdateFeed {
  updateFeedUrl: string;
  updateFeedExpiresAt: string;
}
export type IssueUpdateFeed = (license: Pick<LeasedLicense, 'id' | 'productId'>, deviceFingerprint: string, now: Date) => UpdateFeed;

/** Makes addresses of feeds with a ticket in them. No request is made. */
export function createFeedIssuer({ keys, publicBaseUrl }: { keys: Keyring; publicBaseUrl: string }): IssueUpdateFeed {
  return (license, deviceFingerprint, now) => {
    const { ticket, expiresAt } = mintUpdateTicket(keys, license, deviceFingerprint, now);
    return {
      updateFeedUrl: `${publicBaseUrl}/v1/updates/${license.productId}/${ticket}`,
      updateFeedExpiresAt: expiresAt.toISOString(),
    };
  };
}
