import { createTable } from '../../shared/db/table.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { routes } from './routes.ts';

export const handler = startFunction('orders', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const services = {
    sellers: createSellerRepository({ table }),
    orders: createOrderRepository({ table }),
    licenses: createLicenseRepository({ table }),
    now: () => new Date(),
  };
  return createHandler({
    routes,
    services,
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
  });
});
