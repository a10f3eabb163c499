import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { productUpsertRequest } from '../../shared/products/product.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createProductService } from '../../shared/products/product-service.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { type ProductServices, routes } from './routes.ts';

export const handler = startFunction('products', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const services: ProductServices = {
    products: createProductService({
      table,
      products: createProductRepository({ table }),
      sellers: createSellerRepository({ table }),
      audit: createAuditRepository({ table }),
    }),
    upsertRequest: productUpsertRequest(settings.CURRENCIES),
  };
  return createHandler({
    routes,
    services,
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
  });
});
