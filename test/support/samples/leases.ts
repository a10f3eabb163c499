import { createLeaseIssuer } from '../../../shared/leases/lease.ts';
import { parseLeaseKeys } from '../../../shared/leases/lease-keys.ts';
import { createFeedIssuer } from '../../../shared/leases/update-ticket.ts';
import { keyringText } from './licenses.ts';
import { sampleSettings } from './sample-settings.ts';

const settings = sampleSettings(['LEASE_KEYS', 'TOKEN_KEYS', 'PUBLIC_BASE_URL']);
const { LEASE_KEYS: keys, PUBLIC_BASE_URL: issuer } = settings;

/** Signs with a key of the test. */
export const issueLease = createLeaseIssuer({ keys, issuer });

export const issueUpdateFeed = createFeedIssuer({ keys: settings.TOKEN_KEYS, publicBaseUrl: issuer });

/** The keys of a keyring of these versions. */
export function leaseKeysOf(...versions: string[]) {
  const parsed = parseLeaseKeys(keyringText(...versions));
  if (!parsed) throw new Error('A hash is nearly always a private key of the curve, but not this one.');
  return parsed;
}

/** The id of the key that a keyring has under this version. */
export const leaseKeyIdOf = (version: string) => leaseKeysOf(version).current.publicKey.kid;

/** What an app on a device without network shows. */
export const requestCodeOf = (request: object) => `LAR1.${Buffer.from(JSON.stringify(request)).toString('base64url')}`;
