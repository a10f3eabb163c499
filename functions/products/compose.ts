import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import type { Logger } from '../../shared/logger.ts';
import { productUpsertRequest } from '../../shared/products/product.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createProductService } from '../../shared/products/product-service.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers describe, submit and publish their products. */
export function compose({
  settings,
  logger,
  table,
  now,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  now?: () => Date;
}) {
  const products = createProductRepository({ table });
  const sellers = createSellerRepository({ table, now });
  const audit = createAuditRepository({ table, now });
  return createHandler({
    routes,
    services: {
      products: createProductService({ table, products, sellers, audit, now }),
      upsertRequest: productUpsertRequest(settings.CURRENCIES),
    },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
    ...callersBy(settings),
  });
}
