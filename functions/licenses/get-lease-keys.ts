import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeasePublicKey } from '../../shared/leases/lease-keys.ts';

/** A JSON Web Key Set. */
export const LeaseKeySet = z.object({ keys: z.array(LeasePublicKey) });

export const getLeaseKeysRoute = endpoint({
  operationId: 'getLeaseKeys',
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'Licenses',
  summary: 'The public keys that verify leases',
  description:
    'The key that signs comes first; then those that will, and those whose leases have not all ended. Pin them in the build of an app: a key that is fetched proves nothing by itself.',
  audience: 'anyone',
  success: { status: 200, body: LeaseKeySet },
  cacheSeconds: 3600,
  errors: [],
  handle: (_input, c: Needs<'LEASE_KEYS'>) => ({ keys: c.settings.LEASE_KEYS.published }),
});
