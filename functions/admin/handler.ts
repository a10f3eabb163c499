import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { createLicenseService } from '../../shared/licenses/license-service.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createProductFileReviews } from '../../shared/product-files/product-file-reviews.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createProductReviews } from '../../shared/products/product-review.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createSellerService } from '../../shared/sellers/seller-service.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { type AdminServices, routes } from './routes.ts';

export const handler = startFunction('admin', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const audit = createAuditRepository({ table });
  const licenses = createLicenseRepository({ table });
  const sellers = createSellerRepository({ table });
  const products = createProductRepository({ table });
  const services: AdminServices = {
    audit,
    productReviews: createProductReviews({ table, products, sellers, audit }),
    licenses: createLicenseService({ table, licenses, audit }),
    licenseRepository: licenses,
    orders: createOrderRepository({ table }),
    payments: createPaymentRepository({ table }),
    sellers: createSellerService({ table, sellers, audit }),
    fileReviews: createProductFileReviews({ table, files: createProductFileRepository({ table }), products, sellers, audit }),
    stage: settings.STAGE,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    tokenKeys: settings.TOKEN_KEYS,
    now: () => new Date(),
  };
  return createHandler({
    routes,
    services,
    logger,
    authenticate: createAuthenticate(settings),
    adminAllowlist: settings.ADMIN_ALLOWLIST,
    consoleOrigins: settings.CONSOLE_ORIGINS,
  });
});
