import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createMemoryRateLimit, createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createLeaseIssuer } from '../../shared/leases/lease.ts';
import { createFeedIssuer } from '../../shared/leases/update-ticket.ts';
import { createRuntimeService } from '../../shared/licenses/runtime-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which apps check, activate and deactivate licenses. */
export function compose({ settings, logger, table, now }: Composition<typeof settingNames, 'table'>) {
  const limitUnknownKeys = createMemoryRateLimit({ perWindow: { 'unknown-keys': settings.RATE_LIMIT_UNKNOWN_KEYS }, now });
  const runtime = createRuntimeService({
    table,
    peppers: settings.LICENSE_PEPPERS,
    issueLease: createLeaseIssuer({ keys: settings.LEASE_KEYS, issuer: settings.PUBLIC_BASE_URL }),
    issueUpdateFeed: createFeedIssuer({ keys: settings.TOKEN_KEYS, publicBaseUrl: settings.PUBLIC_BASE_URL }),
    limitUnknownKeys: (productId) => limitUnknownKeys('unknown-keys', productId),
    now,
  });
  return createHandler({
    routes,
    services: { runtime, listLeaseKeys: () => settings.LEASE_KEYS.published },
    logger,
    limitRate: createTableRateLimit({ table, perWindow: { offline: settings.RATE_LIMIT_OFFLINE }, now }),
    ...callersBy(settings),
  });
}
