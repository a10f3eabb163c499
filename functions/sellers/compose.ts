import { consoleUrlOf } from '../../shared/console/console-links.ts';
import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createShowOwnSeller } from '../../shared/overview/next-steps.ts';
import { createGetOverview } from '../../shared/overview/overview.ts';
import { createConnectedAccounts } from '../../shared/payments/connected-accounts.ts';
import { createSellerOnboarding } from '../../shared/sellers/seller-onboarding.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createSellerService } from '../../shared/sellers/seller-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which users apply as sellers and connect a payment account. */
export function compose({ settings, logger, table, provider, now }: Composition<typeof settingNames, 'table' | 'provider'>) {
  const accounts = createConnectedAccounts({
    provider,
    stage: settings.STAGE,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    consoleUrl: consoleUrlOf(settings),
  });
  return createHandler({
    routes,
    services: {
      sellers: createSellerService({ table, now }),
      showOwnSeller: createShowOwnSeller({ table, reviewDueHours: settings.REVIEW_DUE_HOURS }),
      getOverview: createGetOverview({ table, reviewDueHours: settings.REVIEW_DUE_HOURS, now }),
      sellerRepository: createSellerRepository({ table, now }),
      adminAllowlist: settings.ADMIN_ALLOWLIST,
      onboarding: createSellerOnboarding({ table, accounts, country: settings.PAYMENT_ACCOUNT_COUNTRY, now }),
    },
    logger,
    ...usersBy(settings, { table, now }),
  });
}
