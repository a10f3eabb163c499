import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import type { settingNames } from './env.ts';
import { routes } from './routes.ts';

/** The endpoint with which sellers see their sales. */
export function compose({
  settings,
  logger,
  table,
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  now?: () => Date;
}) {
  return createHandler({
    routes,
    services: {
      sellers: createSellerRepository({ table, now }),
      orders: createOrderRepository({ table }),
      licenses: createLicenseRepository({ table }),
      now,
    },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
    ...callersBy(settings),
  });
}
