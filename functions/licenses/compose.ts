import { licenseKey } from '../../shared/db/keys.ts';
import { createMemoryRateLimit, withLimits } from '../../shared/http/rate-limit.ts';
import { serve } from '../../shared/http/serve.ts';
import { createLeaseIssuer } from '../../shared/leases/lease.ts';
import { createFeedIssuer } from '../../shared/leases/update-ticket.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which apps check, activate and deactivate licenses. */
export function compose(start: Start<typeof declaration>) {
  const c = contextOf(start);
  const { LEASE_KEYS, PUBLIC_BASE_URL, TOKEN_KEYS } = c.settings;
  const handler = serve(routes, {
    ...withLimits(c),
    limitInMemory: createMemoryRateLimit(c),
    issueLease: createLeaseIssuer({ keys: LEASE_KEYS, issuer: PUBLIC_BASE_URL }),
    issueUpdateFeed: createFeedIssuer({ keys: TOKEN_KEYS, publicBaseUrl: PUBLIC_BASE_URL }),
  });
  // A nonexistent license: opens the connection before a caller waits for it.
  return Object.assign(handler, { prime: () => c.table.batchGet([licenseKey('')]) });
}
