import { createAdditionService } from '../../shared/additions/addition-service.ts';
import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createAuthorizeToken } from '../../shared/orders/buyer-access/authorize-purchase.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which buyers buy more for a license that they have. */
export function compose({
  settings,
  logger,
  table,
  provider,
  now = () => new Date(),
}: Composition<typeof settingNames, 'table' | 'provider'>) {
  const perWindow = { checkout: settings.RATE_LIMIT_CHECKOUT, complete: settings.RATE_LIMIT_COMPLETE };
  return createHandler({
    routes,
    services: {
      authorizeToken: createAuthorizeToken({ table, tokenKeys: settings.TOKEN_KEYS, now }),
      additions: createAdditionService({ settings, table, provider, logger, now }),
    },
    logger,
    limitRate: createTableRateLimit({ table, perWindow, now }),
    ...callersBy(settings),
  });
}
