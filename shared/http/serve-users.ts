import type { Needs } from '../context.ts';
import { type UserSetting, userOptions } from './callers/create-authenticate.ts';
import { createHandler, type HttpHandler } from './create-handler.ts';
import type { Endpoint } from './endpoint.ts';
import { withLimits } from './rate-limit.ts';
import { limitWrites } from './seller-writes.ts';
import { limitsBy, type Served } from './serve.ts';

/**
 * The handler of a function for users with a verified identity, and for API tokens where an endpoint takes them. All its
 * writes count together with those of its like; what its endpoints need besides the context is `limitRate`.
 */
export function serveUsers<Context extends Served<UserSetting | 'RATE_LIMIT_SELLER'> & Needs<'table' | 'now'>>(
  routes: readonly Endpoint<Context & Needs<'limitRate'>>[],
  context: Context,
): HttpHandler {
  const c = withLimits(context);
  return createHandler({
    routes,
    services: c,
    logger: c.logger,
    limitRate: c.limitRate,
    limitWrites: (userId) => limitWrites(c, userId),
    ...userOptions(c.settings, c),
  });
}

/** The handler of a function for admins, whom no token stands for. */
export function serveAdmins<Context extends Served<UserSetting | 'ADMIN_ALLOWLIST'>>(
  routes: readonly Endpoint<Context>[],
  c: Context,
): HttpHandler {
  const { ADMIN_ALLOWLIST: adminAllowlist } = c.settings;
  return createHandler({ routes, services: c, logger: c.logger, adminAllowlist, ...limitsBy(c), ...userOptions(c.settings) });
}
