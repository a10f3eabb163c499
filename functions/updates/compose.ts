import { licenseKey } from '../../shared/db/keys.ts';
import { createMemoryRateLimit, withLimits } from '../../shared/http/rate-limit.ts';
import { serve } from '../../shared/http/serve.ts';
import { createProofVerifier } from '../../shared/leases/update-proof.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import { createCatalogs } from '../../shared/updates/catalog/catalogs.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The feeds of apps' updaters, and what leads to the files in them. */
export function compose(start: Start<typeof declaration>) {
  const c = contextOf(start);
  const { LEASE_KEYS: leaseKeys, TOKEN_KEYS: ticketKeys, PUBLIC_BASE_URL: issuer } = c.settings;
  const handler = serve(routes, {
    ...withLimits(c),
    limitInMemory: createMemoryRateLimit(c),
    catalogs: createCatalogs(c),
    verifyProof: createProofVerifier({ leaseKeys, ticketKeys, issuer }),
  });
  // A nonexistent license: opens the connection before a caller waits for it.
  return Object.assign(handler, { prime: () => c.table.batchGet([licenseKey('')]) });
}
