import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createConnectedAccounts } from '../../shared/payments/connected-accounts.ts';
import { createStripeClient } from '../../shared/payments/stripe-client.ts';
import { createSellerOnboarding } from '../../shared/sellers/seller-onboarding.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createSellerService } from '../../shared/sellers/seller-service.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { routes } from './routes.ts';

export const handler = startFunction('sellers', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const sellers = createSellerRepository({ table });
  const audit = createAuditRepository({ table });
  const accounts = createConnectedAccounts({
    provider: createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: settings.PAYMENT_API_BASE }),
    stage: settings.STAGE,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
  });
  const services = {
    sellers: createSellerService({ table, sellers, audit }),
    onboarding: createSellerOnboarding({ table, sellers, accounts, audit, country: settings.PAYMENT_ACCOUNT_COUNTRY }),
  };
  return createHandler({
    routes,
    services,
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
  });
});
