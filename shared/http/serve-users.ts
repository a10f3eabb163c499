import type { Needs } from '../context.ts';
import { type UserSetting, userOptions } from './callers/create-authenticate.ts';
import { createHandler, type HttpHandler } from './create-handler.ts';
import type { Endpoint } from './endpoint.ts';
import { limitsBy, type Served } from './serve.ts';

/** The handler of a function for users with a verified identity, and for API tokens where an endpoint takes them. */
export function serveUsers<Context extends Served<UserSetting> & Needs<'table' | 'now'>>(
  routes: readonly Endpoint<Context>[],
  c: Context,
): HttpHandler {
  return createHandler({ routes, services: c, logger: c.logger, ...limitsBy(c), ...userOptions(c.settings, c) });
}

/** The handler of a function for admins, whom no token stands for. */
export function serveAdmins<Context extends Served<UserSetting | 'ADMIN_ALLOWLIST'>>(
  routes: readonly Endpoint<Context>[],
  c: Context,
): HttpHandler {
  const { ADMIN_ALLOWLIST: adminAllowlist } = c.settings;
  return createHandler({ routes, services: c, logger: c.logger, adminAllowlist, ...limitsBy(c), ...userOptions(c.settings) });
}
