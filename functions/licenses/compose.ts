import { createMemoryRateLimit, withLimits } from '../../shared/http/rate-limit.ts';
import { serve } from '../../shared/http/serve.ts';
import { createLeaseIssuer } from '../../shared/leases/lease.ts';
import { createFeedIssuer } from '../../shared/leases/update-ticket.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which apps check, activate and deactivate licenses. */
export function compose(start: Start<typeof settingNames, 'table'>) {
  const c = contextOf(start);
  const { LEASE_KEYS, PUBLIC_BASE_URL, TOKEN_KEYS } = c.settings;
  return serve(routes, {
    ...withLimits(c),
    limitInMemory: createMemoryRateLimit(c),
    issueLease: createLeaseIssuer({ keys: LEASE_KEYS, issuer: PUBLIC_BASE_URL }),
    issueUpdateFeed: createFeedIssuer({ keys: TOKEN_KEYS, publicBaseUrl: PUBLIC_BASE_URL }),
  });
}
