import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import type { Logger } from '../../shared/logger.ts';
import { createConnectedAccounts } from '../../shared/payments/connected-accounts.ts';
import type { StripeClient } from '../../shared/payments/stripe-client.ts';
import { createSellerOnboarding } from '../../shared/sellers/seller-onboarding.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createSellerService } from '../../shared/sellers/seller-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which users apply as sellers and connect a payment account. */
export function compose({
  settings,
  logger,
  table,
  provider,
  now,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  provider: StripeClient;
  now?: () => Date;
}) {
  const sellers = createSellerRepository({ table, now });
  const audit = createAuditRepository({ table, now });
  const accounts = createConnectedAccounts({ provider, stage: settings.STAGE, publicBaseUrl: settings.PUBLIC_BASE_URL });
  return createHandler({
    routes,
    services: {
      sellers: createSellerService({ table, sellers, audit, now }),
      sellerRepository: sellers,
      adminAllowlist: settings.ADMIN_ALLOWLIST,
      onboarding: createSellerOnboarding({ table, sellers, accounts, audit, country: settings.PAYMENT_ACCOUNT_COUNTRY, now }),
    },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
    ...callersBy(settings),
  });
}
